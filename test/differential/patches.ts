// Patches from one body to another, in all formats of the API, and unusual patches.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Body } from './bodies.ts';

function isMap(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the merge patch from one to the other. */
export function mergePatchOf(from: Body, to: Body): Body {
  const patch: Body = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const before = from[key];
    if (isMap(before) && isMap(value)) {
      const inner = mergePatchOf(before, value);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!isSame(before, value)) patch[key] = value;
  }
  return patch;
}

/** Returns operations from one to the other; sometimes unusual ones among them. */
export function jsonPatchOf(from: Body, to: Body, random: SeededRandom): unknown {
  const operations = operationsAt(from, to, '');
  if (random.chance(25)) operations.splice(random.below(operations.length + 1), 0, oddOperation(from, random));
  return operations;
}

function operationsAt(from: unknown, to: unknown, at: string): Body[] {
  if (isSame(from, to)) return [];
  if (!isMap(from) || !isMap(to)) return [{ op: 'replace', path: at, value: to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    const path = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(to, key)) return [{ op: 'remove', path }];
    if (!Object.hasOwn(from, key)) return [{ op: 'add', path, value: to[key] }];
    return operationsAt(from[key], to[key], path);
  });
}

function oddOperation(from: Body, random: SeededRandom): Body {
  const path = pointerInto(from, random);
  const value = random.pick<unknown>([null, 'x', 1, [], {}, 'web']);
  const op = random.pick(['test', 'move', 'copy', 'remove', 'add', 'replace', 'odd']);
  return { op, path, from: pointerInto(from, random), value };
}

function pointerInto(value: unknown, random: SeededRandom): string {
  if (typeof value !== 'object' || value === null || random.chance(15)) return '';
  const names = Object.keys(value);
  if (Array.isArray(value)) names.push('-', '-1', '99');
  if (names.length === 0 || random.chance(4)) return '/absent';
  const name = random.pick(names);
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return `/${escaped}${pointerInto((value as Body)[name], random)}`;
}

const directives: readonly [string, unknown][] = [
  ['$patch', 'replace'],
  ['$patch', 'delete'],
  ['$patch', 'merge'],
  ['$retainKeys', ['name', 'type']],
  ['$setElementOrder/containers', [{ name: 'web' }]],
  ['$setElementOrder/finalizers', ['x']],
  ['$deleteFromPrimitiveList/finalizers', ['x']],
];

/** Returns the patch with a strategic merge directive inserted somewhere. */
export function withDirective(patch: Body, random: SeededRandom): Body {
  const copy = structuredClone(patch);
  let at: unknown = copy;
  for (;;) {
    const children = Object.values(at as Body).filter((child) => typeof child === 'object' && child !== null);
    if (children.length === 0 || random.chance(30)) break;
    at = random.pick(children);
  }
  if (Array.isArray(at)) at.push({ $patch: random.pick(['delete', 'replace']), name: 'web' });
  else {
    const [name, content] = random.pick(directives);
    (at as Body)[name] = content;
  }
  return copy;
}
