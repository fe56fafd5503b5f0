import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, Json, JsonObject } from '../../../../api/object.ts';
import type { StrategyContext } from '../../../definition.ts';
import { mergeLabelKeys } from './label-keys.ts';
import { validateAffinity, validateSpreadConstraints } from './validation-scheduling.ts';

const context = (enabled: boolean) => ({ gateEnabled: () => enabled }) as unknown as StrategyContext;

function pod(): ApiObject {
  const labelSelector = { matchLabels: { app: 'a' } };
  const term = { topologyKey: 'zone', labelSelector, matchLabelKeys: ['hash', 'none'], mismatchLabelKeys: ['tenant'] };
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['hash'] };
  // Each place has a selector of its own.
  const text = JSON.stringify({
    metadata: { name: 'p', labels: { hash: 'h', tenant: 't' } },
    spec: {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
      },
      topologySpreadConstraints: [{ ...constraint, labelSelector }, constraint],
    },
  });
  return JSON.parse(text) as ApiObject;
}

const SAME = { key: 'hash', operator: 'In', values: ['h'] };
const OTHER = { key: 'tenant', operator: 'NotIn', values: ['t'] };

test('matchLabelKeys and mismatchLabelKeys become requirements of their label selectors', () => {
  const created = pod();
  mergeLabelKeys(created, context(true));
  const { affinity, topologySpreadConstraints } = created.spec as unknown as Record<string, Json>;
  const text = JSON.stringify(affinity);
  assert.equal(text.split(JSON.stringify([SAME, OTHER])).length, 3);
  const [first, second] = topologySpreadConstraints as unknown as JsonObject[];
  assert.deepEqual((first!.labelSelector as JsonObject).matchExpressions, [SAME]);
  assert.equal(second!.labelSelector, undefined);
});

test('matchLabelKeys of topology spread constraints are not merged with the gate off', () => {
  const created = pod();
  mergeLabelKeys(created, context(false));
  const [first] = (created.spec as { topologySpreadConstraints: JsonObject[] }).topologySpreadConstraints;
  assert.deepEqual(first!.labelSelector, { matchLabels: { app: 'a' } });
});

test('a key of matchLabelKeys that the label selector has already is rejected', () => {
  const created = pod();
  mergeLabelKeys(created, context(true));
  const { affinity, topologySpreadConstraints } = created.spec as {
    affinity: JsonObject;
    topologySpreadConstraints: JsonObject[];
  };
  const [first] = topologySpreadConstraints;
  assert.deepEqual(validateAffinity(affinity, 'a'), []);
  assert.deepEqual(validateSpreadConstraints([first!], true, 't'), []);
  (first!.labelSelector as { matchExpressions: JsonObject[] }).matchExpressions.unshift({
    key: 'hash',
    operator: 'Exists',
  });
  const [fault] = validateSpreadConstraints([first!], true, 't');
  assert.deepEqual([fault?.field, fault?.detail], ['t[0][0]', 'exists in both matchLabelKeys and labelSelector']);
});
