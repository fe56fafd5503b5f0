// The key of service account tokens: made on the first start and kept with the certificates, so that tokens outlive a
// restart.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TokenKey } from '../auth/authn/token-key.ts';
import { writeFileAtomically } from './pki.ts';

/** A key that somebody else keeps. @throws Error naming the file that can't be read or holds no such key */
export async function readSigningKey(file: string): Promise<TokenKey> {
  return parseKey(file, await readFile(file, 'utf8'));
}

/**
 * @param folder where the key is kept; undefined for a key that nobody keeps
 * @throws Error naming the file that holds no such key
 */
export async function loadSigningKey(folder: string | undefined): Promise<TokenKey> {
  if (folder === undefined) return TokenKey.generate();
  const file = join(folder, 'service-account.key');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept !== undefined) return parseKey(file, kept);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = TokenKey.generate();
  await writeFileAtomically(file, made.pem, 0o600);
  return made;
}

function parseKey(file: string, pem: string): TokenKey {
  try {
    return TokenKey.fromPem(pem);
  } catch (error) {
    throw new Error(`${file} holds no key that can sign tokens: ${(error as Error).message}`, { cause: error });
  }
}
