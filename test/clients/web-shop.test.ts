// The main job of an API server, done with the real kubectl: a web shop is applied, changed, watched, and all of it is
// still there after the server was stopped, and after it was killed.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { until } from '../until.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';
import { ServerProcess } from './server-process.ts';

const shop = join(import.meta.dirname, '../fixtures/web-shop');
const shopKinds =
  'deployments,services,statefulsets,configmaps,secrets,serviceaccounts,persistentvolumeclaims,jobs,cronjobs,ingresses,' +
  'networkpolicies,horizontalpodautoscalers,poddisruptionbudgets,roles,rolebindings,limitranges,resourcequotas';

/** Kinds for which kubectl sends a patch and says 'configured' even where nothing differs: it replaces parts unseen. */
const alwaysSent = /^(poddisruptionbudget|statefulset)\./;

interface Shopping {
  server: ServerProcess;
  kubectl: Kubectl;
}

suite('a web shop as a set of manifests', { skip: withoutKubectl }, () => {
  for (const { name, binary } of oldestAndNewest()) suite(name, { timeout: 240_000 }, () => webShop(binary));
});

function webShop(binary: string): void {
  // Filled before the first test.
  const shopping = {} as Shopping;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-web-shop-'));
    shopping.server = new ServerProcess(join(folder, 'data'));
    await shopping.server.start();
    shopping.kubectl = await Kubectl.create(binary, await shopping.server.kubeconfig());
  });

  after(async () => {
    await shopping.kubectl?.[Symbol.asyncDispose]();
    await shopping.server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  changes(shopping);
  restarts(shopping);

  test('a web shop as a set of manifests is deleted with kubectl delete', async () => {
    const { kubectl } = shopping;
    await kubectl.run(['delete', '--filename', shop, '--wait=false', '--ignore-not-found']);
    await kubectl.run(['get', 'priorityclass', 'web-shop-checkout'], { status: 1 });
  });
}

/** What became of each object, by `kind/name`. */
async function apply(kubectl: Kubectl): Promise<Map<string, string>> {
  return outcomesIn(await kubectl.output('apply', '--filename', shop));
}

/** The shop's objects as the server has them: everything that must survive. */
async function state(kubectl: Kubectl): Promise<string> {
  return kubectl.output('get', shopKinds, '--namespace=web-shop', '--show-managed-fields', '--output=json');
}

function changes(shopping: Shopping): void {
  test('a web shop as a set of manifests is applied, and applying it again changes nothing', async () => {
    const { kubectl } = shopping;
    const manifests = await Promise.all((await readdir(shop)).map((file) => readFile(join(shop, file), 'utf8')));
    const created = await apply(kubectl);
    assert.equal(created.size, manifests.join('').match(/^kind:/gm)!.length);
    assert.deepEqual(new Set(created.values()), new Set(['created']));

    const first = await state(kubectl);
    for (const [name, outcome] of await apply(kubectl)) {
      assert.equal(outcome, alwaysSent.test(name) ? 'configured' : 'unchanged', name);
    }
    assert.equal(await state(kubectl), first, 'applying the same changes nothing in the server');
  });

  test('a web shop as a set of manifests is changed by kubectl, and watches receive the change', async () => {
    const { kubectl } = shopping;
    const columns = 'custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[0].image';
    const watch = kubectl.start(['get', 'deployments', '--namespace=web-shop', '--watch', '--output', columns]);
    await watch.said(/storefront +\S+:1\.0\.0/);

    const services = await readFile(join(shop, '30-services.yaml'), 'utf8');
    const changed = services.replace('shop/catalog:1.0.0', 'shop/catalog:1.1.0');
    const { stdout } = await kubectl.run(['apply', '--filename=-'], { input: changed });
    const outcomes = outcomesIn(stdout);
    assert.equal(outcomes.get('deployment.apps/catalog'), 'configured');
    assert.equal([...outcomes.values()].filter((outcome) => outcome === 'unchanged').length, outcomes.size - 1);
    await watch.said(/catalog +\S+:1\.1\.0/);

    const path = 'jsonpath={.metadata.generation}';
    assert.equal(await kubectl.output('get', 'deployment', 'catalog', '--namespace=web-shop', '--output', path), '2');
    watch.kill();
    await watch.ended;
  });
}

function restarts(shopping: Shopping): void {
  test('a web shop as a set of manifests is kept over a restart, and a watch ends normally when the server stops', async () => {
    const { server, kubectl } = shopping;
    const watch = kubectl.start(['get', 'configmaps', '--namespace=web-shop', '--watch', '--output=name']);
    await watch.said('configmap/storefront');
    const stopped = await state(kubectl);
    assert.equal(await server.stop(), 0);
    assert.equal(await watch.ended, 0, watch.stderr);

    await server.start();
    await kubectl.use(await server.kubeconfig());
    assert.equal(await state(kubectl), stopped);
    const again = kubectl.start(['get', 'configmaps', '--namespace=web-shop', '--watch', '--output=name']);
    await again.said('configmap/storefront');
    await kubectl.run(['create', 'configmap', 'made-after-restart', '--namespace=web-shop']);
    await again.said('configmap/made-after-restart');
    again.kill();
    await again.ended;
  });

  test('a web shop as a set of manifests is kept after the server was killed, as every acknowledged write is', async () => {
    const { server, kubectl } = shopping;
    const before = await state(kubectl);
    const names = Array.from({ length: 300 }, (_, index) => `order-${String(index).padStart(3, '0')}`);
    const input = names.map((name) => configMap(name)).join('---\n');
    const writer = kubectl.start(['create', '--filename=-']);
    writer.process.stdin!.on('error', () => {});
    writer.process.stdin!.end(input);
    await until('some objects are acknowledged', () => acknowledged(writer.stdout).length >= 40);
    await server.kill();
    // It would try every object that is still to come.
    writer.kill();
    await writer.ended;
    assert.ok(acknowledged(writer.stdout).length < names.length, 'the server was killed in the midst of it');

    await server.start();
    await kubectl.use(await server.kubeconfig());
    const found = new Set((await kubectl.output('get', 'configmaps', '-n=web-shop', '-o=name')).split('\n'));
    const lost = acknowledged(writer.stdout).filter((name) => !found.has(name));
    assert.deepEqual(lost, []);
    const kept = JSON.parse(await state(kubectl)) as ObjectList;
    const versions = new Map(kept.items.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
    for (const { metadata } of (JSON.parse(before) as ObjectList).items) {
      assert.equal(versions.get(metadata.uid), metadata.resourceVersion, metadata.name);
    }

    await kubectl.run(['create', 'configmap', 'made-after-the-kill', '--namespace=web-shop']);
  });
}

interface ObjectList {
  readonly items: readonly { readonly metadata: { uid: string; name: string; resourceVersion: string } }[];
}

/** `kind/name outcome` lines; warnings and errors go to the other stream. */
function outcomesIn(output: string): Map<string, string> {
  const lines = output.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

function acknowledged(output: string): string[] {
  const whole = output.slice(0, output.lastIndexOf('\n') + 1);
  return [...outcomesIn(whole).keys()];
}

function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: web-shop }\ndata: { total: "12.50" }\n`;
}
