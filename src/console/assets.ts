// The built files of the console's page.

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { lookup } from '../base/lookup.ts';

export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
}

const TYPES: Readonly<Record<string, string>> = lookup({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
});

/** Next to the program when built; a source checkout has them in its build directory. */
const PLACES = ['./console/', '../../dist/console/'];

/** By file name. @throws Error if the page was not built */
export function readAssets(): ReadonlyMap<string, Asset> {
  for (const place of PLACES) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    const names = filesOf(folder).filter((name) => TYPES[extname(name)] !== undefined);
    if (names.includes('index.html')) return new Map(names.map((name) => [name, readAsset(folder, name)]));
  }
  throw new Error("the console's page was not built: run 'npm run build'");
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readAsset(folder: string, name: string): Asset {
  const bytes = readFileSync(`${folder}${name}`);
  return { type: TYPES[extname(name)]!, bytes, gzipped: gzipSync(bytes) };
}
