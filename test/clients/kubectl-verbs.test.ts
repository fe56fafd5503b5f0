// Tests of kubectl's commands, with the oldest and the newest kubectl that is installed.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';

suite('kubectl commands', { skip: withoutKubectl }, () => {
  for (const { name, binary } of oldestAndNewest()) suite(name, { timeout: 120_000 }, () => verbs(binary));
});

const deployment = (image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;

interface Session {
  server: TestServer;
  kubectl: Kubectl;
}

function verbs(binary: string): void {
  // Filled before the first test.
  const session = {} as Session;

  before(async () => {
    session.server = await startTestServer({ listen: true });
    session.kubectl = await Kubectl.create(binary, session.server.kubeconfigText);
    await session.kubectl.run(['create', '--filename=-'], { input: deployment('web:1') });
  });

  after(async () => {
    await session.kubectl?.[Symbol.asyncDispose]();
    await session.server?.close();
  });

  readingVerbs(session);
  writingVerbs(session);
  workloadVerbs(session);
}

/** What stands at a place of the deployment. */
function ofWeb({ kubectl }: Session, place: string): Promise<string> {
  return kubectl.output('get', 'deployment', 'web', `--output=jsonpath={${place}}`);
}

function readingVerbs(session: Session): void {
  test('kubectl version, api-versions and api-resources show the server', async () => {
    const { kubectl } = session;
    const version = JSON.parse(await kubectl.output('version', '--output=json'));
    assert.match(version.serverVersion.gitVersion, /^v1\.34\./);
    const versions = (await kubectl.output('api-versions')).split('\n');
    assert.ok(versions.includes('v1') && versions.includes('apps/v1'));
    const namespaced = await kubectl.output('api-resources', '--namespaced', '--output=name');
    assert.ok(namespaced.split('\n').includes('deployments.apps'));
    assert.match(await kubectl.output('api-resources'), /^pods +po +v1 +true +Pod$/m);
  });

  test('kubectl explain shows a field', async () => {
    const { kubectl } = session;
    assert.match(await kubectl.output('explain', 'deployment.spec.replicas'), /FIELD: +replicas <integer>/);
  });

  test('kubectl get shows objects in every output format', async () => {
    const { kubectl } = session;
    await kubectl.run(['create', 'configmap', 'settings', '--from-literal=colour=blue']);
    const get = (output: string) => kubectl.output('get', 'configmap', 'settings', `--output=${output}`);
    assert.equal(JSON.parse(await get('json')).data.colour, 'blue');
    assert.match(await get('yaml'), /^ {2}colour: blue$/m);
    assert.match(await get('wide'), /^NAME +DATA +AGE\nsettings +1 +\S+$/);
    assert.equal(await get('name'), 'configmap/settings');
    assert.equal(await get('jsonpath={.data.colour}'), 'blue');
    assert.match(await get('custom-columns=N:.metadata.name,C:.data.colour'), /^N +C\nsettings +blue$/);
    assert.equal(await get('go-template={{.data.colour}}'), 'blue');
    assert.match(
      await kubectl.output('get', 'deployments,configmaps'),
      /deployment\.apps\/web[\s\S]*configmap\/settings/,
    );
    assert.equal(await kubectl.output('get', 'configmaps', '--selector=app=web', '--output=name'), '');
    assert.match(await kubectl.output('get', '--raw', '/healthz'), /^ok$/);
    const { stderr } = await kubectl.run(['get', 'configmap', 'none'], { status: 1 });
    assert.equal(stderr.trim().split('\n').at(-1), 'Error from server (NotFound): configmaps "none" not found');
  });

  test('kubectl get --watch shows events', async () => {
    const { kubectl } = session;
    const watch = kubectl.start(['get', 'configmaps', '--watch', '--output-watch-events']);
    await watch.said('EVENT');
    await kubectl.run(['create', 'configmap', 'seen', '--from-literal=one=1']);
    await watch.said(/^ADDED +seen +1 /m);
    await kubectl.run(['patch', 'configmap', 'seen', '--type=merge', '--patch={"data":{"two":"2"}}']);
    await watch.said(/^MODIFIED +seen +2 /m);
    await kubectl.run(['delete', 'configmap', 'seen']);
    await watch.said(/^DELETED +seen/m);
    watch.kill();
    await watch.ended;
  });

  test('kubectl describe, events and config show the cluster', async () => {
    const { kubectl } = session;
    assert.match(await kubectl.output('describe', 'deployment', 'web'), /^Name: +web$/m);
    await kubectl.run(['events']);
    assert.equal(await kubectl.output('config', 'current-context'), 'keelson');
  });
}

function writingVerbs(session: Session): void {
  test('kubectl apply and diff update objects and show the changes', async () => {
    const { kubectl } = session;
    const apply = async (image: string) => {
      const { stdout } = await kubectl.run(['apply', '--filename=-'], { input: deployment(image) });
      return stdout.trimEnd();
    };
    assert.equal(await apply('web:1'), 'deployment.apps/web configured', 'made by create, it lacks the annotation');
    assert.equal(await apply('web:1'), 'deployment.apps/web unchanged');
    await kubectl.run(['diff', '--filename=-'], { input: deployment('web:1') });
    const { stdout } = await kubectl.run(['diff', '--filename=-'], { input: deployment('web:2'), status: 1 });
    assert.match(stdout, /^\+ +- image: web:2$/m);
    assert.equal(await apply('web:2'), 'deployment.apps/web configured');
  });

  test('kubectl patch applies three types of patches', async () => {
    const { kubectl } = session;
    const patch = (type: string, body: string) =>
      kubectl.output('patch', 'deployment', 'web', `--type=${type}`, `--patch=${body}`);
    const name = '{"name":"web","env":[{"name":"A","value":"1"}]}';
    assert.match(await patch('strategic', `{"spec":{"template":{"spec":{"containers":[${name}]}}}}`), / patched$/);
    assert.equal(await ofWeb(session, '.spec.template.spec.containers[0].env[0].value'), '1');
    await patch('merge', '{"spec":{"minReadySeconds":3}}');
    assert.equal(await ofWeb(session, '.spec.minReadySeconds'), '3');
    await patch('json', '[{"op":"remove","path":"/spec/minReadySeconds"}]');
    assert.equal(await ofWeb(session, '.spec.minReadySeconds'), '');
    assert.match(await patch('merge', '{"spec":{"paused":false}}'), / patched \(no change\)$/);
  });

  test('kubectl label and annotate change metadata', async () => {
    const { kubectl } = session;
    await kubectl.run(['label', 'deployment', 'web', 'tier=front']);
    assert.equal(await ofWeb(session, '.metadata.labels.tier'), 'front');
    const { stderr } = await kubectl.run(['label', 'deployment', 'web', 'tier=back'], { status: 1 });
    assert.match(stderr, /already has a value \(front\)/);
    await kubectl.run(['label', 'deployment', 'web', 'tier=back', '--overwrite']);
    await kubectl.run(['label', 'deployment', 'web', 'tier-']);
    assert.equal(await ofWeb(session, '.metadata.labels.tier'), '');
    await kubectl.run(['annotate', 'deployment', 'web', 'example.com/note=one two']);
    assert.equal(await ofWeb(session, '.metadata.annotations.example\\.com/note'), 'one two');
  });

  test('kubectl edit and replace update objects', async () => {
    const { kubectl } = session;
    await kubectl.run(['create', 'configmap', 'edited', '--from-literal=colour=blue']);
    await kubectl.run(['edit', 'configmap', 'edited'], { env: { KUBE_EDITOR: 'sed -i s/blue/green/' } });
    assert.equal(await kubectl.output('get', 'configmap', 'edited', '--output=jsonpath={.data.colour}'), 'green');
    const unchanged = await kubectl.run(['edit', 'configmap', 'edited'], { env: { KUBE_EDITOR: 'true' } });
    assert.match(unchanged.stdout + unchanged.stderr, /no changes made/);

    const stored = await kubectl.output('get', 'configmap', 'edited', '--output=json');
    await kubectl.run(['replace', '--filename=-'], { input: stored.replace('green', 'red') });
    const stale = await kubectl.run(['replace', '--filename=-'], { input: stored, status: 1 });
    assert.match(stale.stderr, /\(Conflict\).*the object has been modified/);
  });

  test('kubectl delete waits for finalizers', async () => {
    const { kubectl } = session;
    await kubectl.run(['create', 'configmap', 'going', '--from-literal=a=b']);
    const held = '--patch={"metadata":{"finalizers":["example.com/hold"]}}';
    await kubectl.run(['patch', 'configmap', 'going', '--type=merge', held]);
    const deletion = kubectl.start(['delete', 'configmap', 'going', '--timeout=20s']);
    await deletion.said('deleted');
    await kubectl.run(['patch', 'configmap', 'going', '--type=merge', '--patch={"metadata":{"finalizers":null}}']);
    assert.equal(await deletion.ended, 0, deletion.stderr);
    await kubectl.run(['delete', 'configmap', 'going'], { status: 1 });
    assert.equal(await kubectl.output('delete', 'configmap', 'going', '--ignore-not-found'), '');
    await kubectl.run(['delete', 'configmaps', '--all']);
  });

  test('kubectl apply --server-side reports conflicts and invalid manifests', async () => {
    const { kubectl } = session;
    const settings = (colour: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: applied }\ndata: { colour: ${colour} }\n`;
    const apply = (colour: string, status: number, ...flags: string[]) =>
      kubectl.run(['apply', '--server-side', ...flags, '--filename=-'], { input: settings(colour), status });
    assert.match((await apply('blue', 0)).stdout, /serverside-applied$/m);
    assert.match((await apply('red', 1, '--field-manager=other')).stderr, /conflict with "kubectl": \.data\.colour/);
    await apply('red', 0, '--field-manager=other', '--force-conflicts');

    const wrong = deployment('web:1').replace('replicas: 1', 'replicaz: 1');
    const { stderr } = await kubectl.run(['apply', '--filename=-'], { input: wrong, status: 1 });
    assert.match(stderr, /strict decoding error: unknown field "spec\.replicaz"/);
  });
}

function workloadVerbs(session: Session): void {
  test('kubectl scale, set image and rollout change workloads', async () => {
    const { kubectl } = session;
    assert.match(await kubectl.output('scale', 'deployment', 'web', '--replicas=3'), / scaled$/);
    assert.equal(await ofWeb(session, '.spec.replicas'), '3');
    const { stderr } = await kubectl.run(['scale', 'deployment', 'web', '--current-replicas=1', '--replicas=2'], {
      status: 1,
    });
    assert.match(stderr, /Expected replicas to be 1, was 3/);
    await kubectl.run(['set', 'image', 'deployment/web', 'web=web:3']);
    assert.equal(await ofWeb(session, '.spec.template.spec.containers[0].image'), 'web:3');
    await kubectl.run(['rollout', 'restart', 'deployment/web']);
    assert.match(
      await ofWeb(session, '.spec.template.metadata.annotations.kubectl\\.kubernetes\\.io/restartedAt'),
      /^\d{4}-/,
    );
    assert.match(await kubectl.output('rollout', 'history', 'deployment/web'), /^deployment\.apps\/web/);
  });

  test('kubectl rollout status and wait end with the status', async () => {
    const { kubectl } = session;
    const status = kubectl.start(['rollout', 'status', 'deployment/web', '--timeout=20s']);
    await status.said('Waiting for deployment');
    const wait = kubectl.start(['wait', 'deployment/web', '--for=condition=Available', '--timeout=20s']);
    const generation = Number(await ofWeb(session, '.metadata.generation'));
    const done = {
      observedGeneration: generation,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      conditions: [{ type: 'Available', status: 'True' }],
    };
    const patch = `--patch=${JSON.stringify({ status: done })}`;
    await kubectl.run(['patch', 'deployment', 'web', '--subresource=status', '--type=merge', patch]);
    assert.equal(await status.ended, 0, status.stderr);
    assert.equal(await wait.ended, 0, wait.stderr);
    await kubectl.run(['wait', 'deployment/web', '--for=jsonpath={.status.replicas}=9', '--timeout=1s'], { status: 1 });
  });
}
