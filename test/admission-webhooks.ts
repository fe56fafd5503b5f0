// Configurations of admission webhooks for ConfigMaps, and matching ConfigMaps.

import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../src/api/object.ts';
import type { TestServer } from '../src/testing.ts';
import type { WebhookServer } from './webhook-server.ts';

export const GROUP = '/apis/admissionregistration.k8s.io/v1';
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

type Phase = 'mutating' | 'validating';

/** Creates a webhook configuration for ConfigMaps. */
export async function configure(
  server: TestServer,
  phase: Phase,
  webhooks: readonly { readonly at: WebhookServer; readonly path?: string; readonly [member: string]: unknown }[],
  name = 'c',
): Promise<void> {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: webhooks.map(({ at, path = '/', ...rest }, index) => ({
      name: `h${index}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: at.url + path, caBundle: at.caBundle },
      rules: [RULE],
      ...rest,
    })),
  };
  const { status, body } = await server.request('POST', `${GROUP}/${kind.toLowerCase()}s`, configuration);
  assert.equal(status, 201, JSON.stringify(body));
}

/** Without controllers, whose own ConfigMaps would be sent to the webhooks. */
export const QUIET = { controllers: '' };

/** Creates a ConfigMap. */
export async function create(server: TestServer, object: JsonObject, query = '') {
  const { status, body } = await server.request('POST', CONFIG_MAPS + query, object);
  return { status, body: body as ApiObject & { message: string; reason: string } };
}

/** Returns a ConfigMap. */
export const named = (name: string, data: JsonObject = {}): JsonObject => ({ metadata: { name }, data });
