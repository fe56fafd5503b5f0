// Bodies as text with duplicate fields, and partial bodies.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Body } from './bodies.ts';

const member = /"\w+":(?:"[^"\\]*"|\d+|true|false)/g;

/** Returns the body as JSON with up to two duplicate fields, with the same or another value. */
export function withDuplicates(body: Body, random: SeededRandom): string {
  let text = JSON.stringify(body);
  for (let left = random.pick([0, 1, 1, 2]); left > 0; left--) {
    const found = [...text.matchAll(member)];
    if (found.length === 0) break;
    const { 0: one, index } = random.pick(found);
    const [name = '', value = ''] = [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)];
    const other = random.chance(50) ? one : `${name}:${otherOf(value)}`;
    text = `${text.slice(0, index)}${other},${text.slice(index)}`;
  }
  return text;
}

/** Another value of the same type. */
function otherOf(value: string): string {
  if (value === 'true' || value === 'false') return value === 'true' ? 'false' : 'true';
  return value.startsWith('"') ? '"x"' : '1';
}

/** Returns a body without some of its fields below metadata and spec; identifying fields stay. */
export function partOf(body: Body, random: SeededRandom): Body {
  const part: Body = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'apiVersion' || name === 'kind') part[name] = value;
    else if (name === 'metadata')
      part[name] = { ...thinned((value ?? {}) as Body, random), name: (value as Body | null)?.['name'] };
    else if (!random.chance(15)) part[name] = thinned(value, random);
  }
  return part;
}

function thinned<T>(value: T, random: SeededRandom): T {
  if (Array.isArray(value)) return value.filter(() => !random.chance(15)).map((item) => thinned(item, random)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name === 'name' || name === 'type' || !random.chance(20))
      .map(([name, item]) => [name, thinned(item, random)]),
  ) as T;
}
