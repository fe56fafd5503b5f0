import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { signingRequestStrategy } from './strategy.ts';

const context: StrategyContext = {
  nowMs: Date.UTC(2026, 0, 2),
  gateEnabled: () => false,
  user: { name: 'admin', uid: '', groups: [], extra: {} },
};
const NOW = '2026-01-02T00:00:00Z';
const BEFORE = '2026-01-01T00:00:00Z';

const stored = (status: JsonObject): ApiObject => ({ metadata: { name: 'c' }, spec: { signerName: 'a/b' }, status });

test('an update of approval changes only the conditions of a CertificateSigningRequest and their times', () => {
  const previous = stored({ certificate: 'x' });
  const next = stored({ certificate: 'y', conditions: [{ type: 'Approved', status: 'True' }] });
  next['spec'] = { signerName: 'c/d' };
  signingRequestStrategy.subresources?.['approval']?.prepareForUpdate?.(next, previous, context);
  assert.deepEqual(next['spec'], previous['spec']);
  const condition = { type: 'Approved', status: 'True', lastUpdateTime: NOW, lastTransitionTime: NOW };
  assert.deepEqual(next['status'], { certificate: 'x', conditions: [condition] });
});

test('an update of status keeps the approval, and unchanged conditions keep their times', () => {
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'Fine',
    lastUpdateTime: BEFORE,
    lastTransitionTime: BEFORE,
  };
  const failed = { type: 'Failed', status: 'True', lastUpdateTime: BEFORE, lastTransitionTime: BEFORE };
  const previous = stored({ conditions: [approved, failed] });
  const said = [
    { type: 'Approved', status: 'True', reason: 'Other' },
    { type: 'Failed', status: 'True' },
  ];
  const next = stored({ conditions: said });
  signingRequestStrategy.subresources?.['status']?.prepareForUpdate?.(next, previous, context);
  assert.deepEqual(next['status'], { conditions: [approved, { ...failed, lastUpdateTime: NOW }] });
});
