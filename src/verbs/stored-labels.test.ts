import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { systemClock } from '../server/system-clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer } from '../testing.ts';

const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** Labels as another server may have stored them, before or while this one runs. */
const STORED: Readonly<Record<string, unknown>> = {
  valid: { a: '5' },
  number: { a: 5 },
  mixed: { a: '5', b: true },
  empty: { a: null },
  list: ['a'],
  text: 'a',
};

test('label selectors see the labels of a stored custom resource as it is read, without invalid ones', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const put = (name: string, labels: unknown) => {
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'default', labels } };
    return store.put(`/registry/example.com/widgets/default/${name}`, Buffer.from(JSON.stringify(object)), 'absent');
  };
  for (const [name, labels] of Object.entries(STORED)) await put(`before-${name}`, labels);
  await using server = await startTestServer({ controllers: '' }, { store: Promise.resolve(store) });
  await server.request('POST', DEFINITIONS, definition);
  await until('widgets are served', async () => (await server.request('GET', WIDGETS)).status === 200);
  for (const [name, labels] of Object.entries(STORED)) await put(`during-${name}`, labels);
  const selected = async (selector: string, more = '') => {
    const { body } = await server.request('GET', `${WIDGETS}?labelSelector=${encodeURIComponent(selector)}${more}`);
    const { items } = body as { items: { metadata: { name: string; labels?: object } }[] };
    return items.map(({ metadata: { name } }) => name.slice(name.indexOf('-') + 1));
  };
  const both = <Item>(...items: Item[]) => [...items, ...items];
  for (const more of ['', '&limit=100']) {
    assert.deepEqual(await selected('a', more), both('empty', 'valid'));
    assert.deepEqual(await selected('a=5', more), both('valid'));
    assert.deepEqual(await selected('a=', more), both('empty'));
    assert.deepEqual(await selected('!a', more), both('list', 'mixed', 'number', 'text'));
    assert.deepEqual(await selected('b', more), []);
    assert.deepEqual(await selected('0', more), []);
  }
  const { body } = await server.request('GET', WIDGETS);
  const { items } = body as { items: { metadata: { labels?: object } }[] };
  assert.deepEqual(
    items.map(({ metadata: { labels } }) => labels),
    both({ a: '' }, undefined, undefined, undefined, undefined, { a: '5' }),
  );
});
