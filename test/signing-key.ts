// A key for signing certificate requests in tests.

import { Buffer } from 'node:buffer';
import { generateKeyPairSync, sign } from 'node:crypto';
import { der, type SigningKey } from './signing-request.ts';

export function ed25519Key(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('latin1'),
    algorithm: der(0x30, der(0x06, '\x2b\x65\x70')),
    sign: (bytes) => sign(null, Buffer.from(bytes, 'latin1'), privateKey).toString('latin1'),
  };
}
