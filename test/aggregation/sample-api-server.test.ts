import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, suite, test } from 'node:test';
import type { ApiObject, JsonObject } from '../../src/api/object.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from '../clients/kubectl.ts';
import { until } from '../until.ts';
import { GROUP, SampleApiServer, withoutSampleApiServer } from './sample-api-server.ts';

/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const timeout = 120_000;

const FLUNDERS = `/apis/${GROUP}/v1alpha1/namespaces/default/flunders`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let sample: SampleApiServer;
let kubectl: Kubectl;

suite("Kubernetes' sample API server", {
  skip: withoutKubectl || withoutSampleApiServer(),
  timeout: buildTimeoutMs,
}, () => {
  before(
    async () => {
      sample = await SampleApiServer.create();
      kubectl = await Kubectl.create(oldestAndNewest().at(-1)!.binary, sample.main.kubeconfigText);
    },
    { timeout: buildTimeoutMs },
  );
  after(async () => {
    await kubectl?.[Symbol.asyncDispose]();
    await sample?.[Symbol.asyncDispose]();
  });

  test("Kubernetes' sample API server serves kubectl create, get, watch, apply and explain", { timeout }, useKubectl);
  test(
    "Kubernetes' sample API server authenticates and authorizes its clients with the main server",
    { timeout },
    delegate,
  );
  test("Kubernetes' sample API server keeps clients watching across its restart", { timeout }, killed);
  test(
    "Kubernetes' sample API server has its dependents garbage collected, once it is available again",
    { timeout },
    collected,
  );
  test(
    "Kubernetes' sample API server keeps a deleted namespace until it is available again",
    { timeout },
    namespaceWaits,
  );
});

function flunder(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: `${GROUP}/v1alpha1`, kind: 'Flunder', metadata: { name, ...more } };
}

async function made(path: string, object: JsonObject): Promise<ApiObject> {
  const { status, body } = await sample.main.request('POST', path, object);
  assert.equal(status, 201, JSON.stringify(body));
  return body as ApiObject;
}

async function statusOf(path: string): Promise<number> {
  return (await sample.main.request('GET', path)).status;
}

async function useKubectl(): Promise<void> {
  const input = JSON.stringify(flunder('first', { labels: { colour: 'blue' } }));
  await until('kubectl knows flunders', async () => {
    const { stdout } = await kubectl.run(['api-resources', `--api-group=${GROUP}`, '--output=name']);
    return stdout.includes('flunders') && stdout.includes('fischers');
  });
  const watch = kubectl.start(['get', 'flunders', '--watch', '--output=name']);
  await kubectl.run(['create', '--filename=-'], { input });
  await watch.said(`flunder.${GROUP}/first`);
  watch.kill();
  assert.match(await kubectl.output('get', 'flunders'), /^NAME +CREATED AT\nfirst /);
  const apply = (reference: string, ...flags: string[]) => {
    const manifest = { ...flunder('applied'), spec: { reference, referenceType: 'Flunder' } };
    return ['apply', '--server-side', '--filename=-', ...flags, JSON.stringify(manifest)];
  };
  const applied = async (status: number, ...args: string[]) =>
    await kubectl.run(args.slice(0, -1), { input: args.at(-1)!, status });
  await applied(0, ...apply('one'));
  const { stderr } = await applied(1, ...apply('two', '--field-manager=other'));
  assert.match(stderr, /conflict with "kubectl".*\.spec\.reference/);
  await applied(0, ...apply('two', '--field-manager=other', '--force-conflicts'));
  assert.equal(await kubectl.output('get', 'flunder', 'applied', '--output=jsonpath={.spec.reference}'), 'two');
  await until('OpenAPI has them', async () => {
    const running = kubectl.start(['explain', 'flunder.spec.reference']);
    return (await running.ended) === 0 && running.stdout.includes('A name of another flunder or fischer');
  });
  const { body } = await sample.main.request('GET', '/openapi/v2');
  assert.match(JSON.stringify((body as JsonObject)['paths']), /wardle\.example\.com\/v1beta1\/namespaces/);
  await kubectl.run(['delete', 'flunders', '--all']);
}

/** Asks the sample API server itself. */
function askDirectly(token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = request(`${sample.url}${FLUNDERS}`, { headers, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}

async function delegate(): Promise<void> {
  assert.equal(await askDirectly('nobody'), 401);
  assert.equal(await askDirectly(sample.main.token), 200);
  await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'reader' } });
  const tokens = '/api/v1/namespaces/default/serviceaccounts/reader/token';
  const { status } = await made(tokens, {});
  const { token } = status as { token: string };
  assert.equal(await askDirectly(token), 403);
  const role = {
    metadata: { name: 'flunders' },
    rules: [{ apiGroups: [GROUP], resources: ['flunders'], verbs: ['list'] }],
  };
  await made('/apis/rbac.authorization.k8s.io/v1/clusterroles', role);
  await made('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'flunders' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'flunders' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
  });
  // What it was told before it remembers for ten seconds.
  await until('it may', async () => (await askDirectly(token)) === 200);
  const headers = { authorization: `Bearer ${token}` };
  const throughMain = await sample.main.fetch(new Request(`https://localhost${FLUNDERS}`, { headers }));
  assert.equal(throughMain.status, 200);
}

async function killed(): Promise<void> {
  await made(FLUNDERS, flunder('kept'));
  const headers = { authorization: `Bearer ${sample.main.token}` };
  const open = async () => await sample.main.fetch(new Request(`https://localhost${FLUNDERS}?watch=true`, { headers }));
  const watch = (await open()).body!.getReader();
  assert.match(new TextDecoder().decode((await watch.read()).value), /"type":"ADDED".*"name":"kept"/);
  const before = await sample.main.request('GET', FLUNDERS);
  const { resourceVersion } = (before.body as ApiObject).metadata;
  await sample.kill();
  await assert.doesNotReject(async () => {
    while (!(await watch.read().catch(() => ({ done: true }))).done);
  });
  const down = await open();
  assert.equal(down.status, 503);
  assert.equal(await down.text(), 'service unavailable\n');
  assert.equal(await statusOf(CONFIG_MAPS), 200, 'all else goes on');
  assert.equal(await statusOf('/openapi/v2'), 200);
  const { stderr } = await kubectl.run(['get', 'flunders'], { status: 1 });
  assert.match(stderr, /unable to handle the request|service unavailable/i);
  await kubectl.run(['get', 'configmaps']);
  await sample.start();
  assert.equal(await statusOf(`${FLUNDERS}/kept`), 200);
  const again = new Request(`https://localhost${FLUNDERS}?watch=true&resourceVersion=${resourceVersion}`, { headers });
  const reader = (await sample.main.fetch(again)).body!.getReader();
  await made(FLUNDERS, flunder('later'));
  assert.match(new TextDecoder().decode((await reader.read()).value), /"type":"ADDED".*"name":"later"/);
  await reader.cancel();
}

async function isGone(path: string): Promise<void> {
  await until(`${path} is gone`, async () => (await statusOf(path)) === 404);
}

function ownerOf({ metadata }: ApiObject, apiVersion: string, kind: string): JsonObject[] {
  return [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
}

async function collected(): Promise<void> {
  const owned = async (name: string) => {
    const configMap = await made(CONFIG_MAPS, { metadata: { name: `${name}-owner` } });
    await made(FLUNDERS, flunder(`of-${name}`, { ownerReferences: ownerOf(configMap, 'v1', 'ConfigMap') }));
    const first = await made(FLUNDERS, flunder(`${name}-owner`));
    const ownerReferences = ownerOf(first, `${GROUP}/v1alpha1`, 'Flunder');
    await made(CONFIG_MAPS, { metadata: { name: `of-${name}`, ownerReferences } });
  };
  await owned('up');
  await sample.main.request('DELETE', `${CONFIG_MAPS}/up-owner`);
  await isGone(`${FLUNDERS}/of-up`);
  await sample.main.request('DELETE', `${FLUNDERS}/up-owner`);
  await isGone(`${CONFIG_MAPS}/of-up`);
  await owned('down');
  await sample.kill();
  await sample.main.request('DELETE', `${CONFIG_MAPS}/down-owner`);
  const local = await made(CONFIG_MAPS, { metadata: { name: 'local-owner' } });
  const ownerReferences = ownerOf(local, 'v1', 'ConfigMap');
  await made(CONFIG_MAPS, { metadata: { name: 'of-local', ownerReferences } });
  await sample.main.request('DELETE', `${CONFIG_MAPS}/local-owner`);
  await isGone(`${CONFIG_MAPS}/of-local`);
  assert.equal(await statusOf(`${CONFIG_MAPS}/of-down`), 200, 'nobody knows whether its owner is there');
  await sample.start();
  await isGone(`${FLUNDERS}/of-down`);
  assert.equal(await statusOf(`${CONFIG_MAPS}/of-down`), 200);
}

async function namespaceWaits(): Promise<void> {
  const flunders = FLUNDERS.replace('default', 'work');
  await made('/api/v1/namespaces', { metadata: { name: 'work' } });
  await until('it knows the namespace', async () => {
    return (await sample.main.request('POST', flunders, flunder('in-work'))).status === 201;
  });
  await made(CONFIG_MAPS.replace('default', 'work'), { metadata: { name: 'in-work' } });
  await sample.kill();
  await sample.main.request('DELETE', '/api/v1/namespaces/work');
  const message = await until('it says so', async () => {
    const { body } = await sample.main.request('GET', '/api/v1/namespaces/work');
    const { conditions = [] } = (body as { status: { conditions?: Record<string, string>[] } }).status;
    return conditions.find((each) => each['status'] === 'True')?.['message'];
  });
  assert.match(message, /^Discovery failed for some groups, 2 failing: .*wardle\.example\.com\/v1alpha1/);
  assert.equal(await statusOf('/api/v1/namespaces/work/configmaps/in-work'), 404);
  await sample.start();
  await isGone('/api/v1/namespaces/work');
  assert.equal(await statusOf(`${flunders}/in-work`), 404);
}
