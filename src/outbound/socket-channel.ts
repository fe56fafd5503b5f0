// Calls of a program on this machine over its Unix socket, as gRPC: KMS plugins and signers of tokens. Loaded only where a
// configuration names one.

import grpc, { type ServiceError } from '@grpc/grpc-js';
import { DELIMITED, ProtobufReader } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import type { Clock } from '../base/clock.ts';

export interface SocketChannelOptions {
  /** `unix:///path` or the path alone; `unix:///@name` or `@name` for a socket without a file. */
  readonly endpoint: string;
  /** How long a call may take, in milliseconds, the time until the program listens included. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Told of every call: `/v2.KeyManagementService/Status`, and the code's name, as `OK`. */
  readonly onCall?: (call: { readonly method: string; readonly code: string; readonly seconds: number }) => void;
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

interface SocketChannel {
  /** Rejects with a CallError. @param timeoutMs where it is not the usual one */
  call(method: string, message: Uint8Array, timeoutMs?: number): Promise<ProtobufReader>;
  close(): void;
}

/**
 * A channel to the methods of one service, `v2.KeyManagementService`. It connects with its first call, and again
 * whenever the connection breaks.
 */
export function openSocketChannel(service: string, options: SocketChannelOptions): SocketChannel {
  const { endpoint, clock, onCall } = options;
  const client = new grpc.Client(targetOf(endpoint), grpc.credentials.createInsecure(), CHANNEL_SETTINGS);
  return {
    call(name, message, timeoutMs = options.timeoutMs) {
      const method = `/${service}/${name}`;
      const metadata = new grpc.Metadata({ waitForReady: true });
      const start = clock.now();
      const settle = (code: string): void => onCall?.({ method, code, seconds: (clock.now() - start) / 1_000 });
      return new Promise((resolve, reject) => {
        const deadline = Date.now() + timeoutMs;
        client.makeUnaryRequest(method, asIs, asIs, message, metadata, { deadline }, (error, answer) => {
          settle(error === null ? 'OK' : codeOf(error));
          if (error === null) resolve(new ProtobufReader(answer as Uint8Array));
          else reject(new CallError(error));
        });
      });
    },
    close: () => client.close(),
  };
}

/** @param endpoint a valid one */
function targetOf(endpoint: string): string {
  const path = endpoint.startsWith('unix:') ? new URL(endpoint).pathname.replace(/^\/@/, '@') : endpoint;
  return path.startsWith('@') ? `unix:\0${path.slice(1)}` : `unix:${path}`;
}

function codeOf({ code }: ServiceError): string {
  return CODES[code] ?? `Code(${code})`;
}

/** A call that failed; the message is in the words of gRPC's client in Go. */
export class CallError extends Error {
  override name = 'CallError';
  /** The name of gRPC's code, as `Unavailable`. */
  readonly code: string;

  constructor(error: ServiceError) {
    const code = codeOf(error);
    super(`rpc error: code = ${code} desc = ${error.details || error.message}`);
    this.code = code;
  }
}

/** A message of fields in the order of their numbers, without those that are empty. */
export function message(...fields: readonly (readonly [number: number, value: Uint8Array | string])[]): Buffer {
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
export function eachField(reader: ProtobufReader, read: (field: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) !== DELIMITED || !read(tag >>> 3)) reader.skip(tag);
  }
}

/** The bytes of the first field of a message, where it has any. */
export function firstField(reader: ProtobufReader): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0);
  eachField(reader, (field) => {
    if (field === 1) bytes = reader.raw();
    return field === 1;
  });
  return bytes;
}
