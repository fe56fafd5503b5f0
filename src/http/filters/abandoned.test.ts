import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CONFIG_MAPS, configure, named, QUIET } from '../../../test/admission-webhooks.ts';
import { until } from '../../../test/until.ts';
import { respond, type SeenReview, startWebhook } from '../../../test/webhook-server.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer } from '../../testing.ts';

/** A server whose config maps a webhook allows when it is told to, and not before. */
async function start(context: TestContext, failurePolicy: string) {
  const gate = Promise.withResolvers<void>();
  const hook = await startWebhook(async (seen: SeenReview) => {
    await gate.promise;
    return respond(seen, { allowed: true });
  });
  const clock = new ManualClock(Date.now());
  const server = await startTestServer(QUIET, { clock });
  context.after(async () => {
    gate.resolve();
    await server.close();
    await hook[Symbol.asyncDispose]();
  });
  await configure(server, 'validating', [{ at: hook, failurePolicy }]);
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) =>
    server.fetch(new Request(`https://x${path}`, { ...init, headers }));
  const metric = async (name: string) => {
    const text = await (await ask('/metrics')).text();
    return text.split('\n').filter((line) => line.startsWith(name));
  };
  const asked = (count: number) => until('the webhook is asked', () => hook.seen.length === count);
  return { server, clock, ask, asked, metric };
}

const TERMINATED =
  'apiserver_request_terminations_total{code="504",component="apiserver",group="",resource="configmaps",scope="resource",' +
  'subresource="",verb="POST",version="v1"} 1';

for (const failurePolicy of ['Fail', 'Ignore']) {
  test(`a write whose time is over is not stored; the failurePolicy of its webhook is ${failurePolicy}`, async (context) => {
    const { clock, ask, asked, metric } = await start(context, failurePolicy);
    const answer = ask(`${CONFIG_MAPS}?timeout=2s`, { method: 'POST', body: JSON.stringify(named('late')) });
    await asked(1);
    clock.advance(2_000);
    const { status, headers } = await answer;
    assert.equal(status, 504);
    assert.equal(headers.get('x-kubernetes-pf-flowschema-uid'), null);
    assert.match(headers.get('audit-id') ?? '', /./);
    // The webhook has not answered yet, and need not: the work ends with the request.
    const ended = () => metric('apiserver_request_post_timeout_total');
    await until('the work has ended', async () => (await ended()).length === 2);
    assert.deepEqual(await ended(), [
      'apiserver_request_post_timeout_total{source="rest-handler",status="error"} 1',
      'apiserver_request_post_timeout_total{source="timeout-handler",status="ok"} 1',
    ]);
    assert.equal((await ask(`${CONFIG_MAPS}/late`)).status, 404);
    assert.deepEqual(await metric('apiserver_request_terminations_total'), [TERMINATED]);
  });
}

test('a write whose client has gone is not stored, and counts as one whose time was over', async (context) => {
  const { ask, asked, metric } = await start(context, 'Fail');
  const client = new AbortController();
  const answer = ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(named('gone')), signal: client.signal });
  answer.catch(() => {});
  await asked(1);
  client.abort();
  await until('it is counted', async () => (await metric('apiserver_request_terminations_total')).length > 0);
  assert.deepEqual(await metric('apiserver_request_terminations_total'), [TERMINATED]);
  const total = await metric('apiserver_request_total{code="504"');
  assert.equal(total.length, 1);
  assert.equal((await ask(`${CONFIG_MAPS}/gone`)).status, 404);
});
