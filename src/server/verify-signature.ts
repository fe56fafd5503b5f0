// Verification of signatures with node:crypto, for validation, which is independent of Node.

import { Buffer } from 'node:buffer';
import { constants, createPublicKey, verify } from 'node:crypto';
import type { VerifySignature } from '../resources/validation/certificate-signature.ts';

export const verifySignature: VerifySignature = ({ key, bytes, signature, hash, isPss }) => {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'latin1'), format: 'der', type: 'spki' });
    const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
    const [data, proof] = [Buffer.from(bytes, 'latin1'), Buffer.from(signature, 'latin1')];
    return verify(hash, data, { key: publicKey, ...padding }, proof);
  } catch {
    return false;
  }
};
