import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer } from '../../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** A server with some objects, and an HTTP/2 session whose streams take as much as `windowBytes`. */
async function start(context: { after(work: () => void): void }, windowBytes: number) {
  const clock = new ManualClock(Date.now());
  const server = await startTestServer({ listen: true }, { clock });
  for (let index = 0; index < 3; index++) {
    await server.request('POST', MAPS, { metadata: { name: `m${index}` }, data: { x: 'x'.repeat(10_000) } });
  }
  const session = connectHttp2(server.url, { rejectUnauthorized: false, settings: { initialWindowSize: windowBytes } });
  session.on('error', () => {});
  context.after(() => {
    session.destroy();
    return server.close();
  });
  const watch = async (query: string) => {
    const stream = session.request({ ':path': `${MAPS}?watch=1&${query}`, authorization: `Bearer ${server.token}` });
    stream.on('error', () => {});
    await once(stream, 'response');
    return stream;
  };
  /** Reads in flight, the one that asks included. */
  const inFlight = async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const text = await (await server.fetch(new Request('https://x/metrics', { headers }))).text();
    return Number(/current_executing_requests\{flow_schema="exempt",priority_level="exempt"\} (\d+)/.exec(text)?.[1]);
  };
  return { clock, server, session, watch, inFlight };
}

test('a watch counts as in flight until its initial events have been sent', async (context) => {
  const { watch, inFlight } = await start(context, 15_000);
  const all = await watch('resourceVersion=0');
  assert.equal(await inFlight(), 2);
  all.resume();
  await until('the watch has begun', async () => (await inFlight()) === 1);
  const later = await watch('resourceVersion=0&fieldSelector=metadata.name%3Dnobody');
  await until('a watch without initial events has begun', async () => (await inFlight()) === 1);
  assert.deepEqual([all.closed, later.closed], [false, false]);
});

test('a watch whose client does not read the initial events within the request timeout ends', async (context) => {
  const { clock, watch, inFlight } = await start(context, 0);
  const unread = await watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true');
  assert.equal(await inFlight(), 2);
  clock.advance(60_000);
  await until('the watch is broken off', () => unread.closed);
  await until('its place is free', async () => (await inFlight()) === 1);
});

test('no bookmark is sent among the initial events', async (context) => {
  const { clock, server, session, watch } = await start(context, 0);
  const text = 'x'.repeat(900_000);
  for (const name of ['n0', 'n1', 'n2']) await server.request('POST', MAPS, { metadata: { name }, data: { text } });
  const slow = await watch('resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=10');
  clock.advance(8_000);
  session.settings({ initialWindowSize: 10_000_000 });
  let said = '';
  slow.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  await until('all initial events have come', () => said.split('\n').length > 6);
  const events = said.split('\n', 6).map((line) => JSON.parse(line) as { type: string });
  assert.deepEqual(
    events.map(({ type }) => type),
    Array.from({ length: 6 }, () => 'ADDED'),
  );
});

test('a bookmark is sent only with a new resourceVersion: after initial events, each minute and before the end', async (context) => {
  const { clock, server, watch } = await start(context, 1_000_000);
  const version = await newest();
  const state = bookmarks(await watch('resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=90'));
  const since = bookmarks(await watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=90`));
  await until('the initial events have come', () => state().length === 1);
  clock.advance(1_000);
  await server.request('POST', '/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'elsewhere' } });
  const written = await newest();
  clock.advance(60_000);
  await until('a minute later both know', () => since().length === 1 && state().length >= 2);
  clock.advance(27_000);
  await until('before the end both are told again', () => since().length === 2 && state().length >= 3);
  assert.ok([state().at(-2)!, state().at(-1)!, ...since()].every((told) => told >= written));
  const quiet = bookmarks(await watch(`resourceVersion=${await newest()}&allowWatchBookmarks=true&timeoutSeconds=90`));
  clock.advance(60_000);
  const later = bookmarks(await watch('resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=90'));
  await until('the initial events have come', () => later().length === 1);
  await server.request('DELETE', '/api/v1/namespaces/kube-system/configmaps/elsewhere');
  clock.advance(1_000);
  await until('a second later it is told', () => later().length >= 2);
  assert.ok(later()[1]! > later()[0]!);
  assert.deepEqual(quiet(), []);

  async function newest() {
    const { body } = await server.request('GET', `${MAPS}?limit=1`);
    return Number((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
  }
});

test('a bookmark has spec.replicas for the kinds of apps, and none for ReplicationControllers', async (context) => {
  const { session, server } = await start(context, 1_000_000);
  const specOf = async (collection: string) => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const stream = session.request({ ':path': `${collection}?${query}`, authorization: `Bearer ${server.token}` });
    stream.setEncoding('utf8');
    const [line] = (await once(stream, 'data')) as [string];
    stream.close();
    const { type, object } = JSON.parse(line) as { type: string; object: { spec: unknown } };
    assert.equal(type, 'BOOKMARK');
    return object.spec;
  };
  assert.deepEqual(await specOf('/apis/apps/v1/namespaces/default/replicasets'), {
    replicas: 0,
    selector: null,
    template: { metadata: {}, spec: { containers: null } },
  });
  assert.deepEqual(await specOf('/api/v1/namespaces/default/replicationcontrollers'), {});
});

/** The versions of the bookmarks that a watch has told so far. */
function bookmarks(stream: NodeJS.ReadableStream): () => number[] {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (part: string) => {
    text += part;
  });
  return () => {
    const events = text.split('\n').slice(0, -1);
    return events
      .map((line) => JSON.parse(line) as Told)
      .flatMap(({ type, object }) => (type === 'BOOKMARK' ? [Number(object.metadata.resourceVersion)] : []));
  };
}

interface Told {
  readonly type: string;
  readonly object: { readonly metadata: { readonly resourceVersion: string } };
}
