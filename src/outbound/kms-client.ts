// gRPC client for KMS plugins, version 2. Independent of the use of responses.

import { readBytesByName } from '../api/protobuf-map.ts';
import type { ProtobufReader } from '../api/protobuf-reader.ts';
import { eachField, firstField, message, openSocketChannel, type SocketChannelOptions } from './socket-channel.ts';

export interface KmsStatus {
  /** The API version: `v2`. */
  readonly version: string;
  /** `ok`, or the problem. */
  readonly healthz: string;
  /** The key that Encrypt currently uses. */
  readonly keyId: string;
}

/** The ciphertext, and what the plugin needs to decrypt it. */
interface KmsSealed {
  readonly sealed: Uint8Array;
  readonly keyId: string;
  readonly annotations: ReadonlyMap<string, Uint8Array>;
}

/** Each call rejects with an Error with the message of Go's gRPC client. */
export interface KmsClient {
  status(): Promise<KmsStatus>;
  /** @param uid identifies the call in the plugin's log */
  encrypt(uid: string, plain: Uint8Array): Promise<KmsSealed>;
  decrypt(uid: string, source: KmsSealed): Promise<Uint8Array>;
  close(): void;
}

/** A client that connects at its first call, and again whenever the connection breaks. */
export function connectKms(options: SocketChannelOptions): KmsClient {
  const channel = openSocketChannel('v2.KeyManagementService', options);
  return {
    status: async () => readStatus(await channel.call('Status', message())),
    encrypt: async (uid, plain) => readSealed(await channel.call('Encrypt', message([1, plain], [2, uid]))),
    decrypt: async (uid, { sealed, keyId, annotations }) => {
      const pairs = [...annotations].map(([name, value]) => [4, message([1, name], [2, value])] as const);
      return firstField(await channel.call('Decrypt', message([1, sealed], [2, uid], [3, keyId], ...pairs)));
    },
    close: () => channel.close(),
  };
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
