// The keys of a server in a file beside a backup, encrypted with a passphrase: the certificate authority and the key of
// service account tokens, without which kubeconfigs and tokens are void after a restore.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { limits } from '../base/limits.ts';
import { makePrivateFolder, openPrivateFile, syncFolder } from '../store/private-files.ts';
import { StoreError } from '../store/store.ts';

/** The name of the file with the keys of a backup. */
export function keysFileOf(backup: string): string {
  return `${backup}.keys`;
}

/** What the file has. The bytes are in base64. */
interface Sealed {
  readonly kind: 'keelson-keys';
  readonly version: 1;
  /** The cost of scrypt, with blocks of 8 and no parallelism. */
  readonly cost: number;
  readonly salt: string;
  readonly nonce: string;
  readonly tag: string;
  readonly content: string;
}

/** Where a server keeps its keys, in its data folder. */
const PKI = 'pki';

/** 128 MiB of memory for each guess. */
const COST = 2 ** 17;
const CIPHER = 'aes-256-gcm';

/** Writes the keys of a data folder. @throws StoreError if there are none, or the file exists */
export function backUpKeys(dataDir: string, file: string, passphrase: string): void {
  const folder = join(resolve(dataDir), PKI);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => isKeyFile(folder, name)) : [];
  if (names.length === 0) throw new StoreError(`there are no keys in ${folder}`);
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
  const text = JSON.stringify(seal(Buffer.from(JSON.stringify(files)), passphrase));
  writePrivately(file, Buffer.from(`${text}\n`));
}

function isKeyFile(folder: string, name: string): boolean {
  const found = statSync(join(folder, name));
  if (!found.isFile()) return false;
  if (found.size > limits.keyFileBytes) throw new StoreError(`${join(folder, name)} is too large for a key`);
  return true;
}

/** Returns the files with keys, by name. @throws StoreError for another file, and for another passphrase */
export function openKeys(file: string, passphrase: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(file)) throw new StoreError(`there is no file ${file}: the backup was made without --with-keys`);
  if (statSync(file).size > limits.keysFileBytes) throw new StoreError(`${file} holds no keys of Keelson`);
  const sealed = readSealed(readFileSync(file, 'utf8'));
  if (sealed === undefined) throw new StoreError(`${file} holds no keys of Keelson`);
  if (sealed.version !== 1) throw new StoreError(`${file} was written by a newer version of Keelson`);
  let text: string;
  try {
    text = open(sealed, passphrase).toString('utf8');
  } catch {
    throw new StoreError(`${file} does not open with this passphrase`);
  }
  const files = JSON.parse(text) as Record<string, string>;
  return new Map(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')]));
}

/** Writes keys into a data folder that has none. */
export function restoreKeys(dataDir: string, keys: ReadonlyMap<string, Buffer>): void {
  const folder = join(resolve(dataDir), PKI);
  // The names are the server's own; whoever knows the passphrase could write others.
  const wrong = [...keys.keys()].find((name) => !/^[a-z][a-z.-]*$/.test(name));
  if (wrong !== undefined) throw new StoreError(`${JSON.stringify(wrong)} is no file with keys`);
  makePrivateFolder(resolve(dataDir));
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, bytes] of keys) writePrivately(join(folder, name), bytes);
  syncFolder(folder);
  syncFolder(resolve(dataDir));
}

/** Whether a data folder has keys. */
export function hasKeys(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), PKI));
}

function readSealed(text: string): Sealed | undefined {
  try {
    const sealed = JSON.parse(text) as Sealed | null;
    return sealed?.kind === 'keelson-keys' && sealed.cost <= COST ? sealed : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(passphrase: string, salt: Buffer, cost: number): Buffer {
  return scryptSync(passphrase.normalize(), salt, 32, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 });
}

function seal(content: Buffer, passphrase: string): Sealed {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, salt, COST), nonce);
  const bytes = Buffer.concat([cipher.update(content), cipher.final()]);
  const text = (part: Buffer): string => part.toString('base64');
  return {
    ...{ kind: 'keelson-keys', version: 1, cost: COST, salt: text(salt), nonce: text(nonce) },
    ...{ tag: text(cipher.getAuthTag()), content: text(bytes) },
  };
}

function open({ cost, salt, nonce, tag, content }: Sealed, passphrase: string): Buffer {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, keyOf(passphrase, bytes(salt), cost), bytes(nonce), { authTagLength: 16 });
  decipher.setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(content)), decipher.final()]);
}

function writePrivately(path: string, bytes: Buffer): void {
  const file = openPrivateFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
