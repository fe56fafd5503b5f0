import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errors } from '../api/errors.ts';
import { applyErrorIn, patchErrorIn } from './patch-errors.ts';

const message = (error: unknown) => (error instanceof ApiError ? error.message : String(error));

test('the decoding error of an apply names YAML before 1.37 and the patch from then on', () => {
  const unknown = errors.badRequest('error strict decoding YAML: unknown field "spec.colour"');
  assert.equal(message(applyErrorIn(36, unknown)), 'error strict decoding YAML: unknown field "spec.colour"');
  assert.equal(message(applyErrorIn(37, unknown)), 'error strict decoding patch: unknown field "spec.colour"');
});

test('a patch that is not JSON is rejected from 1.37 on, even when the object does not exist', async () => {
  const missing = errors.notFound({ group: '', resource: 'configmaps', name: 'c' });
  assert.equal(await patchErrorIn(36, missing, { text: '{"data":' }), missing);
  assert.equal(message(await patchErrorIn(37, missing, { text: '{"data":' })), 'invalid JSON patch');
  assert.equal(await patchErrorIn(37, missing, { text: '{"data":{}}' }), missing);
});
