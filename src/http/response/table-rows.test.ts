import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const START = Date.UTC(2026, 0, 1);

const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'web', image: 'größe:1' }] } });

async function send(server: TestServer, path: string, init: RequestInit = {}): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${server.token}`, accept: TABLE, ...(init.headers as object) };
  const response = await server.fetch(new Request(`http://server${path}`, { ...init, headers }));
  assert.equal(response.status, 200);
  return (await response.json()) as JsonObject;
}

interface Row {
  readonly cells: unknown[];
  readonly conditions?: unknown;
  readonly object: (JsonObject & { spec: JsonObject; metadata: JsonObject }) | null;
}

/** The only row. */
async function rowOf(server: TestServer, query = ''): Promise<Row> {
  const rows = (await send(server, PODS + query))['rows'] as unknown as Row[];
  assert.equal(rows.length, 1);
  return rows[0] as Row;
}

async function setPhase(server: TestServer, phase: string): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/merge-patch+json' };
  await send(server, `${PODS}/a/status`, { method: 'PATCH', headers, body: JSON.stringify({ status: { phase } }) });
}

test('a cached table row shows the current age, and is renewed by a write', async () => {
  const clock = new ManualClock(START);
  await using server = await startTestServer({}, { clock });
  await server.request('POST', PODS, pod('a'));
  assert.equal((await rowOf(server)).cells[4], '0s');
  clock.advance(90_000);
  const { cells } = await rowOf(server);
  assert.deepEqual([cells[2], cells[4]], ['Pending', '90s']);
  await setPhase(server, 'Running');
  assert.equal((await rowOf(server)).cells[2], 'Running');
});

test('table rows assembled from cached text equal those built as values', async () => {
  await using server = await startTestServer({}, { clock: new ManualClock(START) });
  await server.request('POST', PODS, pod('a'));
  await server.request('POST', PODS, { ...pod('b'), metadata: { name: 'b', labels: { app: 'größe' } } });
  for (const include of ['None', 'Metadata', 'Object']) {
    const fromText = await send(server, `${PODS}?includeObject=${include}`);
    // Pretty-printed JSON is encoded from values.
    assert.deepEqual(fromText, await send(server, `${PODS}?includeObject=${include}&pretty=true`));
  }
});

test('table rows hold the object as includeObject requests', async () => {
  await using server = await startTestServer({}, { clock: new ManualClock(START) });
  await server.request('POST', PODS, pod('a'));
  for (let again = 0; again < 2; again++) {
    assert.equal((await rowOf(server, '?includeObject=None')).object, null);
    assert.equal((await rowOf(server, '?includeObject=Object')).object?.spec['restartPolicy'], 'Always');
    const { object } = await rowOf(server);
    assert.deepEqual(Object.keys(object ?? {}), ['kind', 'apiVersion', 'metadata']);
    assert.deepEqual([object?.['kind'], object?.metadata['name']], ['PartialObjectMetadata', 'a']);
  }
});

test('the row of a finished pod has the condition Completed', async () => {
  await using server = await startTestServer({}, { clock: new ManualClock(START) });
  await server.request('POST', PODS, pod('a'));
  await setPhase(server, 'Succeeded');
  const expected = [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ];
  const row = await rowOf(server);
  assert.deepEqual([row.conditions, Object.keys(row)], [expected, ['cells', 'conditions', 'object']]);
  const table = await send(server, `${PODS}/a`);
  assert.deepEqual((table['rows'] as JsonObject[])[0]?.['conditions'], expected);
});

test('flow schemas are sorted by precedence in Tables, and by name in other lists', async () => {
  await using server = await startTestServer();
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const schema = (name: string, matchingPrecedence: number) => ({
    metadata: { name },
    spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'global-default' } },
  });
  for (const [name, precedence] of [
    ['b', 7],
    ['a', 7],
    ['c', 3],
  ] as const) {
    assert.equal((await server.request('POST', path, schema(name, precedence))).status, 201);
  }
  const table = (await send(server, path)) as unknown as { rows: Row[] };
  const order = table.rows.map(({ cells }) => String(cells[0]));
  assert.deepEqual(
    order.filter((name) => name.length === 1),
    ['c', 'a', 'b'],
  );
  assert.deepEqual([order[0], order.at(-1)], ['exempt', 'catch-all']);
  const { items } = (await send(server, path, { headers: { accept: 'application/json' } })) as unknown as {
    items: { metadata: { name: string } }[];
  };
  assert.deepEqual(
    items.slice(0, 3).map(({ metadata }) => metadata.name),
    ['a', 'b', 'c'],
  );
});
