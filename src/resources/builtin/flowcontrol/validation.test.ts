import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../testing.ts';

const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';

test('only spec.exempt of the PriorityLevelConfiguration exempt may change', async () => {
  await using server = await startTestServer({ controllers: '' });
  const put = async (spec: object) => {
    const body = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'PriorityLevelConfiguration' };
    const answer = await server.request('PUT', `${LEVELS}/exempt`, { ...body, metadata: { name: 'exempt' }, spec });
    const { details, message } = answer.body as { details?: { causes: { message: string }[] }; message?: string };
    return (
      details?.causes.map((cause) => cause.message.replace(/^Invalid value: .*: /, '')) ?? message ?? answer.status
    );
  };
  assert.equal(await put({ type: 'Exempt', exempt: { nominalConcurrencyShares: 5, lendablePercent: 10 } }), 200);
  assert.deepEqual(await put({ type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }), [
    "must be 'Exempt' if and only if `name` is 'exempt'",
    "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value",
  ]);
});
