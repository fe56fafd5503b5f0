import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_MINOR } from '../../lifecycle/version.ts';
import { isRemovedKind, REMOVED_KINDS } from './removed-kinds.ts';
import { REMOVED_TYPES } from './removed-types.ts';
import { findBuiltinType } from './types.ts';

test('the list of removed kinds names the declared types of removed versions', () => {
  for (const [groupVersion, types] of Object.entries(REMOVED_TYPES)) {
    const kinds = Object.values(types)
      .filter(({ since = 0 }) => since <= CURRENT_MINOR)
      .flatMap((type) => type.kinds)
      .filter((kind) => kind.startsWith(`${groupVersion}/`))
      .map((kind) => kind.slice(groupVersion.length + 1));
    assert.deepEqual(
      [...new Set(kinds)].sort(),
      (REMOVED_KINDS[groupVersion] ?? '').split(' ').filter((kind) => kind !== ''),
    );
  }
});

test('a removed kind is known by its name and has no type that could be served', () => {
  assert.equal(isRemovedKind('policy/v1beta1', 'PodDisruptionBudget'), true);
  assert.equal(isRemovedKind('policy/v1beta1', 'Deployment'), false);
  assert.equal(isRemovedKind('policy/v9', 'PodDisruptionBudget'), false);
  assert.equal(findBuiltinType('policy', 'v1beta1', 'PodDisruptionBudget'), undefined);
});
