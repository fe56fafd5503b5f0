// The corpus of each format: small inputs with names that say what they are, from recorded requests, and from what fuzzing
// has found.

import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
}

const root = join(import.meta.dirname, 'corpus');

/** The seeds of a format in the order of their names. */
export function seedsOf(format: string): Seed[] {
  const folder = join(root, format);
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Keeps an input in the corpus. @returns its path from the checkout */
export function keep(format: string, input: Buffer): string {
  const name = `found-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  mkdirSync(join(root, format), { recursive: true });
  writeFileSync(join(root, format, name), input);
  return join('test/fuzz/corpus', format, name);
}
