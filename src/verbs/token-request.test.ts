import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('since 1.37 a token request that names a webhook is told that the gate for it is disabled', async () => {
  const refusal = async (kubernetesVersion: string, kind: string) => {
    await using server = await startTestServer({ controllers: '', kubernetesVersion });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { metadata: { name: 's' } });
    const boundObjectRef = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: 'w' };
    const { status, body } = await server.request('POST', `${accounts}/s/token`, { spec: { boundObjectRef } });
    assert.equal(status, 400);
    return (body as { message: string }).message;
  };
  const kind = 'MutatingWebhookConfiguration';
  const why = `cannot bind token to object of type admissionregistration.k8s.io/v1, Kind=${kind}`;
  assert.equal(await refusal('1.36', kind), why);
  assert.equal(await refusal('1.37', kind), `${why} (feature gate APIServerWebhookAuthenticationToken is disabled)`);
  assert.doesNotMatch(await refusal('1.37', 'ValidatingAdmissionPolicy'), /feature gate/);
});
