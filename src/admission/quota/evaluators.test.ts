import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources } from '../../resources/builtin/resources.ts';
import { evaluatorOf } from './evaluators.ts';

test('a ResourceQuota counts no events, neither those of the core group nor those of events.k8s.io', () => {
  const events = builtinResources.filter(({ resource }) => resource === 'events');
  assert.deepEqual(events.map(({ group }) => group).toSorted(), ['', 'events.k8s.io']);
  assert.deepEqual(events.map(evaluatorOf), [undefined, undefined]);
});

test('a ResourceQuota counts leases as count/leases.coordination.k8s.io', () => {
  const leases = builtinResources.find(({ resource }) => resource === 'leases');
  assert.ok(leases !== undefined);
  assert.equal(evaluatorOf(leases)?.counts('count/leases.coordination.k8s.io'), true);
});
