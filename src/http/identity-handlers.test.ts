import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { startTestServer } from '../testing.ts';

test('a SelfSubjectReview is returned in the requested version', async () => {
  const runtimeConfig = { 'authentication.k8s.io/v1beta1': 'true' };
  await using server = await startTestServer({ controllers: '', emulatedVersion: ['1.32'], runtimeConfig });
  for (const version of ['v1', 'v1beta1']) {
    const path = `/apis/authentication.k8s.io/${version}/selfsubjectreviews`;
    const { status, body } = await server.request('POST', path, {});
    const { kind, apiVersion } = body as ApiObject;
    assert.deepEqual(
      { status, kind, apiVersion },
      {
        status: 201,
        kind: 'SelfSubjectReview',
        apiVersion: `authentication.k8s.io/${version}`,
      },
    );
  }
});
