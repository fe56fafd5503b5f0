// gRPC connections to an etcd cluster: one client per member, of which one is used until it fails. Loaded only if etcd
// is configured.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import grpc, { type ChannelCredentials, type Client, type ServiceError } from '@grpc/grpc-js';
import type { Clock } from '../../base/clock.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import { type CallOptions, type Rpc, RpcError, type RpcFailure, type RpcStream, type StreamHandlers } from './rpc.ts';

interface GrpcChannelOptions {
  /** `https://host:port`, `http://host:port` or `host:port`, which is without TLS. */
  readonly servers: readonly string[];
  /** PEM files: the CA for the members, and the client certificate. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clock: Clock;
  /** The Unix domain socket for a member `host:port`; undefined for direct connections. */
  readonly socketFor?: ((address: string) => string) | undefined;
}

const CHANNEL_SETTINGS = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Keep-alive parameters of kube-apiserver: a silent member is given up after this time.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  // Members are selected here; clients of one address would share nothing anyway.
  'grpc.use_local_subchannel_pool': 1,
} as const;

const FAILURES: Readonly<Record<number, RpcFailure | undefined>> = {
  [grpc.status.UNAVAILABLE]: 'unavailable',
  [grpc.status.CANCELLED]: 'unavailable',
  [grpc.status.DEADLINE_EXCEEDED]: 'timeout',
  [grpc.status.OUT_OF_RANGE]: 'out-of-range',
};

const asIs = (message: Uint8Array): Buffer => message as Buffer;

/** How long a member may take to respond before the next one is tried, if there are several. */
const MEMBER_TIMEOUT_MS = 3_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

interface Attempt {
  readonly client: Client;
  readonly method: string;
  readonly message: Uint8Array;
  /** In milliseconds since the Unix epoch. */
  readonly deadline: number;
}

export class GrpcChannel implements Rpc {
  readonly #clients: Client[];
  readonly #connect: (member: number) => Client;
  readonly #files: CredentialFiles;
  /** The generation of the files, by member. */
  readonly #connectedWith: number[] = [];
  readonly #clock: Clock;
  /** The member that is tried first. */
  #preferred = 0;
  #closed = false;

  /** @throws Error with the file that cannot be read */
  constructor(options: GrpcChannelOptions) {
    const files = new CredentialFiles(options);
    this.#files = files;
    this.#clock = options.clock;
    this.#connect = (member) => {
      this.#connectedWith[member] = files.generation;
      const { address, secure } = addressOf(options.servers[member]!);
      const { place, settings } = placeOf(address, options);
      if (!secure) return new grpc.Client(place, grpc.credentials.createInsecure(), settings);
      const host = hostOf(address);
      // TLS has no server names for IP addresses; the certificate is verified against the address all the same.
      const named = isIP(host) === 0 ? {} : { 'grpc.ssl_target_name_override': 'etcd' };
      return new grpc.Client(place, files.credentials(host), { ...settings, ...named });
    };
    this.#clients = options.servers.map((_server, member) => this.#connect(member));
  }

  async call(method: string, message: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    const deadline = this.#clock.now() + options.timeoutMs;
    let pauseMs = FIRST_PAUSE_MS;
    let reason = '';
    for (let attempt = 0; ; attempt++) {
      const member = this.#preferred;
      const client = this.#clients[member];
      if (this.#closed || client === undefined) throw new RpcError('closed', 'the connection to etcd is closed');
      try {
        return await unary({ client, method, message, deadline: this.#memberDeadline(deadline) });
      } catch (error) {
        const failed = error as RpcError;
        if (failed.failure !== 'unavailable' && failed.failure !== 'timeout') throw failed;
        this.#leave(member);
        // A deadline error says less than why nothing came in time.
        if (failed.failure === 'unavailable' || reason === '') reason = failed.message;
        const leftMs = deadline - this.#clock.now();
        if (leftMs <= 0) throw new RpcError('timeout', reason);
        const all = attempt % this.#clients.length === this.#clients.length - 1;
        if (options.once === true && all) throw failed;
        if (all) await this.#pause(Math.min(pauseMs, leftMs));
        if (all) pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        options.onRetry?.();
      }
    }
  }

  stream(method: string, { onMessage, onEnd }: StreamHandlers): RpcStream {
    const member = this.#preferred;
    const client = this.#clients[member];
    if (this.#closed || client === undefined) throw new RpcError('closed', 'the connection to etcd is closed');
    let ended = false;
    const metadata = new grpc.Metadata();
    // The member ends the stream if it has lost its leader, so that another member can be tried.
    metadata.set('hasleader', 'true');
    const call = client.makeBidiStreamRequest(fullName(method), asIs, asIs, metadata);
    const end = (error: RpcError): void => {
      if (ended) return;
      ended = true;
      this.#leave(member);
      onEnd(error);
    };
    call.on('data', (message: Uint8Array) => {
      if (!ended) onMessage(message);
    });
    call.on('error', (error: ServiceError) => end(rpcError(error)));
    call.on('end', () => end(new RpcError('unavailable', 'the stream has ended')));
    return {
      send: (message) => {
        if (!ended) call.write(message);
      },
      pause: () => call.pause(),
      resume: () => call.resume(),
      close: () => {
        ended = true;
        call.cancel();
      },
    };
  }

  close(): void {
    this.#closed = true;
    for (const client of this.#clients) client.close();
  }

  /** One of several members may use less of the time than a single one. */
  #memberDeadline(deadline: number): number {
    return this.#clients.length === 1 ? deadline : Math.min(deadline, this.#clock.now() + MEMBER_TIMEOUT_MS);
  }

  /**
   * Tries another member first from now on, unless that has changed meanwhile. If the files of credentials have been
   * replaced, the next connection to this one uses them.
   */
  #leave(member: number): void {
    if (this.#preferred === member) this.#preferred = (member + 1) % this.#clients.length;
    if (this.#closed) return;
    this.#files.read();
    if (this.#connectedWith[member] === this.#files.generation) return;
    this.#clients[member]?.close();
    this.#clients[member] = this.#connect(member);
  }

  #pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(pauseMs, resolve));
  }
}

/** The target of a gRPC client, and the name of a member behind a socket. */
function placeOf(address: string, { socketFor }: GrpcChannelOptions) {
  if (socketFor === undefined) return { place: address, settings: CHANNEL_SETTINGS };
  const settings = { ...CHANNEL_SETTINGS, 'grpc.default_authority': address };
  return {
    place: `unix:${socketFor(address)}`,
    settings: { ...settings, 'grpc.ssl_target_name_override': hostOf(address) },
  };
}

function unary({ client, method, message, deadline }: Attempt): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(fullName(method), asIs, asIs, message, { deadline }, (error, answer) => {
      if (error !== null) reject(rpcError(error));
      else resolve(answer as Uint8Array);
    });
  });
}

function fullName(method: string): string {
  return `/etcdserverpb.${method}`;
}

/** The host in `host:port` and `[host]:port`. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

const NO_CONNECTION = /^No connection established\. Last error: (.*?)\.? ?(?:Resolution note:.*)?$/s;

function rpcError({ code, details, message }: ServiceError): RpcError {
  const text = (details || message).replace(NO_CONNECTION, '$1');
  // A member without a leader, or one that is stopping, reports that in words.
  if (/etcdserver: (no leader|leader changed|server stopped|request timed out)/.test(text)) {
    return new RpcError('unavailable', text);
  }
  return new RpcError(FAILURES[code] ?? 'refused', text);
}

function addressOf(server: string): { address: string; secure: boolean } {
  const scheme = /^(https?):\/\//.exec(server);
  const address = withoutTrailing(server.slice(scheme?.[0].length ?? 0), '/');
  return { address, secure: scheme?.[1] === 'https' };
}

/** The CA for the members and the client certificate, which are read again when a connection has failed. */
class CredentialFiles {
  readonly #paths: readonly (string | undefined)[];
  #texts: readonly (Buffer | null)[];
  /** Increases with every change. */
  generation = 0;

  /** @throws Error with the file that cannot be read, which prevents startup */
  constructor({ caFile, certFile, keyFile }: GrpcChannelOptions) {
    this.#paths = [caFile, certFile, keyFile];
    this.#texts = this.#paths.map(textAt);
  }

  /** Of connections to a member from now on. */
  credentials(host: string): ChannelCredentials {
    const [ca = null, cert = null, key = null] = this.#texts;
    const verify = { checkServerIdentity: (_name: string, shown: PeerCertificate) => checkServerIdentity(host, shown) };
    return grpc.credentials.createSsl(ca, key, cert, verify);
  }

  /** Reads them again; those that cannot be used together, as while they are being replaced, are not taken. */
  read(): void {
    try {
      const texts = this.#paths.map(textAt);
      if (texts.every((text, index) => String(text) === String(this.#texts[index]))) return;
      const [ca, cert, key] = texts.map((text) => text ?? undefined);
      createSecureContext({ ca, cert, key });
      this.#texts = texts;
      this.generation += 1;
    } catch {
      // Files that are being replaced may be missing for a moment.
    }
  }
}

function textAt(path: string | undefined): Buffer | null {
  return path === undefined ? null : readFileSync(path);
}
