import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configure, create, GROUP, named, QUIET } from '../../../test/admission-webhooks.ts';
import { respond, startWebhook, type WebhookAnswer } from '../../../test/webhook-server.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { startTestServer } from '../../testing.ts';

test('a failed call of a webhook forbids or admits the request according to its failurePolicy', async () => {
  const cases: readonly [answer: (uid: unknown) => WebhookAnswer, why: string][] = [
    [
      () => ({ status: 500, text: 'oh' }),
      'failed to call webhook: an error on the server ("oh") has prevented the request from succeeding',
    ],
    [
      () => ({ status: 307, text: '' }),
      'failed to call webhook: the server responded with the status code 307 but did not return more information',
    ],
    [
      () => ({ status: 200, text: '{' }),
      "failed to call webhook: couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      () => ({ status: 500, text: 'oh', headers: { 'content-type': 'application/json' } }),
      'failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      () => ({ status: 200, text: '', headers: { 'content-type': 'text/html' } }),
      'failed to call webhook: 0-length response with status code: 200 and content type: text/html',
    ],
    [
      () => ({ status: 200, text: '<p>' }),
      "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value " +
        'of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      () => ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1' }),
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [() => ({}), 'received invalid webhook response: webhook response was absent'],
    [
      (uid) => reviewed({ uid, allowed: 'yes' }),
      'failed to call webhook: json: cannot unmarshal string into Go struct field ' +
        'AdmissionResponse.response.allowed of type bool',
    ],
    [
      (uid) => reviewed({ uid, allowed: true, warnings: [1] }),
      'failed to call webhook: json: cannot unmarshal number into Go struct field ' +
        'AdmissionResponse.response.warnings of type string',
    ],
    [
      (uid) => reviewed({ uid, allowed: false, status: { details: { causes: ['x'] } } }),
      'failed to call webhook: json: cannot unmarshal string into Go struct field ' +
        'StatusDetails.response.status.details.causes of type v1.StatusCause',
    ],
    [
      (uid) => reviewed({ uid, allowed: false, status: { code: 403.5 } }),
      'failed to call webhook: json: cannot unmarshal number 403.5 into Go struct field ' +
        'Status.response.status.code of type int32',
    ],
    [
      (uid) => reviewed({ uid, allowed: true, patch: 'ab c' }),
      'failed to call webhook: illegal base64 data at input byte 2',
    ],
    [
      (uid) => ({ ...reviewed({ uid, allowed: true }), request: { uid: 1 } }),
      'failed to call webhook: json: cannot unmarshal number into Go struct field ' +
        'AdmissionRequest.request.uid of type types.UID',
    ],
    [() => ({ status: 200, text: 'null' }), 'received invalid webhook response: webhook response was absent'],
    [
      () => ({ kind: 1, apiVersion: 'v1' }) as JsonObject,
      "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go " +
        'struct field .kind of type string',
    ],
    [
      () => ({ kind: 'Status', apiVersion: 'v1' }) as JsonObject,
      'failed to call webhook: converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      () => reviewed([]),
      'failed to call webhook: json: cannot unmarshal array into Go struct field ' +
        'AdmissionReview.response of type v1.AdmissionResponse',
    ],
    [
      (uid) => ({ kind: 'Pod', apiVersion: 'v1', response: { uid, allowed: true } }) as JsonObject,
      'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
  ];
  for (const [answer, why] of cases) {
    await using server = await startTestServer(QUIET);
    await using webhook = await startWebhook(({ review }) => answer(review.request['uid']));
    await configure(server, 'validating', [{ at: webhook }]);
    const { status, body } = await create(server, named('a'));
    assert.equal(status, 500);
    assert.equal(body.message, `Internal error occurred: failed calling webhook "h0.example.com": ${why}`);
    const path = `${GROUP}/validatingwebhookconfigurations/c`;
    const ignore = [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }];
    assert.equal((await server.patch(path, ignore, 'application/json-patch+json')).status, 200);
    assert.equal((await create(server, named('a'))).status, 201);
  }
});

const reviewed = (response: unknown) =>
  ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response }) as JsonObject;

test('a denial by a webhook contains the details of its Status, without unknown fields', async () => {
  await using server = await startTestServer(QUIET);
  const details = { retryAfterSeconds: 3, causes: [{ field: 'f', x: 1 }], foo: 'x', name: 'n' };
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: false, status: { details } }));
  await configure(server, 'validating', [{ at: webhook }]);
  const { body } = await create(server, named('a'));
  assert.equal(JSON.stringify(body['details']), '{"name":"n","causes":[{"field":"f"}],"retryAfterSeconds":3}');
});

test('a patch of a webhook may be a list of bytes, and one that cannot be applied is an error with its reason', async () => {
  for (const [operation, expected] of [
    [{ op: 'zap', path: '/a' }, 'Internal error occurred: Unexpected kind: zap'],
    [{ op: 'add', value: 1 }, 'Internal error occurred: add operation failed to decode path: missing value'],
    [{ op: 'replace', path: '/kind', value: 'Pod' }, 'converting (v1.Pod) to (core.ConfigMap): unknown conversion'],
    [
      { op: 'replace', path: '/kind', value: 'Nobody' },
      'Internal error occurred: no kind "Nobody" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
  ] as const) {
    await using server = await startTestServer(QUIET);
    const patch = [...Buffer.from(JSON.stringify([operation]))];
    await using webhook = await startWebhook((seen) => respond(seen, { allowed: true, patch, patchType: 'JSONPatch' }));
    await configure(server, 'mutating', [{ at: webhook }]);
    const { status, body } = await create(server, named('a'));
    assert.deepEqual([status, body.message], [500, expected]);
  }
});

test('a patch of a webhook that is larger than a request body is an error', async () => {
  await using server = await startTestServer(QUIET);
  const patch = JSON.stringify([{ op: 'add', path: '/data', value: { a: 'x'.repeat(limits.requestBodyBytes) } }]);
  await using webhook = await startWebhook((seen) =>
    respond(seen, { allowed: true, patch: Buffer.from(patch).toString('base64'), patchType: 'JSONPatch' }),
  );
  await configure(server, 'mutating', [{ at: webhook }]);
  const { status, body } = await create(server, named('a'));
  assert.equal(status, 500);
  assert.match(String(body.message), /the patch in the webhook response has more than 3145728 bytes$/);
});
