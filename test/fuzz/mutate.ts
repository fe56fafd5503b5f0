// Mutation of valid input: JSON values, the bytes of a body, the segments of a path. It uses a seeded generator, so
// that findings are reproducible.

import { Buffer } from 'node:buffer';
import type { SeededRandom } from '../../src/base/seeded-random.ts';

type Members = Record<string, unknown>;

const oddNumbers = [0, -1, 1.5, 1e308, -0, 2 ** 31, 2 ** 53, 2 ** 63];
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '😀',
  '../..',
  '%',
  '__proto__',
  'x'.repeat(300),
  '1',
  'true',
  '-',
  '{}',
  '\n',
];
const oddKeys = [
  '',
  '__proto__',
  'constructor',
  'metadata',
  'name',
  'kind',
  'a.b',
  'x/y',
  '$patch',
  '$retainKeys',
  '0',
];

/** Returns a value that is unexpected in its place. */
export function oddValue(random: SeededRandom): unknown {
  const kind = random.below(8);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(50);
  if (kind === 2) return random.pick(oddNumbers);
  if (kind === 3) return [];
  if (kind === 4) return {};
  if (kind === 5) return Array.from({ length: random.below(4) }, () => oddValue(random));
  if (kind === 6) return { [random.pick(oddKeys)]: oddValue(random) };
  return random.pick(oddTexts);
}

/** Returns a copy with a few nodes changed, removed, duplicated or swapped. */
export function mutateValue(value: unknown, random: SeededRandom): unknown {
  const copy = structuredClone(value);
  for (let times = random.below(4); times > 0; times--) mutatePlace(copy, random);
  return copy;
}

function mutatePlace(value: unknown, random: SeededRandom): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Members;
  const keys = Object.keys(holder);
  const key = keys.length > 0 ? random.pick(keys) : '';
  const child = holder[key];
  if (typeof child === 'object' && child !== null && random.chance(75)) {
    mutatePlace(child, random);
    return;
  }
  const kind = random.below(4);
  if (kind === 0 && !Array.isArray(value)) delete holder[key];
  else if (kind === 1 && Array.isArray(value)) value.push(structuredClone(child));
  else if (kind === 2 && !Array.isArray(value)) setOwn(holder, random.pick(oddKeys), oddValue(random));
  else setOwn(holder, key, oddValue(random));
}

/** `__proto__` becomes an ordinary property. */
function setOwn(holder: Members, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Changes, truncates, duplicates or inserts bytes; sometimes returns only noise. */
export function mutateBytes(bytes: Buffer, random: SeededRandom): Buffer {
  const kind = random.below(6);
  const at = random.below(bytes.length + 1);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), noise(random, 1 + random.below(8)), bytes.subarray(at)]);
  if (kind === 2) return Buffer.concat([bytes, bytes.subarray(at)]);
  if (kind === 3) return noise(random, random.below(200));
  if (kind === 4) return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  const copy = Buffer.from(bytes);
  for (let times = random.below(5); times >= 0 && copy.length > 0; times--)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
}

export function noise(random: SeededRandom, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

const oddSegments = [
  '',
  '.',
  '..',
  '%00',
  '%2e%2e',
  '%2F',
  '%ff',
  '%',
  '%zz',
  '*',
  ':',
  'watch',
  'namespaces',
  'default',
  'status',
  'scale',
  'log',
  'exec',
  'proxy',
  'finalize',
  'binding',
  'eviction',
  'token',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(2000),
  '%F0%9F%98%80',
  'pods',
  'v1',
  'apis',
];

/** Returns a path with segments changed, added and removed. It starts with a slash. */
export function mutatePath(path: string, random: SeededRandom): string {
  const segments = path.split('/').slice(1);
  for (let times = random.below(3); times >= 0; times--) {
    const at = random.below(segments.length + 1);
    segments.splice(at, random.below(2), ...(random.chance(70) ? [random.pick(oddSegments)] : []));
  }
  return `/${segments.join('/')}`;
}
