// gRPC client for KMS plugins, version 1: encrypts and decrypts keys, one at a time.

import { firstField, message, openSocketChannel, type SocketChannelOptions } from './socket-channel.ts';

/** Each call rejects with an Error with the message of Go's gRPC client. */
export interface KmsV1Client {
  encrypt(plain: Uint8Array): Promise<Uint8Array>;
  decrypt(sealed: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

const VERSION = 'v1beta1';

/** A client that checks the plugin's version before its first call, until the check succeeds. */
export function connectKmsV1(options: SocketChannelOptions): KmsV1Client {
  const channel = openSocketChannel(`${VERSION}.KeyManagementService`, options);
  let checking: Promise<void> | undefined;
  const checkVersion = async (): Promise<void> => {
    const answer = await channel.call('Version', message([1, VERSION])).catch((error: Error) => {
      throw new Error(`failed get version from remote KMS provider: ${error.message}`);
    });
    const version = Buffer.from(firstField(answer)).toString();
    if (version === VERSION) return;
    throw new Error(`KMS provider api version ${version} is not supported, only ${VERSION} is supported`);
  };
  const call = async (method: string, value: Uint8Array): Promise<Uint8Array> => {
    checking ??= checkVersion();
    const checked = checking;
    await checked.catch((error) => {
      if (checking === checked) checking = undefined;
      throw error;
    });
    return firstField(await channel.call(method, message([1, VERSION], [2, value])));
  };
  return {
    encrypt: (plain) => call('Encrypt', plain),
    decrypt: (sealed) => call('Decrypt', sealed),
    close: () => channel.close(),
  };
}
