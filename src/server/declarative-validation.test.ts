// Declarative validation in the real pipeline: what clients are told with each setting of its gates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519Key } from '../../test/signing-key.ts';
import { organizationOf, pemOf, signedRequestOf } from '../../test/signing-request.ts';
import { silentLog } from '../base/log.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const CONTROLLERS = '/api/v1/namespaces/default/replicationcontrollers';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const NEGATIVE = { replicas: -1, minReadySeconds: -2 };
const MISMATCHES = 'apiserver_validation_declarative_validation_mismatch_total';

function controller(spec: object) {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  return { metadata: { name: 'a' }, spec: { selector: { a: 'b' }, template, ...spec } };
}

async function started(featureGates: Record<string, boolean>, errors: string[] = []): Promise<TestServer> {
  const log = { ...silentLog, error: (message: string) => errors.push(message) };
  return startTestServer({ featureGates }, { log });
}

const fieldsOf = ({ body }: { body: unknown }): string[] =>
  ((body as Body)['details']?.causes ?? []).map(({ field }: Body) => field);

async function mismatchCount(server: TestServer): Promise<number> {
  const { body } = await server.request('GET', '/metrics');
  return Number(new RegExp(`^${MISMATCHES} (\\d+)$`, 'm').exec(String(body))?.[1]);
}

test('declarative and handwritten validation find the same errors, and the gates decide whose are returned', async () => {
  for (const [gates, fields] of [
    [{}, ['spec.minReadySeconds', 'spec.replicas']],
    [{ DeclarativeValidationTakeover: true }, ['spec.replicas', 'spec.minReadySeconds']],
    [{ DeclarativeValidation: false, DeclarativeValidationTakeover: true }, ['spec.minReadySeconds', 'spec.replicas']],
  ] as const) {
    const logged: string[] = [];
    await using server = await started(gates, logged);
    const refused = await server.request('POST', CONTROLLERS, controller(NEGATIVE));
    assert.equal(refused.status, 422);
    assert.deepEqual(fieldsOf(refused), fields, JSON.stringify(gates));
    assert.match((refused.body as Body)['message'], /Invalid value: -1: must be greater than or equal to 0/);
    await server.request('POST', CONTROLLERS, controller({}));
    assert.deepEqual(new Set(fieldsOf(await server.patch(`${CONTROLLERS}/a`, { spec: NEGATIVE }))), new Set(fields));
    const scaled = await server.patch(`${CONTROLLERS}/a/scale`, { spec: { replicas: -1 } });
    assert.deepEqual(fieldsOf(scaled), ['spec.replicas']);
    assert.equal(await mismatchCount(server), 0);
    assert.deepEqual(logged, []);
  }
});

test('Approved and Denied exclude each other, in the words of declarative or handwritten validation', async () => {
  const request = btoa(pemOf(signedRequestOf([organizationOf(0x0c, 'o')], ed25519Key())));
  for (const takesOver of [false, true]) {
    const logged: string[] = [];
    await using server = await started({ DeclarativeValidationTakeover: takesOver }, logged);
    const made = await server.request('POST', REQUESTS, {
      metadata: { name: 'a' },
      spec: { request, signerName: 'example.com/a', usages: ['client auth'] },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const verdict = (type: string) => ({ type, status: 'True', reason: 'R', message: 'M' });
    const conditions = [verdict('Approved'), verdict('Denied')];
    const both = { ...(made.body as Body), status: { conditions } };
    const { status, body } = await server.request('PUT', `${REQUESTS}/a/approval`, both);
    assert.equal(status, 422);
    const [{ message, field }] = (body as Body)['details'].causes;
    assert.equal(field, 'status.conditions');
    assert.equal(
      message,
      takesOver
        ? 'Invalid value: "{Conditions[{\\"type\\": \\"Approved\\"}], Conditions[{\\"type\\": \\"Denied\\"}]}": must specify at most one of: `Conditions[{"type": "Approved"}]`, `Conditions[{"type": "Denied"}]`'
        : 'Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    );
    assert.equal(await mismatchCount(server), 0);
    assert.deepEqual(logged, []);
  }
});
