// Connections through a konnectivity proxy server, over gRPC on a Unix domain socket: each connection is a separate
// stream of packets. Loaded only if such a proxy is configured.

import { Duplex } from 'node:stream';
import grpc, { type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import type { Random } from '../base/random.ts';
import { konnectivityPacket, Packet, type ReadPacket, readKonnectivityPacket } from './konnectivity-packets.ts';
import type { ProxyWay } from './proxy-way.ts';

type Stream = ClientDuplexStream<Uint8Array, Uint8Array>;

const CHANNEL_SETTINGS = {
  'grpc.default_authority': 'localhost',
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
} as const;

const asIs = (message: Uint8Array): Buffer => message as Buffer;

/** A stream to a proxy, and its client, which has no other stream. */
interface Opened {
  readonly stream: Stream;
  readonly close: () => void;
}

/** Payload of one packet: less than gRPC's maximum message size. */
const PACKET_BYTES = 64 * 1024;

/** @param path of the proxy's socket */
export function konnectivityProxy(path: string, random: Random): ProxyWay {
  return {
    ...{ protocol: 'grpc', transport: 'uds' },
    async connect(signal) {
      const client = new grpc.Client(`unix:${path}`, grpc.credentials.createInsecure(), CHANNEL_SETTINGS);
      const stream: Stream = client.makeBidiStreamRequest('/ProxyService/Proxy', asIs, asIs);
      const close = () => {
        stream.cancel();
        client.close();
      };
      // Afterwards nothing else would handle the end of the stream.
      stream.on('error', () => {});
      signal.addEventListener('abort', close, { once: true });
      return async (address) => {
        try {
          return await dialled({ stream, close }, address, random);
        } catch (error) {
          close();
          throw error;
        } finally {
          signal.removeEventListener('abort', close);
        }
      };
    },
  };
}

function dialled(opened: Opened, address: string, random: Random): Promise<Duplex> {
  const { stream } = opened;
  const id = random.below(2 ** 31) + 1;
  return new Promise((resolve, reject) => {
    const settle = () => {
      stream.off('data', read).off('error', fail).off('end', ended);
    };
    const fail = (error: Error) => {
      settle();
      reject(new Error(callFault(error), { cause: error }));
    };
    const ended = () => fail(new Error('tunnel is closed'));
    const read = (bytes: Uint8Array) => {
      const packet = readKonnectivityPacket(bytes);
      if (packet.type === Packet.dialClosed) return fail(new Error('dial closed'));
      if (packet.type !== Packet.dialAnswer || packet.random !== id) return;
      if (packet.error !== '') return fail(new Error(packet.error));
      settle();
      stream.pause();
      resolve(new KonnectivityConnection(opened, packet.connection));
    };
    stream.on('data', read).on('error', fail).on('end', ended);
    stream.write(konnectivityPacket(Packet.dial, { 1: 'tcp', 2: address, 3: id }));
  });
}

class KonnectivityConnection extends Duplex {
  readonly #opened: Opened;
  readonly #connection: number;
  #isOver = false;

  constructor(opened: Opened, connection: number) {
    super();
    this.#opened = opened;
    this.#connection = connection;
    const over = () => {
      this.#isOver = true;
      this.push(null);
    };
    opened.stream
      .on('data', (bytes: Uint8Array) => this.#take(readKonnectivityPacket(bytes), over))
      .on('error', (error: Error) => this.destroy(this.#isOver ? undefined : new Error(callFault(error))))
      .on('end', over);
  }

  override _read(): void {
    this.#opened.stream.resume();
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    for (let at = 0; at < chunk.length; at += PACKET_BYTES) {
      const data = chunk.subarray(at, at + PACKET_BYTES);
      const packet = konnectivityPacket(Packet.data, { 1: this.#connection, 3: data });
      if (at + PACKET_BYTES < chunk.length) this.#opened.stream.write(packet);
      else this.#opened.stream.write(packet, () => callback());
    }
  }

  // A single direction cannot be closed.
  override _final(callback: () => void): void {
    if (!this.#isOver) this.#opened.stream.write(konnectivityPacket(Packet.close, { 1: this.#connection }));
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const { stream, close } = this.#opened;
    if (this.#isOver || this.writableFinished) close();
    else stream.write(konnectivityPacket(Packet.close, { 1: this.#connection }), close);
    callback(error);
  }

  #take(packet: ReadPacket, over: () => void): void {
    if (packet.type === Packet.closeAnswer) over();
    if (packet.type !== Packet.data || packet.connection !== this.#connection) return;
    if (packet.data.length > 0 && !this.push(packet.data)) this.#opened.stream.pause();
  }
}

/** gRPC's message for a failed stream, without its prefix. */
function callFault(error: Error | ServiceError): string {
  if (!('details' in error)) return error.message;
  return error.details.replace(
    /^No connection established\. Last error: (?:Error: )?(.*?)\.? ?(?:Resolution note:.*)?$/s,
    '$1',
  );
}
