// The official JavaScript client against a server in a process of its own: objects, lists, watches, and an informer that
// lives through restarts of the server.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Deployment,
  Watch,
} from '@kubernetes/client-node';
import { until } from '../until.ts';
import { ServerProcess } from './server-process.ts';

const namespace = 'default';

interface Session {
  server: ServerProcess;
  config: KubeConfig;
  core: CoreV1Api;
}

suite('@kubernetes/client-node', { timeout: 120_000 }, () => {
  // Filled before the first test.
  const session = {} as Session;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-javascript-client-'));
    session.server = new ServerProcess(join(folder, 'data'));
    await session.server.start();
    session.config = new KubeConfig();
    session.config.loadFromString(await session.server.kubeconfig());
    session.core = session.config.makeApiClient(CoreV1Api);
  });

  after(async () => {
    await session.server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  objectsOneByOne(session);
  listsAndWatches(session);
});

function create(core: CoreV1Api, name: string, labels: Record<string, string> = {}): Promise<V1ConfigMap> {
  return core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels }, data: { of: name } } });
}

function objectsOneByOne(session: Session): void {
  test('@kubernetes/client-node creates, reads, replaces, patches and deletes objects', async () => {
    const { core } = session;
    const made = await create(core, 'settings');
    made.data!['colour'] = 'blue';
    await core.replaceNamespacedConfigMap({ name: 'settings', namespace, body: made });
    const body = { metadata: { labels: { tier: 'front' } } };
    const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    const patched = await core.patchNamespacedConfigMap({ name: 'settings', namespace, body }, merge);
    assert.deepEqual([patched.data, patched.metadata?.labels], [{ of: 'settings', colour: 'blue' }, { tier: 'front' }]);
    await assert.rejects(core.replaceNamespacedConfigMap({ name: 'settings', namespace, body: made }), { code: 409 });
    await core.deleteNamespacedConfigMap({ name: 'settings', namespace });
    await assert.rejects(core.readNamespacedConfigMap({ name: 'settings', namespace }), { code: 404 });
  });

  test('@kubernetes/client-node updates a Deployment, its scale and its status', async () => {
    const { config } = session;
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    const deployment: V1Deployment = {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template },
    };
    const made = await apps.createNamespacedDeployment({ namespace, body: deployment });
    assert.equal(made.spec?.replicas, 1);
    const scale = await apps.readNamespacedDeploymentScale({ name: 'web', namespace });
    scale.spec = { replicas: 4 };
    await apps.replaceNamespacedDeploymentScale({ name: 'web', namespace, body: scale });
    const scaled = await apps.readNamespacedDeployment({ name: 'web', namespace });
    assert.equal(scaled.spec?.replicas, 4);
    scaled.status = { observedGeneration: 2, replicas: 4 };
    await apps.replaceNamespacedDeploymentStatus({ name: 'web', namespace, body: scaled });
    assert.equal((await apps.readNamespacedDeployment({ name: 'web', namespace })).status?.replicas, 4);
    await apps.deleteCollectionNamespacedDeployment({ namespace });
    assert.deepEqual((await apps.listNamespacedDeployment({ namespace })).items, []);
  });

  test('@kubernetes/client-node handles objects of any kind', async () => {
    const { config } = session;
    const objects = KubernetesObjectApi.makeApiClient(config);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace }, stringData: { key: 'x' } };
    await objects.create(secret);
    const patch = { ...secret, stringData: { key: 'y' } };
    await objects.patch(patch, undefined, undefined, 'test', true, PatchStrategy.ServerSideApply);
    const read = await objects.read<typeof secret & { data: Record<string, string> }>(secret);
    assert.equal(read.data['key'], Buffer.from('y').toString('base64'));
    await objects.delete(secret);
  });
}

function listsAndWatches(session: Session): void {
  test('@kubernetes/client-node reads a list in pages', async () => {
    const { core } = session;
    await Promise.all(Array.from({ length: 7 }, (_, index) => create(core, `page-${index}`, { in: 'pages' })));
    const found: string[] = [];
    let next: string | undefined;
    do {
      const page = await core.listNamespacedConfigMap({
        namespace,
        labelSelector: 'in=pages',
        limit: 3,
        _continue: next,
      });
      found.push(...page.items.map((item) => item.metadata!.name!));
      next = page.metadata?._continue;
    } while (next);
    assert.deepEqual(
      found,
      Array.from({ length: 7 }, (_, index) => `page-${index}`),
    );
  });

  test('@kubernetes/client-node watches from the resourceVersion of a list', async () => {
    const { config, core } = session;
    const list = await core.listNamespacedConfigMap({ namespace });
    const events: string[] = [];
    let over = false;
    const watch = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: list.metadata?.resourceVersion },
      (type, { metadata }) => events.push(`${type} ${metadata.name}`),
      () => {
        over = true;
      },
    );
    await create(core, 'watched');
    await core.deleteNamespacedConfigMap({ name: 'watched', namespace });
    await until('both events come', () => events.length >= 2);
    assert.deepEqual(events, ['ADDED watched', 'DELETED watched']);
    watch.abort();
    await until('the watch ends', () => over);
  });

  test('@kubernetes/client-node has an informer that catches up after a restart of the server', async () => {
    const { server, config, core } = session;
    const list = () => core.listNamespacedConfigMap({ namespace });
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
    let retry: NodeJS.Timeout | undefined;
    const start = () => void informer.start().catch(again);
    const again = () => {
      retry = setTimeout(start, 50);
    };
    informer.on('error', again);
    start();
    const agrees = async () => {
      const items = (await list()).items.map(identity).sort();
      return items.length > 0 && items.join() === informer.list(namespace).map(identity).sort().join();
    };
    await create(core, 'before');
    await until('the informer has what is there', agrees);

    for (const end of [() => server.stop(), () => server.kill()]) {
      await end();
      await server.start();
      await create(core, `after-${Date.now()}`);
      await until('the informer has what is there', agrees);
    }
    await core.deleteNamespacedConfigMap({ name: 'before', namespace });
    await until('the informer has what is there', agrees);
    clearTimeout(retry);
    informer.off('error', again);
    await informer.stop();
  });
}

function identity({ metadata }: V1ConfigMap): string {
  return `${metadata?.name} ${metadata?.resourceVersion}`;
}
