// gRPC channel to a program on this machine over its Unix domain socket: KMS plugins and token signers. Loaded only if
// one is configured.

import grpc, { type ServiceError } from '@grpc/grpc-js';
import { DELIMITED, ProtobufReader } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import type { Clock } from '../base/clock.ts';

export interface SocketChannelOptions {
  /** `unix:///path` or only the path; `unix:///@name` or `@name` for an abstract socket. */
  readonly endpoint: string;
  /** Timeout of a call in milliseconds, including the time until the program listens. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Called for every call: `/v2.KeyManagementService/Status`, and the name of its code, such as `OK`. */
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

/** Go's names of gRPC codes, by number. */
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
  /** Rejects with a CallError. @param timeoutMs if not the default */
  call(method: string, message: Uint8Array, timeoutMs?: number): Promise<ProtobufReader>;
  close(): void;
}

/**
 * A channel for one service, `v2.KeyManagementService`. It connects at its first call, and again whenever the
 * connection breaks.
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

/** A failed call; the message is that of Go's gRPC client. */
export class CallError extends Error {
  override name = 'CallError';
  /** The name of the gRPC code, such as `Unavailable`. */
  readonly code: string;

  constructor(error: ServiceError) {
    const code = codeOf(error);
    super(`rpc error: code = ${code} desc = ${error.details || error.message}`);
    this.code = code;
  }
}

/** A message with fields in the order of their numbers, without empty ones. */
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

/** Calls back for each length-delimited field. */
export function eachField(reader: ProtobufReader, read: (field: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) !== DELIMITED || !read(tag >>> 3)) reader.skip(tag);
  }
}

/** The bytes of a message's first field, if any. */
export function firstField(reader: ProtobufReader): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0);
  eachField(reader, (field) => {
    if (field === 1) bytes = reader.raw();
    return field === 1;
  });
  return bytes;
}
