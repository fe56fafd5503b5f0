// Calls of a KMS plugin over its socket: version 2 of Kubernetes' interface, as gRPC. What the answers mean for stored
// values is not its business. Loaded only where a configuration of encryption names a plugin.

import grpc, { type ServiceError } from '@grpc/grpc-js';
import { readBytesByName } from '../api/protobuf-map.ts';
import { DELIMITED, ProtobufReader } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import type { Clock } from '../base/clock.ts';

export interface KmsStatus {
  /** Of the interface: `v2`. */
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  /** The key that Encrypt uses at present. */
  readonly keyId: string;
}

/** What the plugin has sealed, and what it must be told to open that again. */
interface KmsSealed {
  readonly sealed: Uint8Array;
  readonly keyId: string;
  readonly annotations: ReadonlyMap<string, Uint8Array>;
}

/** Each call rejects with an Error in the words of gRPC's client in Go. */
export interface KmsClient {
  status(): Promise<KmsStatus>;
  /** @param uid tells the call apart in the plugin's log */
  encrypt(uid: string, plain: Uint8Array): Promise<KmsSealed>;
  decrypt(uid: string, source: KmsSealed): Promise<Uint8Array>;
  close(): void;
}

interface KmsClientOptions {
  /** `unix:///path`, or `unix:///@name` for a socket without a file. */
  readonly endpoint: string;
  /** How long a call may take, in milliseconds, the time until the plugin listens included. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Told of every call: `/v2.KeyManagementService/Status`, and the code's name, as `OK`. */
  readonly onCall: (call: { readonly method: string; readonly code: string; readonly seconds: number }) => void;
}

const CHANNEL_SETTINGS = {
  'grpc.default_authority': 'localhost',
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
} as const;

/** Names of gRPC's codes in Go, by number. */
const CODES = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];

const asIs = (message: Uint8Array): Buffer => message as Buffer;

/** A client that connects with its first call, and again whenever the connection breaks. */
export function connectKms({ endpoint, timeoutMs, clock, onCall }: KmsClientOptions): KmsClient {
  const client = new grpc.Client(targetOf(endpoint), grpc.credentials.createInsecure(), CHANNEL_SETTINGS);
  const call = (name: string, message: Uint8Array): Promise<ProtobufReader> => {
    const method = `/v2.KeyManagementService/${name}`;
    const metadata = new grpc.Metadata({ waitForReady: true });
    const start = clock.now();
    const settle = (code: string): void => onCall({ method, code, seconds: (clock.now() - start) / 1_000 });
    return new Promise((resolve, reject) => {
      const deadline = Date.now() + timeoutMs;
      client.makeUnaryRequest(method, asIs, asIs, message, metadata, { deadline }, (error, answer) => {
        settle(error === null ? 'OK' : codeOf(error));
        if (error === null) resolve(new ProtobufReader(answer as Uint8Array));
        else reject(callError(error));
      });
    });
  };
  return {
    status: async () => readStatus(await call('Status', message())),
    encrypt: async (uid, plain) => readSealed(await call('Encrypt', message([1, plain], [2, uid]))),
    decrypt: async (uid, { sealed, keyId, annotations }) => {
      const pairs = [...annotations].map(([name, value]) => [4, message([1, name], [2, value])] as const);
      return readPlain(await call('Decrypt', message([1, sealed], [2, uid], [3, keyId], ...pairs)));
    },
    close: () => client.close(),
  };
}

/** @param endpoint a valid one */
function targetOf(endpoint: string): string {
  const path = new URL(endpoint).pathname;
  return path.startsWith('/@') ? `unix:\0${path.slice(2)}` : `unix://${path}`;
}

function codeOf({ code }: ServiceError): string {
  return CODES[code] ?? `Code(${code})`;
}

function callError(error: ServiceError): Error {
  return new Error(`rpc error: code = ${codeOf(error)} desc = ${error.details || error.message}`);
}

/** Fields in the order of their numbers, without those that are empty. */
function message(...fields: readonly (readonly [number: number, value: Uint8Array | string])[]): Buffer {
  const out = new ProtobufWriter();
  for (const [field, value] of fields.toReversed()) {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    if (bytes.length === 0) continue;
    out.raw(bytes);
    out.uint(bytes.length);
    out.uint((field << 3) | DELIMITED);
  }
  return Buffer.from(out.bytes());
}

/** Calls back with the number of each field that has a length. */
function eachField(reader: ProtobufReader, read: (field: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) !== DELIMITED || !read(tag >>> 3)) reader.skip(tag);
  }
}

function readStatus(reader: ProtobufReader): KmsStatus {
  const status = { version: '', healthz: '', keyId: '' };
  eachField(reader, (field) => {
    if (field === 1) status.version = reader.text();
    else if (field === 2) status.healthz = reader.text();
    else if (field === 3) status.keyId = reader.text();
    else return false;
    return true;
  });
  return status;
}

function readSealed(reader: ProtobufReader): KmsSealed {
  let sealed: Uint8Array = new Uint8Array(0);
  let keyId = '';
  const annotations = new Map<string, Uint8Array>();
  eachField(reader, (field) => {
    if (field === 1) sealed = reader.raw();
    else if (field === 2) keyId = reader.text();
    else if (field === 3) readBytesByName(reader, annotations);
    else return false;
    return true;
  });
  return { sealed, keyId, annotations };
}

function readPlain(reader: ProtobufReader): Uint8Array {
  let plain: Uint8Array = new Uint8Array(0);
  eachField(reader, (field) => {
    if (field === 1) plain = reader.raw();
    return field === 1;
  });
  return plain;
}
