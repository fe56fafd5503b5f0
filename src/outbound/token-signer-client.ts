// gRPC client for external signers of service account tokens, version 1 of Kubernetes' API.

import type { ProtobufReader } from '../api/protobuf-reader.ts';
import { eachField, message, openSocketChannel, type SocketChannelOptions } from './socket-channel.ts';

interface SignedToken {
  /** The header and the signature of the token, as encoded. */
  readonly header: string;
  readonly signature: string;
}

export interface FetchedKey {
  readonly id: string;
  /** In PKIX form. */
  readonly key: Uint8Array;
  /** Whether it verifies tokens without being published. */
  readonly isUnpublished: boolean;
}

interface FetchedKeys {
  readonly keys: readonly FetchedKey[];
  /** When the signer read the keys, in seconds since the Unix epoch; undefined if unknown. */
  readonly dataSeconds: number | undefined;
  readonly refreshSeconds: number;
}

/** Each call rejects with a CallError. */
export interface TokenSignerClient {
  /** @param claims the payload of the token */
  sign(claims: string): Promise<SignedToken>;
  fetchKeys(): Promise<FetchedKeys>;
  /** Maximum validity of tokens, in seconds. */
  maxExpirationSeconds(timeoutMs: number): Promise<number>;
  close(): void;
}

/** A client that connects at its first call, and again whenever the connection breaks. */
export function connectTokenSigner(options: SocketChannelOptions): TokenSignerClient {
  const channel = openSocketChannel('v1.ExternalJWTSigner', options);
  return {
    sign: async (claims) => readSigned(await channel.call('Sign', message([1, claims]))),
    fetchKeys: async () => readKeys(await channel.call('FetchKeys', message())),
    maxExpirationSeconds: async (timeoutMs) => {
      const reader = await channel.call('Metadata', message(), timeoutMs);
      return numberIn(reader, 1);
    },
    close: () => channel.close(),
  };
}

function readSigned(reader: ProtobufReader): SignedToken {
  const signed = { header: '', signature: '' };
  eachField(reader, (field) => {
    if (field === 1) signed.header = reader.text();
    else if (field === 2) signed.signature = reader.text();
    else return false;
    return true;
  });
  return signed;
}

function readKeys(reader: ProtobufReader): FetchedKeys {
  const keys: FetchedKey[] = [];
  let dataSeconds: number | undefined;
  let refreshSeconds = 0;
  eachTag(reader, {
    1: () => keys.push(within(reader, readKey)),
    2: () => {
      dataSeconds = within(reader, readTimestamp);
    },
    3: () => {
      refreshSeconds = Number(reader.int64());
    },
  });
  return { keys, dataSeconds, refreshSeconds };
}

function readKey(reader: ProtobufReader): FetchedKey {
  const found = { id: '', key: new Uint8Array(0) as Uint8Array, isUnpublished: false };
  eachTag(reader, {
    1: () => {
      found.id = reader.text();
    },
    2: () => {
      found.key = reader.raw();
    },
    3: () => {
      found.isUnpublished = reader.bool();
    },
  });
  return found;
}

function readTimestamp(reader: ProtobufReader): number {
  let [seconds, nanoseconds] = [0, 0];
  eachTag(reader, {
    1: () => {
      seconds = Number(reader.int64());
    },
    2: () => {
      nanoseconds = reader.int32();
    },
  });
  return seconds + nanoseconds / 1e9;
}

function numberIn(reader: ProtobufReader, field: number): number {
  let number = 0;
  eachTag(reader, {
    [field]: () => {
      number = Number(reader.int64());
    },
  });
  return number;
}

function within<Read>(reader: ProtobufReader, read: (reader: ProtobufReader) => Read): Read {
  const outer = reader.enter();
  const found = read(reader);
  reader.leave(outer);
  return found;
}

/** Calls the handler of each field that has one. */
function eachTag(reader: ProtobufReader, fields: Readonly<Record<number, () => unknown>>): void {
  while (!reader.done) {
    const tag = reader.tag();
    const read = fields[tag >>> 3];
    if (read === undefined) reader.skip(tag);
    else read();
  }
}
