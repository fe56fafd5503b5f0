import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('a list by name is a request for that name, unless an option of it cannot be read', async () => {
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
  for (const options of ['&limit=x', '&timeoutSeconds=', '&labelSelector=a%20b']) {
    assert.match(await refusal(options), /^secrets is forbidden/, options);
  }
});
