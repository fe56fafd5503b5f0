// Harness of the strategic merge patch tests: applies patches to objects of one type, and tables of them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ApiError } from '../src/api/errors.ts';
import type { JsonObject } from '../src/api/object.ts';
import { applyStrategicMergePatch, parseStrategicMergePatch } from '../src/patch/strategic-merge.ts';
import type { StructNode } from '../src/schema/node.ts';

type Row = [what: string, document: JsonObject, patch: JsonObject, result: JsonObject];

export function strategicMergeOf(type: StructNode) {
  /** Checks that the arguments do not change. */
  function merged(document: JsonObject, patch: unknown): JsonObject {
    const before = structuredClone([document, patch]);
    const result = applyStrategicMergePatch(document, parseStrategicMergePatch(patch), type);
    assert.deepEqual([document, patch], before, 'an argument has changed');
    return result;
  }

  function refused(document: JsonObject, patch: unknown): ApiError {
    try {
      merged(document, patch);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    throw new Error('the patch was applied');
  }

  function table(rows: readonly Row[]): void {
    for (const [what, document, patch, result] of rows) {
      it(what, () => assert.deepEqual(merged(document, patch), result));
    }
  }

  return { merged, refused, table };
}

/** Three parts; the first has variables. */
export const a = {
  name: 'a',
  image: 'a:1',
  variables: [
    { name: 'X', value: '1' },
    { name: 'Y', value: '2' },
  ],
};
export const b = { name: 'b', image: 'b:1' };
export const c = { name: 'c', image: 'c:1' };
export const abc = { parts: [a, b, c] };
