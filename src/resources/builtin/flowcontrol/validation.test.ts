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

test('a repeated condition of a FlowSchema is reported before what it lacks', async () => {
  await using server = await startTestServer({ controllers: '' });
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/catch-all/status';
  const { body } = await server.patch(path, { status: { conditions: [{ type: '' }, { type: '' }] } });
  const { details } = body as { details: { causes: { field: string; message: string }[] } };
  assert.deepEqual(
    details.causes.map(({ field, message }) => `${field}: ${message}`),
    [
      'status.conditions[0].type: Required value',
      'status.conditions[1].type: Duplicate value: ""',
      'status.conditions[1].type: Required value',
    ],
  );
});
