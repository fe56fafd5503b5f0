import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { startTestServer } from '../testing.ts';

test('a list with a metadata.name selector is authorized by that name, unless an option is invalid', async () => {
  await using server = await startTestServer({ controllers: '' });
  const refusal = async (options: string) => {
    const headers = { authorization: `Bearer ${server.token}`, 'impersonate-user': 'nobody' };
    const url = `https://localhost/api/v1/secrets?fieldSelector=metadata.name%3Dweb${options}`;
    const answer = await server.fetch(new Request(url, { headers }));
    return ((await answer.json()) as { message: string }).message;
  };
  for (const options of ['', '&limit=1', '&labelSelector=a', '&resourceVersion=x']) {
    assert.match(await refusal(options), /^secrets "web" is forbidden/, options);
  }
  const long = `&labelSelector=${'a,'.repeat(limits.promptSelectorCharacters)}a`;
  for (const options of [long, '&limit=x', '&timeoutSeconds=', '&labelSelector=a%20b']) {
    assert.match(await refusal(options), /^secrets is forbidden/, options);
  }
});

test('long selectors are parsed after authorization, with the same results and errors', async () => {
  await using server = await startTestServer({ controllers: '' });
  await server.request('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'web', labels: { a: '1' } },
  });
  const list = (query: string) => server.request('GET', `/api/v1/namespaces/default/configmaps?${query}`);
  const requirements = Array.from({ length: 3_000 }, (_, index) => `k${index}!=v`).join(',');
  const values = Array.from({ length: 3_000 }, (_, index) => `v${index}`).join(',');
  const fields = 'metadata.name=web,'.repeat(1_000);
  for (const [query, count] of [
    [`labelSelector=${requirements},a`, 1],
    [`labelSelector=${requirements},b`, 0],
    [`labelSelector=a+in+(${values},1)`, 1],
    [`labelSelector=a+notin+(${values},1)`, 0],
    [`fieldSelector=${fields}`, 1],
    [`fieldSelector=${fields}metadata.name!=web`, 0],
  ] as const) {
    const { status, body } = await list(query);
    assert.equal(status, 200);
    assert.equal(((body as { items: unknown[] }).items ?? []).length, count, query.slice(-40));
  }
  for (const [query, message] of [
    [`labelSelector=${requirements},a b`, /unable to parse requirement: found 'b', expected: in, notin/],
    [`fieldSelector=${fields}x`, /can't understand 'x'/],
    // Options are judged before selectors.
    [`labelSelector=${requirements},a b&limit=x`, /strconv.ParseInt: parsing "x": invalid syntax/],
  ] as const) {
    const { status, body } = await list(query);
    assert.equal(status, 400);
    assert.match((body as { message: string }).message, message);
  }
});

test('an access review ignores a raw selector that is too long for authorization, and says so', async () => {
  await using server = await startTestServer({ controllers: '' });
  const evaluationError = async (rawSelector: string) => {
    const { body } = await server.request('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: { verb: 'list', resource: 'pods', labelSelector: { rawSelector } } },
    });
    const { status } = body as { status: { allowed: boolean; evaluationError?: string } };
    assert.equal(status.allowed, true);
    return status.evaluationError;
  };
  assert.equal(await evaluationError('a,b'), undefined);
  const why = 'spec.resourceAttributes.labelSelector ignored due to parse error';
  assert.equal(await evaluationError('a,'), why);
  assert.equal(await evaluationError(`${'a,'.repeat(limits.promptSelectorCharacters)}a`), why);
});
