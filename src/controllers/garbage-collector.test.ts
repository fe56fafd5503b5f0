import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { systemClock } from '../server/system-clock.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const HOLD = 'example.com/hold';
const NAMESPACES = ['one', 'other'];

type Policy = 'Background' | 'Foreground' | 'Orphan';

interface ModelObject {
  readonly namespace: string;
  owners: { name: string; blocks: boolean }[];
  deleting: boolean;
  finalizers: string[];
}

/** What garbage collection comes to, found by looking at everything until nothing changes any more. */
class Model {
  readonly objects = new Map<string, ModelObject>();

  delete(name: string, policy: Policy): void {
    const object = this.objects.get(name);
    if (object === undefined || object.deleting) return;
    object.deleting = true;
    if (policy === 'Orphan') object.finalizers.push('orphan');
    if (policy === 'Foreground') object.finalizers.push('foregroundDeletion');
    this.settle();
  }

  release(name: string): void {
    this.#drop(name, HOLD);
    this.settle();
  }

  settle(): void {
    let before: string;
    do {
      before = JSON.stringify([...this.objects]);
      for (const [name, object] of this.objects) this.#settleOne(name, object);
    } while (JSON.stringify([...this.objects]) !== before);
  }

  #settleOne(name: string, object: ModelObject): void {
    if (object.deleting) {
      if (object.finalizers.includes('orphan')) {
        for (const each of this.objects.values()) each.owners = each.owners.filter((owner) => owner.name !== name);
        this.#drop(name, 'orphan');
      }
      if (!this.#dependents(name).some(([, blocks]) => blocks)) this.#drop(name, 'foregroundDeletion');
      if (object.finalizers.length === 0) this.objects.delete(name);
    } else if (object.owners.length > 0) {
      const present = object.owners.filter((owner) => this.#state(object, owner.name) === 'present');
      const waits = object.owners.some((owner) => this.#state(object, owner.name) === 'waiting');
      if (present.length > 0) object.owners = present;
      else {
        object.deleting = true;
        if (waits && this.#dependents(name).length > 0) object.finalizers.push('foregroundDeletion');
      }
    }
  }

  #state(dependent: ModelObject, name: string): 'present' | 'waiting' | 'absent' {
    const owner = this.objects.get(name);
    if (owner === undefined || owner.namespace !== dependent.namespace) return 'absent';
    return owner.finalizers.includes('foregroundDeletion') ? 'waiting' : 'present';
  }

  #dependents(name: string): [string, boolean][] {
    return [...this.objects].flatMap(([other, { owners }]) =>
      owners.filter((owner) => owner.name === name).map((owner): [string, boolean] => [other, owner.blocks]),
    );
  }

  #drop(name: string, finalizer: string): void {
    const object = this.objects.get(name);
    if (object !== undefined) object.finalizers = object.finalizers.filter((each) => each !== finalizer);
  }

  summary(): string[] {
    return [...this.objects]
      .map(([name, object]) => line(name, { ...object, owners: object.owners.map((owner) => owner.name) }))
      .sort();
  }
}

/** A clock by which the collector's pauses are over when `pause` says so. */
function pausing(pause: (wake: () => void) => void): Clock {
  return {
    now: () => systemClock.now(),
    after(delayMs, wake) {
      if (delayMs !== limits.collectionPauseMs) return systemClock.after(delayMs, wake);
      let isOff = false;
      pause(() => {
        if (!isOff) wake();
      });
      return {
        cancel: () => {
          isOff = true;
        },
      };
    },
  };
}

function line(name: string, object: { owners: string[]; deleting: boolean; finalizers: string[] }): string {
  const { owners, deleting, finalizers } = object;
  return `${name} of [${owners.sort()}]${deleting ? ' deleting' : ''} held by [${[...finalizers].sort()}]`;
}

async function summaryOf(server: TestServer): Promise<string[]> {
  const { body } = await server.request('GET', '/api/v1/configmaps');
  return (body as { items: ApiObject[] }).items
    .map(({ metadata }) =>
      line(metadata.name ?? '', {
        owners: (metadata.ownerReferences ?? []).map((owner) => owner.name),
        deleting: metadata.deletionTimestamp !== undefined,
        finalizers: metadata.finalizers ?? [],
      }),
    )
    .sort();
}

/** Waits until the server has come to what the model says. */
async function agree(server: TestServer, model: Model, when: string): Promise<void> {
  const wanted = model.summary();
  let seen: string[] = [];
  const same = async () => {
    seen = await summaryOf(server);
    return seen.join('\n') === wanted.join('\n');
  };
  await until(when, same).catch(() => assert.deepEqual(seen, wanted, when));
}

/** Makes objects, some of which own others, some of which have owners that are not there or in another namespace. */
async function populate(server: TestServer, model: Model, below: (limit: number) => number): Promise<void> {
  const uids = new Map<string, string>([['none', '11111111-2222-3333-4444-555555555555']]);
  for (let index = 0; index < 14; index++) {
    const name = `o${index}`;
    const namespace = NAMESPACES[below(5) === 0 ? 1 : 0]!;
    const candidates = [...uids.keys()].filter((each) => each !== 'none' || below(6) === 0);
    const chosen = new Set(Array.from({ length: below(3) }, () => candidates[below(candidates.length)]));
    chosen.delete(undefined);
    const owners = [...(chosen as Set<string>)].map((each) => ({ name: each, blocks: below(2) === 0 }));
    const finalizers = below(4) === 0 ? [HOLD] : [];
    model.objects.set(name, { namespace, owners, finalizers: [...finalizers], deleting: false });
    const ownerReferences = owners.map((owner) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: owner.name,
      uid: uids.get(owner.name),
      blockOwnerDeletion: owner.blocks,
    }));
    const made = await server.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ownerReferences, finalizers },
    });
    assert.equal(made.status, 201);
    uids.set(name, (made.body as ApiObject).metadata.uid ?? '');
  }
  model.settle();
}

test('deletions with all propagation policies have the result of a naive model', async () => {
  const clock = pausing(setImmediate);
  for (let seed = 1; seed <= 8; seed++) {
    await using server = await startTestServer({ controllers: 'garbage-collector-controller' }, { clock });
    for (const name of NAMESPACES) {
      await server.request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const random = new SeededRandom(seed);
    const below = (limit: number) => random.below(limit);
    const model = new Model();
    await populate(server, model, below);
    await agree(server, model, `seed ${seed}, at the start`);
    for (let step = 0; step < 20 && model.objects.size > 0; step++) {
      const [name, { namespace }] = [...model.objects][below(model.objects.size)]!;
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
      const propagationPolicy = (['Background', 'Foreground', 'Orphan'] as const)[below(3)]!;
      if (below(3) === 0) {
        const { body } = await server.request('GET', path);
        const finalizers = ((body as ApiObject).metadata.finalizers ?? []).filter((each) => each !== HOLD);
        await server.patch(path, { metadata: { finalizers } });
        model.release(name);
      } else if (model.objects.get(name)?.deleting === false) {
        await server.request('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
        model.delete(name, propagationPolicy);
      }
      await agree(server, model, `seed ${seed}, step ${step}: ${propagationPolicy} of ${name}`);
    }
  }
});

test('owners in a cycle are deleted in the foreground', async () => {
  await using server = await startTestServer({ controllers: 'garbage-collector-controller' });
  const path = '/api/v1/namespaces/default/configmaps';
  const make = async (name: string) => {
    const { body } = await server.request('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    return (body as ApiObject).metadata.uid;
  };
  const uids = { a: await make('a'), b: await make('b') };
  const own = (name: string, owner: 'a' | 'b') => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: uids[owner], blockOwnerDeletion: true };
    const patch = { metadata: { ownerReferences: [reference] } };
    return server.patch(`${path}/${name}`, patch);
  };
  await own('a', 'b');
  await own('b', 'a');
  await server.request('DELETE', `${path}/a`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
  });
  await until('both are gone', async () => {
    const { body } = await server.request('GET', path);
    return (body as { items: ApiObject[] }).items.length === 0;
  });
});

test('a foreground deletion waits for dependents, and its finalizer can be removed meanwhile', async () => {
  const held: (() => void)[] = [];
  const clock = pausing((wake) => held.push(wake));
  await using server = await startTestServer({ controllers: 'garbage-collector-controller' }, { clock });
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['collected', 'taken']) {
    await server.request('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' };
    await server.request('DELETE', `${path}/${name}`, options);
  }
  await until('both deletions have been seen', () => held.length === 2);
  const { status } = await server.patch(`${path}/taken`, { metadata: { finalizers: null } });
  assert.equal(status, 200);
  assert.equal((await server.request('GET', `${path}/taken`)).status, 404);
  assert.equal((await server.request('GET', `${path}/collected`)).status, 200);
  for (const wake of held) wake();
  await until('the other is gone, too', async () => {
    return (await server.request('GET', `${path}/collected`)).status === 404;
  });
});

test('a pod in its grace period has no finalizers once its dependents are orphaned', async () => {
  await using server = await startTestServer({ controllers: 'garbage-collector-controller' });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const path = '/api/v1/namespaces/default/pods';
  const spec = { nodeName: 'nowhere', containers: [{ name: 'a', image: 'b' }] };
  assert.equal((await server.request('POST', path, { metadata: { name: 'a' }, spec })).status, 201);
  await server.request('DELETE', `${path}/a`, { propagationPolicy: 'Orphan' });
  const metadata = async () => ((await server.request('GET', `${path}/a`)).body as ApiObject).metadata;
  await until('the finalizer is gone', async () => (await metadata()).finalizers?.length !== 1);
  assert.equal('finalizers' in (await metadata()), false);
});

test('objects from before the start of the server are garbage collected, too', async () => {
  const { MemoryStore } = await import('../store/memory-store.ts');
  const store = new MemoryStore({ clock: systemClock });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: '11111111-2222-3333-4444-555555555555' };
  const metadata = {
    name: 'left',
    namespace: 'default',
    uid: 'aaaaaaaa-2222-3333-4444-555555555555',
    ownerReferences: [owner],
  };
  const object = { kind: 'Secret', apiVersion: 'v1', metadata, type: 'Opaque' };
  await store.put('/registry/secrets/default/left', Buffer.from(JSON.stringify(object)), 'absent');
  await using server = await startTestServer({}, { store: Promise.resolve(store) });
  await until('it is gone', async () => {
    return (await server.request('GET', '/api/v1/namespaces/default/secrets/left')).status === 404;
  });
});

const LINK = { apiVersion: 'example.com/v1', kind: 'Link' };
const MAP = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Defines a kind of custom objects; returns the path of those in the namespace `default` when it is served. */
async function defined(server: TestServer, kind: string): Promise<string> {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const path = `/apis/example.com/v1/namespaces/default/${plural}`;
  await until(`${plural} are served`, async () => (await server.request('GET', path)).status === 200);
  return path;
}

test('custom resources own one another, and are deleted with their last owner', async () => {
  await using server = await startTestServer();
  const links = await defined(server, 'Link');
  const maps = '/api/v1/namespaces/default/configmaps';
  const create = async (path: string, name: string, owners: readonly ApiObject[] = []) => {
    const ownerReferences = owners.map(({ apiVersion, kind, metadata }) => ({
      ...{ apiVersion, kind, name: metadata.name, uid: metadata.uid },
    }));
    const metadata = { name, labels: { uid: 'label' }, ownerReferences };
    return (await server.request('POST', path, { metadata, ...(path === links ? LINK : MAP) })).body as ApiObject;
  };
  const root = await create(maps, 'root');
  const second = await create(links, 'second', [root]);
  const other = await create(maps, 'other');
  await create(links, 'third', [second, other]);
  const left = async () => {
    const { items } = (await server.request('GET', links)).body as { items: ApiObject[] };
    return items.map(({ metadata }) => `${metadata.name}: ${metadata.ownerReferences?.map(({ name }) => name)}`);
  };
  assert.equal((await server.request('DELETE', `${maps}/other`)).status, 200);
  await until('the other owner is forgotten', async () => !(await left()).includes('third: second,other'));
  assert.deepEqual(await left(), ['second: root', 'third: second']);
  assert.equal((await server.request('DELETE', `${maps}/root`)).status, 200);
  await until('all links are gone', async () => (await left()).length === 0);
});

test('a custom resource of the kind Event is deleted with its owner, like those of other kinds', async () => {
  await using server = await startTestServer();
  const events = await defined(server, 'Event');
  const maps = '/api/v1/namespaces/default/configmaps';
  const owner = (await server.request('POST', maps, { ...MAP, metadata: { name: 'owner' } })).body as ApiObject;
  const ownerReferences = [{ ...MAP, name: 'owner', uid: owner.metadata.uid }];
  const dependent = { apiVersion: 'example.com/v1', kind: 'Event', metadata: { name: 'dependent', ownerReferences } };
  assert.equal((await server.request('POST', events, dependent)).status, 201);
  assert.equal((await server.request('DELETE', `${maps}/owner`)).status, 200);
  await until('the event is gone', async () => (await server.request('GET', `${events}/dependent`)).status === 404);
});
