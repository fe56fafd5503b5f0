// The commands of Helm and of kustomize, built from their Go modules, as people type them: a chart through its life, and
// an overlay whose generated names change, applied and pruned with kubectl.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { AppsV1Api, BatchV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { answers, run } from './commands.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';
import { ServerProcess } from './server-process.ts';

const sources = join(import.meta.dirname, 'go');
const chart = join(import.meta.dirname, '../fixtures/helm-chart');
/** Nothing cached, on two busy processors: minutes. */
const buildTimeoutMs = 900_000;
const testTimeoutMs = 120_000;

suite('Go command line clients', { skip: withoutCommands(), timeout: buildTimeoutMs }, () => {
  let folder: string;
  let server: ServerProcess;
  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'keelson-commands-'));
      server = new ServerProcess(join(folder, 'data'));
      const fast = ['-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
      const commands = ['helm.sh/helm/v3/cmd/helm', 'sigs.k8s.io/kustomize/kustomize/v5'];
      await run('go', ['build', ...fast, '-o', `${folder}/`, ...commands], {
        cwd: sources,
        env: { CGO_ENABLED: '0' },
        yielding: true,
      });
      await server.start();
    },
    { timeout: buildTimeoutMs },
  );
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('helm installs, upgrades, rolls back and uninstalls a release', { timeout: testTimeoutMs }, async ({
    signal,
  }) => {
    await using _jobs = await completeJobs(server.kubeconfigPath);
    const env = { HOME: folder, KUBECONFIG: server.kubeconfigPath, HELM_NAMESPACE: 'shop' };
    const helm = (...args: string[]) => run(join(folder, 'helm'), args, { env, signal });
    const listed = async () => JSON.parse(await helm('list', '--output=json'))[0];

    await helm('install', 'shop', chart, '--create-namespace');
    assert.match(await helm('template', 'other', chart, '--validate'), /kind: Deployment/);
    assert.equal((await listed()).status, 'deployed');
    const tried = await helm('upgrade', 'shop', chart, '--set=replicas=5', '--dry-run=server');
    assert.match(tried, /replicas: 5/);
    assert.equal((await listed()).revision, '1');

    await helm('upgrade', '--install', 'shop', chart, '--set=replicas=5,colour=green,ingress=true');
    assert.match(await helm('get', 'values', 'shop'), /colour: green/);
    assert.match(await helm('status', 'shop', '--show-resources'), /shop-web/);
    await helm('rollback', 'shop', '1');
    assert.equal(JSON.parse(await helm('history', 'shop', '--output=json')).length, 3);
    await server.kill();
    await server.start();
    assert.equal((await listed()).revision, '3');
    await helm('uninstall', 'shop', '--wait');
    assert.equal(await listed(), undefined);
  });

  test('helm --wait succeeds in a cluster with nodes and controllers', { timeout: testTimeoutMs }, async ({
    signal,
  }) => {
    await using living = new ServerProcess(join(folder, 'living'), { flags: ['--nodes=3', '--node-delays=none'] });
    await living.start();
    const env = { HOME: folder, KUBECONFIG: living.kubeconfigPath, HELM_NAMESPACE: 'shop' };
    const helm = (...args: string[]) => run(join(folder, 'helm'), args, { env, signal });
    await helm('install', 'shop', chart, '--create-namespace', '--wait', '--wait-for-jobs');
    await helm('upgrade', 'shop', chart, '--set=replicas=5,colour=green', '--atomic');
    const config = new KubeConfig();
    config.loadFromFile(living.kubeconfigPath);
    const { status } = await config
      .makeApiClient(AppsV1Api)
      .readNamespacedDeployment({ name: 'shop-web', namespace: 'shop' });
    assert.deepEqual([status?.readyReplicas, status?.updatedReplicas], [5, 5]);
    await assert.rejects(helm('upgrade', 'shop', chart, '--set=image=no/such:Tag:1', '--atomic', '--timeout=5s'));
    assert.match(await helm('history', 'shop'), /Rollback to 2/);
    await helm('uninstall', 'shop', '--wait');
  });

  test('kustomize output is applied and pruned', { timeout: testTimeoutMs }, async (context) => {
    if (withoutKubectl) return context.skip(withoutKubectl);
    const overlay = await writeOverlay(join(folder, 'kustomization'));
    await using kubectl = await Kubectl.create(oldestAndNewest().at(-1)!.binary, await server.kubeconfig());
    const built = () => run(join(folder, 'kustomize'), ['build', overlay], { signal: context.signal });
    const prune = ['apply', '--filename=-', '--prune', '--selector=shop=test', '--prune-allowlist=core/v1/ConfigMap'];
    const maps = () =>
      kubectl.output('get', 'configmaps', '--namespace=stage', '--selector=shop=test', '--output=name');
    await kubectl.run(['create', 'namespace', 'stage']);
    await kubectl.run(prune, { input: await built() });
    const first = await maps();
    assert.match(first, /^configmap\/stage-settings-\w+$/);
    await kubectl.run(['diff', '--filename=-'], { input: await built() });

    await writeFile(join(overlay, 'settings.env'), 'colour=green\n');
    const next = await built();
    await kubectl.run(['diff', '--filename=-'], { input: next, status: 1 });
    await kubectl.run(prune, { input: next });
    const second = await maps();
    assert.notEqual(second, first);
    const path = '--output=jsonpath={.spec.replicas} {.spec.template.spec.containers[0].envFrom[0].configMapRef.name}';
    const web = await kubectl.output('get', 'deployment', 'stage-web', '--namespace=stage', path);
    assert.equal(`configmap/${web.split(' ')[1]}`, second);
    assert.equal(web.split(' ')[0], '3');
    await kubectl.run(['apply', '--server-side', '--force-conflicts', '--filename=-'], { input: next });
    await kubectl.run(['delete', '--kustomize', overlay]);
    assert.equal(await maps(), '');
  });
});

/** Why nothing of this can be run here, or false. */
function withoutCommands(): string | false {
  if (!answers('go', 'version')) return 'Go is not installed: no command in Go is tested';
  const modules = 'the modules of test/clients/go are not there and cannot be fetched: no command in Go is tested';
  return answers('go', '-C', sources, 'list', '-deps', 'tool') ? false : modules;
}

/** Does what the controller of jobs would: a chart's hooks that are jobs are waited for. */
async function completeJobs(kubeconfigPath: string): Promise<AsyncDisposable> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const api = config.makeApiClient(BatchV1Api);
  const informer = makeInformer(config, '/apis/batch/v1/jobs', () => api.listJobForAllNamespaces());
  informer.on('add', async ({ metadata, ...job }) => {
    const { name = '', namespace = '' } = metadata ?? {};
    const now = new Date();
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' }));
    const status = { startTime: now, completionTime: now, succeeded: 1, conditions };
    await api.replaceNamespacedJobStatus({ name, namespace, body: { ...job, metadata: metadata!, status } });
  });
  informer.on('error', () => setTimeout(() => void informer.start(), 100).unref());
  await informer.start();
  return { [Symbol.asyncDispose]: () => informer.stop() };
}

/** A base and an overlay over it, which generates, prefixes, labels and patches. Its folder. */
async function writeOverlay(folder: string): Promise<string> {
  const files = {
    'base/kustomization.yaml': 'resources: [web.yaml]\n',
    'base/web.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web, envFrom: [{ configMapRef: { name: settings } }] }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`,
    'stage/settings.env': 'colour=red\n',
    'stage/kustomization.yaml': `
resources: [../base]
namespace: stage
namePrefix: stage-
labels: [{ pairs: { shop: test }, includeSelectors: true }]
configMapGenerator: [{ name: settings, envs: [settings.env] }]
images: [{ name: web, newTag: "2" }]
replicas: [{ name: web, count: 3 }]
patches:
  - target: { kind: Service }
    patch: '[{ "op": "add", "path": "/spec/type", "value": "NodePort" }]'
`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return join(folder, 'stage');
}
