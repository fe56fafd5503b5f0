// The lists of passing scenarios, one file per area, one name per line. Listed scenarios must keep passing.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'passing');

/** Returns the names of an area's passing scenarios; none for an area without a list. */
export function readPassing(area: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(join(folder, `${area}.txt`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
  return new Set(text.split('\n').filter((line) => line !== ''));
}

export function writePassing(area: string, ids: Iterable<string>): void {
  const lines = [...ids].sort().map((id) => `${id}\n`);
  writeFileSync(join(folder, `${area}.txt`), lines.join(''));
}
