// The ID of this server among several on one store, used in metrics; only its hash is shown.

import { createHash } from 'node:crypto';

/** `sha256:…` of `apiserver-X`, where X stands for the host; both hashes as in kube-apiserver. */
export function serverIdHash(hostname: string): string {
  const facts = Buffer.concat([withLength(hostname), withLength('kube-apiserver')]);
  const name = `apiserver-${base32(createHash('sha256').update(facts).digest().subarray(0, 16))}`;
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** In lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
