import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startTestServer, type TestServer } from '../../testing.ts';
import { gzipMembers } from './gzip.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WATCH_LIST = `${CONFIG_MAPS}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`;

/** A watch of a second, and what a client receives in it. */
async function watchIn(server: TestServer, query: string) {
  const headers = { authorization: `Bearer ${server.token}`, 'accept-encoding': 'gzip' };
  const response = await server.fetch(new Request(`https://localhost${query}`, { headers }));
  await server.clock?.advance('2s');
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('a watch with sendInitialEvents is compressed from 1.37 on for clients that accept gzip', async () => {
  await using server = await startTestServer({ controllers: '', kubernetesVersion: '1.37' });
  await server.request('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  const { headers, bytes } = await watchIn(server, WATCH_LIST);
  assert.equal(headers.get('content-encoding'), 'gzip');
  assert.equal(headers.get('vary'), 'Accept-Encoding');
  const events = gunzipSync(bytes).toString().trim().split('\n');
  assert.deepEqual(
    events.map((line) => (JSON.parse(line) as { type: string }).type),
    ['ADDED', 'BOOKMARK'],
  );
});

test('the events of a compressed watch can be decompressed as soon as they arrive, also by Go', async () => {
  const sent: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  const writer = gzipMembers({
    write: (piece) => sent.push(piece) > 0,
    drained: () => Promise.resolve(),
    onDrain: () => {},
    end: () => ended.resolve(),
    destroy: () => {},
    ...{ bufferedBytes: 0, closed: false },
  });
  const texts = ['first '.repeat(100_000), 'second'];
  for (const text of texts) writer.write(Buffer.from(text));
  const resumed = new Promise<void>((resume) => writer.onDrain(resume));
  await resumed;
  assert.equal(writer.bufferedBytes, 0);
  writer.end();
  await ended.promise;
  assert.deepEqual(
    sent.map((member) => gunzipSync(member).toString()),
    texts,
  );
  // A flush, an empty last block and eight bytes: Go's reader gives out nothing of a block that is the last.
  for (const member of sent) assert.equal(member.subarray(-14, -8).toString('hex'), '0000ffff0300');
});

test('watches without sendInitialEvents, and those of older releases, are not compressed', async () => {
  await using server = await startTestServer({ controllers: '', kubernetesVersion: '1.37' });
  const plain = await watchIn(server, `${CONFIG_MAPS}?watch=true&timeoutSeconds=1`);
  assert.equal(plain.headers.get('content-encoding'), null);
  await using old = await startTestServer({ controllers: '', kubernetesVersion: '1.36' });
  assert.equal((await watchIn(old, WATCH_LIST)).headers.get('content-encoding'), null);
});
