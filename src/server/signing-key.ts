// The signing key of service account tokens: created on the first start and stored with the certificates, so that
// tokens remain valid after a restart.

import { Buffer } from 'node:buffer';
import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { TokenKey, VerificationKey } from '../auth/authn/token-key.ts';
import { pemBlocks } from '../base/pem.ts';
import { makeFolder, readText, readTextIfThere, replaceFile } from './files.ts';

/** A key from a configured file. @throws Error with the file that cannot be read or contains no such key */
export function readSigningKey(file: string): TokenKey {
  try {
    return parseKey(file, readText(file));
  } catch (error) {
    throw new Error(`failed to parse service-account-issuer-key-file: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * @param folder of the key; undefined for a key that is not stored
 * @throws Error with the file that contains no such key
 */
export function loadSigningKey(folder: string | undefined): TokenKey {
  if (folder === undefined) return TokenKey.generate();
  const file = join(folder, 'service-account.key');
  const kept = readTextIfThere(file);
  if (kept !== undefined) return storedKey(file, kept);
  makeFolder(folder);
  const made = TokenKey.generate();
  replaceFile(file, made.pem, { mode: 0o600, durable: true });
  return made;
}

/** The keys in a file that verify tokens: public keys, or the public halves of private keys. @throws Error */
export function readVerificationKeys(file: string): VerificationKey[] {
  const text = readText(file);
  const keys = pemBlocks(text).flatMap(({ type, bytes }) => {
    if (!/KEY$|^CERTIFICATE$/.test(type)) return [];
    const body = Buffer.from(bytes, 'latin1').toString('base64');
    try {
      return [new VerificationKey(createPublicKey(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`))];
    } catch {
      return [];
    }
  });
  if (keys.length === 0)
    throw new Error(`error reading public key file ${file}: data does not contain any valid RSA or ECDSA public keys`);
  return keys;
}

/** @throws Error that names the file and what to do, for a key that is damaged in any bit */
function storedKey(file: string, pem: string): TokenKey {
  try {
    const key = TokenKey.fromPem(pem);
    if (key.isIntact) return key;
  } catch {
    // Reported below.
  }
  throw new Error(
    `${file} is not an intact private key: restore it from a backup; or remove it, and the next start makes a new ` +
      'one, with which all tokens of service accounts issued so far are invalid',
  );
}

function parseKey(file: string, pem: string): TokenKey {
  try {
    return TokenKey.fromPem(pem);
  } catch (error) {
    throw new Error(`error reading private key file ${file}: data does not contain a valid RSA or ECDSA private key`, {
      cause: error,
    });
  }
}
