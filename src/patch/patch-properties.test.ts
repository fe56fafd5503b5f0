import { atOnce } from '../base/steps.ts';
// Property tests of patches: what must hold for any document and any patch, over documents made by a seeded generator.
// A failure repeats.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { list, string, struct } from '../schema/build.ts';
import { applyJsonPatch, parseJsonPatch } from './json-patch.ts';
import { applyingMergePatch } from './merge-patch.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

const applyMergePatch = (document: JsonObject, patch: JsonObject) => atOnce(applyingMergePatch(document, patch));

const ROUNDS = 400;
const NAMES = ['a', 'b', 'c', 'name', '0', 'x/y', '~', '__proto__', 'constructor'];

/** A generator of 32-bit xorshift numbers below a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed * 2654435769 + 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

type Below = (limit: number) => number;

const scalars: Json[] = [true, false, 0, -1, 1.5, 9007199254740993n, '', 'text', 'ü'];

function value(below: Below, depth: number): Json {
  const kind = depth === 0 ? 0 : below(3);
  if (kind === 1) return Array.from({ length: below(4) }, () => value(below, depth - 1));
  return kind === 2 ? object(below, depth) : scalars[below(scalars.length)]!;
}

function object(below: Below, depth: number): JsonObject {
  const members = Array.from(
    { length: below(5) },
    () => [NAMES[below(NAMES.length)]!, value(below, depth - 1)] as const,
  );
  return Object.fromEntries(members);
}

/** The merge patch that makes one document of another. */
function difference(from: JsonObject, to: JsonObject): JsonObject {
  const members: [string, Json][] = [];
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) members.push([name, null]);
  for (const name of Object.keys(to)) {
    const [old, next] = [Object.hasOwn(from, name) ? from[name] : undefined, to[name] as Json];
    members.push([name, isObject(old) && isObject(next) ? difference(old, next) : next]);
  }
  return Object.fromEntries(members);
}

interface Place {
  /** A JSON pointer. */
  readonly at: string;
  readonly list: boolean;
}

/** Every place in a document but the document itself, or every object and list with the document. */
function places(document: Json, { containers }: { readonly containers: boolean }): Place[] {
  const found: Place[] = [];
  const visit = (value: Json, at: string): void => {
    const contains = typeof value === 'object' && value !== null;
    if (containers ? contains : at !== '') found.push({ at, list: Array.isArray(value) });
    if (!contains) return;
    for (const [name, inner] of Object.entries(value)) {
      visit(inner as Json, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  visit(document, '');
  return found;
}

function forAll(check: (below: Below) => void): void {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    try {
      check(numbers(seed));
    } catch (error) {
      throw new Error(`fails for seed ${seed}`, { cause: error });
    }
  }
}

const json = (operations: unknown) => parseJsonPatch(operations);

describe('any merge patch', () => {
  it('any merge patch made of a difference gives the other document', () => {
    forAll((below) => {
      const [from, to] = [object(below, 4), object(below, 4)];
      assert.deepEqual(applyMergePatch(from, difference(from, to)), to);
    });
  });

  it('any merge patch applied twice has the same result as once', () => {
    forAll((below) => {
      const [document, patch] = [object(below, 4), object(below, 4)];
      const once = applyMergePatch(document, patch);
      assert.deepEqual(applyMergePatch(once, patch), once);
    });
  });
});

describe('any strategic merge patch', () => {
  it('any strategic merge patch is a merge patch without a type and directives', () => {
    forAll((below) => {
      const [document, target] = [object(below, 4), object(below, 4)];
      const patch = difference(document, target);
      assert.deepEqual(applyStrategicMergePatch(document, patch, undefined), applyMergePatch(document, patch));
    });
  });

  const Item = struct('test.Item', () => ({ name: string(1), value: string(2) }));
  const Keyed = struct('test.Keyed', () => ({ items: list(1, Item).mergedBy('name') }));
  const items = (below: Below) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].filter(() => below(2) === 0).sort(() => below(3) - 1);
    return names.map((name) => ({ name, value: `${below(3)}` }));
  };
  const names = (list: Json | undefined) => (list as JsonObject[]).map(({ name }) => name);

  it('any strategic merge patch keeps each item of a keyed list once, those of the patch in its order, the others in theirs', () => {
    forAll((below) => {
      const [live, patch] = [items(below), items(below)];
      const result = applyStrategicMergePatch({ items: live }, { items: patch }, Keyed)['items'] as JsonObject[];
      const patched = new Set(names(patch));
      assert.deepEqual(
        names(result).filter((name) => patched.has(name)),
        names(patch),
      );
      assert.deepEqual(
        names(result).filter((name) => !patched.has(name)),
        names(live).filter((name) => !patched.has(name)),
      );
      for (const item of patch)
        assert.deepEqual(
          result.find(({ name }) => name === item.name),
          item,
        );
    });
  });

  it('any strategic merge patch with deletions and $setElementOrder gives the other list', () => {
    forAll((below) => {
      const [live, target] = [items(below), items(below)];
      const kept = new Set(names(target));
      const deletions = live.filter(({ name }) => !kept.has(name)).map(({ name }) => ({ $patch: 'delete', name }));
      const patch = {
        items: [...target, ...deletions],
        '$setElementOrder/items': target.map(({ name }) => ({ name })),
      };
      assert.deepEqual(applyStrategicMergePatch({ items: live }, patch, Keyed), { items: target });
    });
  });
});

describe('any JSON patch', () => {
  it('any JSON patch that adds an absent value and removes it changes nothing', () => {
    forAll((below) => {
      const document = object(below, 4);
      const parents = places(document, { containers: true });
      const { at, list } = parents[below(parents.length)]!;
      const path = `${at}/${list ? '0' : 'new'}`;
      const added = value(below, 3);
      const patch = json([
        { op: 'add', path, value: added },
        { op: 'test', path, value: added },
        { op: 'remove', path },
      ]);
      assert.deepEqual(applyJsonPatch(document, patch), document);
    });
  });

  it('any JSON patch that moves a value there and back changes nothing', () => {
    forAll((below) => {
      const inner = { ...object(below, 4), always: 1 };
      const at = places(inner, { containers: false });
      const from = `/inner${at[below(at.length)]!.at}`;
      const patch = json([
        { op: 'move', from, path: '/spare/x' },
        { op: 'move', from: '/spare/x', path: from },
      ]);
      assert.deepEqual(applyJsonPatch({ inner, spare: {} }, patch), { inner, spare: {} });
    });
  });

  it('any JSON patch copies a value that equals the original and can replace it', () => {
    forAll((below) => {
      const inner = { ...object(below, 4), always: 1 };
      const at = places(inner, { containers: false });
      const from = `/inner${at[below(at.length)]!.at}`;
      const copied = applyJsonPatch({ inner }, json([{ op: 'copy', from, path: '/copy' }])) as JsonObject;
      const patch = json([
        { op: 'test', path: from, value: copied['copy'] },
        { op: 'remove', path: from },
        { op: 'move', from: '/copy', path: from },
      ]);
      assert.deepEqual(applyJsonPatch(copied, patch), { inner });
    });
  });

  it('any JSON patch leaves the original document and its own values unchanged', () => {
    let appliedPatches = 0;
    forAll((below) => {
      const document = object(below, 4);
      const parents = places(document, { containers: true });
      const place = () => {
        const { at, list } = parents[below(parents.length)]!;
        return `${at}/${list ? '0' : NAMES[below(5)]!}`;
      };
      const kinds = ['add', 'remove', 'replace', 'move', 'copy', 'copy'];
      const operations: JsonObject[] = [];
      const before = structuredClone(document);
      for (let i = 0; i < 8; i++) {
        const next = { op: kinds[below(kinds.length)]!, path: place(), from: place(), value: value(below, 2) };
        const written = structuredClone(next);
        try {
          applyJsonPatch(document, json([...operations, next]));
          operations.push(next);
          appliedPatches++;
        } catch {
          // It does not apply here; what counts is what it leaves behind.
        }
        assert.deepEqual(next, written);
      }
      assert.deepEqual(document, before);
    });
    assert.ok(appliedPatches > ROUNDS, 'too few patches applied to mean anything');
  });
});
