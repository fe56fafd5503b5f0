// Reads and writes while a shared store responds and its events are late, as when an etcd watch lags behind.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import {
  type StoreEvent,
  StoreLagError,
  StoreTimeoutError,
  type StoreWatch,
  type WatchOptions,
} from '../store/store.ts';
import { startTestServer } from '../testing.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
  readonly data: { readonly text: string };
}

type ConfigMaps = Pick<ConfigMap, 'metadata'> & { readonly items: readonly ConfigMap[] };

/** Another server's writes reach its watches only when they are told to. */
class LaggingStore extends MemoryStore {
  trouble: 'late events' | 'no answer' | undefined;
  #reached = 0;

  readonly catchUp = async (): Promise<void> => {
    if (this.trouble === 'late events') throw new StoreLagError('late');
    if (this.trouble === 'no answer') throw new StoreTimeoutError('no answer');
  };

  lag(): void {
    this.#reached = super.currentRevision();
    this.trouble = 'late events';
  }

  override currentRevision(): number {
    return this.trouble === undefined ? super.currentRevision() : this.#reached;
  }

  override watch(options: WatchOptions): Promise<StoreWatch> {
    const onEvent = (event: StoreEvent) => this.trouble === undefined && options.onEvent(event);
    return super.watch({ ...options, onEvent });
  }
}

const maps = '/api/v1/namespaces/default/configmaps';

async function lagging() {
  const store = new LaggingStore({ clock: new ManualClock() });
  const server = await startTestServer({ controllers: '' }, { store: Promise.resolve(store) });
  for (const name of ['changed', 'deleted', 'same']) {
    await server.request('POST', maps, { metadata: { name }, data: { text: 'old' } });
  }
  const { entries } = await store.list('');
  const keyOf = (name: string) => entries.find(({ key }) => key.endsWith(`/default/${name}`))!.key;
  const value = (await store.get(keyOf('changed')))!.value;
  const text = value.toString('utf8').replace('"old"', '"new"');
  store.lag();
  await store.put(keyOf('changed'), Buffer.from(text), 'any');
  await store.put(
    keyOf('changed').replace('changed', 'added'),
    Buffer.from(text.replace('"changed"', '"added"')),
    'any',
  );
  await store.delete(keyOf('deleted'), 'any');
  return { store, server };
}

describe('reads while the events of a shared store are late', () => {
  test('a get without a resource version is read from the store', async () => {
    const { server } = await lagging();
    await using _ = server;
    assert.equal(((await server.request('GET', `${maps}/changed`)).body as ConfigMap).data.text, 'new');
    assert.equal(((await server.request('GET', `${maps}/added`)).body as ConfigMap).metadata.name, 'added');
    assert.equal((await server.request('GET', `${maps}/deleted`)).status, 404);
    assert.equal(
      ((await server.request('GET', `${maps}/changed?resourceVersion=0`)).body as ConfigMap).data.text,
      'old',
    );
  });

  test('a consistent list is read from the store, and counted as a fallback in metrics', async () => {
    const { server, store } = await lagging();
    await using _ = server;
    const newest = await MemoryStore.prototype.currentRevision.call(store);
    for (const path of [maps, '/api/v1/configmaps', `${maps}?labelSelector=a!=b`, `${maps}?limit=5`]) {
      const { status, body } = await server.request('GET', path);
      assert.equal(status, 200);
      const { items, metadata } = body as ConfigMaps;
      const own = items
        .filter(({ metadata: { namespace, name } }) => namespace === 'default' && name !== 'kube-root-ca.crt')
        .map((item) => [item.metadata.name, item.data.text]);
      assert.deepEqual(
        own,
        [
          ['added', 'new'],
          ['changed', 'new'],
          ['same', 'old'],
        ],
        path,
      );
      assert.equal(metadata.resourceVersion, String(newest));
    }
    const metrics = await (await server.fetch(new Request('https://localhost/metrics', auth(server.token)))).text();
    assert.match(
      metrics,
      /apiserver_watch_cache_consistent_read_total\{fallback="true",group="",resource="configmaps",success="true"\} 4\n/,
    );
  });

  test('an update applies to the state of the store', async () => {
    const { server } = await lagging();
    await using _ = server;
    const { body } = await server.request('GET', `${maps}/changed`);
    const written = await server.request('PUT', `${maps}/changed`, { ...(body as ConfigMap), data: { text: 'newer' } });
    assert.equal(written.status, 200);
    assert.equal(((await server.request('GET', `${maps}/changed`)).body as ConfigMap).data.text, 'newer');
    const added = { metadata: { name: 'added' }, data: { text: 'newer' } };
    assert.equal((await server.request('PUT', `${maps}/added`, added)).status, 200);
  });

  test('a consistent read fails with 504 only if the store itself does not respond', async () => {
    const { server, store } = await lagging();
    await using _ = server;
    store.trouble = 'no answer';
    for (const path of [maps, `${maps}/same`]) assert.equal((await server.request('GET', path)).status, 504);
    assert.equal((await server.request('GET', `${maps}?resourceVersion=0`)).status, 200);
  });
});

function auth(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}
