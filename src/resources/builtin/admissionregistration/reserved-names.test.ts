import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../api/object.ts';
import { startTestServer } from '../../../testing.ts';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const RESERVED =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

function configuration(name: string, rules: readonly JsonObject[] = []): JsonObject {
  const webhook = {
    ...{ name: 'w.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...{ clientConfig: { url: 'https://localhost/' }, rules: [...rules] },
  };
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
    ...{ metadata: { name }, webhooks: [webhook] },
  };
}

async function createIn(kubernetesVersion: string, object: JsonObject) {
  await using server = await startTestServer({ controllers: '', kubernetesVersion });
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const response = await server.fetch(
    new Request(`https://localhost${WEBHOOKS}`, { method: 'POST', headers, body: JSON.stringify(object) }),
  );
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, message, warning: response.headers.get('warning') };
}

test('a webhook configuration with a reserved name causes a warning in 1.36 and is rejected from 1.37 on', async () => {
  const object = configuration('a.static.k8s.io');
  assert.equal((await createIn('1.35', object)).warning, null);
  const warned = await createIn('1.36', object);
  assert.equal(warned.status, 201);
  assert.equal(warned.warning, `299 - "metadata.name: ${RESERVED.replaceAll('"', '\\"')}"`);
  const { status, message } = await createIn('1.37', object);
  assert.equal(status, 422);
  assert.match(message ?? '', /metadata\.name: Invalid value: "a\.static\.k8s\.io": names ending with/);
});

test('a webhook rule that names token or access reviews causes a warning from 1.37 on', async () => {
  const rule = (resources: readonly string[]): JsonObject => ({
    ...{ apiGroups: ['authentication.k8s.io'], apiVersions: ['*'], operations: ['*'], resources: [...resources] },
  });
  const named = configuration('a', [rule(['*']), rule(['tokenreviews', 'tokenreviews', 'other'])]);
  assert.equal((await createIn('1.36', named)).warning, null);
  assert.equal(
    (await createIn('1.37', named)).warning,
    '299 - "webhooks[0].rules[1]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect"',
  );
});
