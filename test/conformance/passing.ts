// The lists of scenarios that pass, one file an area, one name a line. What is listed must go on passing.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'passing');

/** The names of an area's scenarios that pass; none for an area without a list. */
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
