// The manifests from which conversations start, besides recorded bodies: whole objects as users write them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../src/api/yaml-reader.ts';
import type { Body } from './bodies.ts';

const folder = join(import.meta.dirname, 'manifests');

export async function readManifests(): Promise<Body[]> {
  const texts = readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n---\n'));
  const parsed = await Promise.all(texts.map((text) => parseYaml(text)));
  return parsed.map(({ value }) => value as Body);
}
