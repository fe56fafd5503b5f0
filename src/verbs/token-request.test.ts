import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

const POLICY = 'ValidatingAdmissionPolicy';
const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/s/token';

test('since 1.37 a token request that names a webhook is told that the gate for it is disabled', async () => {
  const refusal = async (kubernetesVersion: string, kind: string) => {
    await using server = await startTestServer({ controllers: '', kubernetesVersion });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { metadata: { name: 's' } });
    const boundObjectRef = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: 'w' };
    const spec = {
      audiences: ['a'],
      boundObjectRef,
      ...(kubernetesVersion === '1.37' && kind !== POLICY ? { attestations: ATTESTED } : {}),
    };
    const { status, body } = await server.request('POST', ACCOUNT, { spec });
    assert.equal(status, 400);
    return (body as { message: string }).message;
  };
  const kind = 'MutatingWebhookConfiguration';
  const why = `cannot bind token to object of type admissionregistration.k8s.io/v1, Kind=${kind}`;
  assert.equal(await refusal('1.36', kind), why);
  assert.equal(await refusal('1.37', kind), `${why} (feature gate APIServerWebhookAuthenticationToken is disabled)`);
  assert.doesNotMatch(await refusal('1.37', POLICY), /feature gate/);
});

const REVIEWS = { operations: ['CREATE'], apiVersions: ['v1'], resources: ['deployments'] };

async function serverWithWebhooks(featureGates: Record<string, boolean>) {
  const server = await startTestServer({ controllers: '', kubernetesVersion: '1.37', featureGates });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 's' } });
  const webhook = (name: string, clientConfig: object) => ({
    ...{ name, clientConfig, rules: [{ ...REVIEWS, apiGroups: ['apps'] }] },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
  });
  const { body } = await server.request('POST', `${ADMISSION}/validatingwebhookconfigurations`, {
    metadata: { name: 'w' },
    webhooks: [
      webhook('url.example.org', { url: 'https://url.test' }),
      webhook('service.example.org', { service: { namespace: 'n', name: 's', port: 8443, path: '/v' } }),
    ],
  });
  await server.request('POST', `${RBAC}/clusterroles`, {
    metadata: { name: 'attests' },
    rules: [
      {
        ...{ apiGroups: ['authentication.k8s.io'], resources: ['admissionReviewAPIGroups'], verbs: ['attest'] },
        resourceNames: ['apps', 'batch'],
      },
    ],
  });
  await server.request('POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'attests' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attests' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 's' }],
  });
  return { server, uid: (body as { metadata: { uid: string } }).metadata.uid };
}

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REFERENCE = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'w' };
const ATTESTED = { admissionReviewAPIGroups: ['apps'] };

test('a token that is bound to a webhook attests the API group of its reviews, for ten minutes', async () => {
  const { server, uid } = await serverWithWebhooks({ APIServerWebhookAuthenticationToken: true });
  await using _ = server;
  for (const audience of ['https://url.test', 'https://s.n.svc:8443/v']) {
    const spec = { audiences: [audience], boundObjectRef: REFERENCE, attestations: ATTESTED };
    const { status, body } = await server.request('POST', ACCOUNT, { spec });
    assert.equal(status, 201, JSON.stringify(body));
    const answer = body as { spec: { expirationSeconds: number }; status: { token: string } };
    assert.equal(answer.spec.expirationSeconds, 600);
    const claims = JSON.parse(Buffer.from(answer.status.token.split('.')[1]!, 'base64url').toString());
    assert.deepEqual(Object.keys(claims['kubernetes.io']), [
      ...['attestations', 'namespace', 'serviceaccount', 'validatingwebhookconfiguration'],
    ]);
    assert.deepEqual(claims['kubernetes.io'].validatingwebhookconfiguration, { name: 'w', uid });
    const review = async () => {
      const asked = { spec: { token: answer.status.token, audiences: [audience] } };
      const { body: reviewed } = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', asked);
      return (reviewed as { status: { user: { extra: Record<string, unknown> }; error?: string } }).status;
    };
    const { 'authentication.kubernetes.io/credential-id': _id, ...extra } = (await review()).user.extra;
    assert.deepEqual(extra, {
      'attestation.authentication.kubernetes.io/admissionReviewAPIGroups': ['apps'],
      'authentication.kubernetes.io/validatingwebhookconfiguration-name': ['w'],
      'authentication.kubernetes.io/validatingwebhookconfiguration-uid': [uid],
    });
    if (audience === 'https://url.test') continue;
    await server.request('DELETE', `${ADMISSION}/validatingwebhookconfigurations/w`);
    assert.match((await review()).error ?? '', /service account token has been invalidated/);
  }
});

test('a token for a webhook is refused unless the webhook is called at its audience for a group that the account may attest', async () => {
  const { server } = await serverWithWebhooks({ APIServerWebhookAuthenticationToken: true });
  await using _ = server;
  const good = { audiences: ['https://url.test'], boundObjectRef: REFERENCE, attestations: ATTESTED };
  const denied = 'serviceaccounts/token "s" is forbidden: token request denied';
  const invalid = 'TokenRequest.authentication.k8s.io "" is invalid: spec.';
  for (const [change, message] of [
    [{ audiences: ['https://other.test'] }, denied],
    [{ audiences: ['https://s.n.svc:8443/v/'] }, denied],
    [{ boundObjectRef: { ...REFERENCE, name: 'x' } }, denied],
    [{ attestations: { admissionReviewAPIGroups: ['batch'] } }, denied],
    [
      { attestations: { admissionReviewAPIGroups: ['*'] } },
      'admissionReviewAPIGroups.authentication.k8s.io "*" is forbidden: User "system:serviceaccount:default:s" cannot attest resource "admissionReviewAPIGroups" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { boundObjectRef: { ...REFERENCE, uid: 'u' } },
      /^Operation cannot be fulfilled on ValidatingWebhookConfiguration\.admiss/,
    ],
    [
      { attestations: undefined },
      `${invalid}attestations: Invalid value: null: webhook bound requests require exactly one admissionReviewAPIGroups attestation`,
    ],
    [
      { attestations: {} },
      `${invalid}attestations: Invalid value: {}: webhook bound requests require exactly one admissionReviewAPIGroups attestation`,
    ],
    [
      { attestations: { admissionReviewAPIGroups: [] } },
      `${invalid}attestations[admissionReviewAPIGroups]: Invalid value: []: must specify a single value`,
    ],
    [
      { attestations: { other: ['a'] } },
      `${invalid}attestations[other]: Unsupported value: "other": supported values: "admissionReviewAPIGroups"`,
    ],
    [
      { attestations: { admissionReviewAPIGroups: [''] } },
      `${invalid}attestations[admissionReviewAPIGroups][0]: Invalid value: "": may not be an empty string`,
    ],
    [
      { audiences: ['https://url.test', 'b'], attestations: { admissionReviewAPIGroups: ['a', 'b'] } },
      `TokenRequest.authentication.k8s.io "" is invalid: [spec.audiences: Invalid value: ["https://url.test","b"]: must be length 1 when bound to a webhook config, spec.attestations[admissionReviewAPIGroups]: Invalid value: ["a","b"]: must specify a single value]`,
    ],
    [
      { boundObjectRef: undefined, expirationSeconds: 1 },
      `${invalid}attestations: Invalid value: {"admissionReviewAPIGroups":["apps"]}: attestations may only be specified with a webhook bound object reference`,
    ],
  ] as const) {
    const { body } = await server.request('POST', ACCOUNT, { spec: { ...good, ...change } });
    const told = (body as { message: string }).message;
    if (message instanceof RegExp) assert.match(told, message);
    else assert.equal(told, message);
  }
});
