// Tests of kubectl's commands that need a cluster that lives, with the oldest and the newest kubectl that is installed:
// each is given to simulated nodes, and ends as it does with real ones.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { commonNameOf, der, pemOf, signedRequestOf } from '../signing-request.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';

suite('kubectl in a cluster with nodes', { skip: withoutKubectl }, () => {
  for (const { name, binary } of oldestAndNewest()) suite(name, { timeout: 180_000 }, () => commands(binary));
});

interface Session {
  server: TestServer;
  kubectl: Kubectl;
}

function commands(binary: string): void {
  // Filled before the first test.
  const session = {} as Session;
  before(async () => {
    session.server = await startTestServer({ nodes: 3, listen: true });
    session.kubectl = await Kubectl.create(binary, session.server.kubeconfigText);
  });
  after(async () => {
    await session.kubectl?.[Symbol.asyncDispose]();
    await session.server?.close();
  });
  workloads(session);
  containers(session);
  nodes(session);
}

function workloads(session: Session): void {
  test('kubectl in a cluster with nodes watches, undoes and restarts a rollout', async () => {
    const { kubectl } = session;
    const rolledOut = async () =>
      assert.match(
        await kubectl.output('rollout', 'status', 'deployment/web', '--timeout=60s'),
        /successfully rolled out/,
      );
    await kubectl.run(['create', 'deployment', 'web', '--image=nginx:1', '--replicas=3', '--port=80']);
    await rolledOut();
    await kubectl.run(['wait', '--for=condition=Available', 'deployment/web', '--timeout=60s']);
    await kubectl.run(['set', 'image', 'deployment/web', 'nginx=nginx:2']);
    await rolledOut();
    assert.match(await kubectl.output('rollout', 'history', 'deployment/web'), /^1 .*\n2 /m);
    await kubectl.run(['rollout', 'undo', 'deployment/web']);
    await rolledOut();
    const images = ['get', 'pods', '--selector=app=web', '--output=jsonpath={.items[*].spec.containers[*].image}'];
    assert.equal(await kubectl.output(...images), 'nginx:1 nginx:1 nginx:1');
    await kubectl.run(['rollout', 'restart', 'deployment/web']);
    await rolledOut();
    await kubectl.run(['scale', 'deployment/web', '--replicas=4']);
    await rolledOut();
    assert.match(await kubectl.output('get', 'deployment', 'web'), /^web +4\/4 +4 +4 /m);
  });

  test('kubectl in a cluster with nodes reaches the pods of a Service by port-forward', async () => {
    const { kubectl } = session;
    await kubectl.run(['expose', 'deployment/web', '--port=8080', '--target-port=80']);
    await session.server.cluster.settled();
    assert.match(await kubectl.output('describe', 'service', 'web'), /^Endpoints: +\d+\.\d+\.\d+\.\d+:80,/m);
    const forwarding = kubectl.start(['port-forward', 'service/web', ':8080']);
    await forwarding.said(/Forwarding from 127\.0\.0\.1:(\d+)/);
    const port = /127\.0\.0\.1:(\d+)/.exec(forwarding.stdout)![1];
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
    forwarding.kill();
  });

  test('kubectl autoscale adds pods up to the maximum while they exceed their target', async () => {
    const { server, kubectl } = session;
    const busy = JSON.stringify({ metadata: { annotations: { 'keelson.dev/cpu-usage': '180m' } } });
    await kubectl.run(['run', 'single', '--image=busy', `--overrides=${busy}`]);
    await kubectl.run(['create', '--filename=-'], { input: JSON.stringify(busyDeployment) });
    await kubectl.run(['rollout', 'status', 'deployment/busy', '--timeout=60s']);
    await kubectl.run(['autoscale', 'deployment/busy', '--cpu-percent=90', '--min=1', '--max=5']);
    await server.clock!.advance('2m');
    assert.equal(await kubectl.output('get', 'deployment', 'busy', '--output=jsonpath={.spec.replicas}'), '5');
    assert.match(await kubectl.output('top', 'pods', 'single'), /^single +180m /m);
  });

  test('kubectl in a cluster with nodes creates Jobs, also from a CronJob, which complete', async () => {
    const { kubectl } = session;
    await kubectl.run(['create', 'job', 'once', '--image=busybox', '--', 'true']);
    await kubectl.run(['create', 'cronjob', 'yearly', '--image=busybox', '--schedule=0 0 1 1 *', '--', 'true']);
    await kubectl.run(['create', 'job', 'now', '--from=cronjob/yearly']);
    await kubectl.run(['wait', '--for=condition=complete', 'job/once', 'job/now', '--timeout=60s']);
    assert.match(await kubectl.output('get', 'job', 'now'), /1\/1/);
  });

  test('kubectl in a cluster with nodes shows pods of a StatefulSet created in order, each with its claim', async () => {
    const { kubectl } = session;
    await kubectl.run(['create', '--filename=-'], { input: JSON.stringify(statefulSet) });
    await kubectl.run(['rollout', 'status', 'statefulset/db', '--timeout=60s']);
    const names = await kubectl.output('get', 'persistentvolumeclaims', '--output=name');
    assert.equal(names, 'persistentvolumeclaim/data-db-0\npersistentvolumeclaim/data-db-1');
    const phases = ['get', 'persistentvolumeclaims', '--output=jsonpath={.items[*].status.phase}'];
    assert.equal(await kubectl.output(...phases), 'Bound Bound');
  });
}

function containers(session: Session): void {
  test('kubectl logs and exec reach a container', async () => {
    const { kubectl } = session;
    await kubectl.run(['run', 'shell', '--image=busybox', '--command', '--', 'sleep', '3600']);
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/shell', '--timeout=60s']);
    assert.notEqual(await kubectl.output('logs', 'shell'), '');
    assert.equal(await kubectl.output('exec', 'shell', '--', 'echo', 'hello'), 'hello');
  });

  test('kubectl describe shows the events of a pod', async () => {
    const described = await session.kubectl.output('describe', 'pod', 'shell');
    for (const reason of ['Scheduled', 'Pulled', 'Created', 'Started']) {
      assert.match(described, new RegExp(`^ +Normal +${reason} `, 'm'));
    }
  });

  test('kubectl in a cluster with nodes shows the back-off of a container that crashes', async () => {
    const { server, kubectl } = session;
    const crashing = JSON.stringify({ metadata: { annotations: { 'keelson.dev/crash-after': '1s' } } });
    await kubectl.run(['run', 'crashing', '--image=busybox', `--overrides=${crashing}`]);
    await server.clock!.advance('1m');
    assert.match(await kubectl.output('get', 'pod', 'crashing'), /^crashing +0\/1 +CrashLoopBackOff +[23] /m);
    await kubectl.run(['delete', 'pod', 'crashing', '--wait']);
  });
}

function nodes(session: Session): void {
  test('kubectl drain evicts pods from a node, and uncordon lets them return', async () => {
    const { server, kubectl } = session;
    const byNode = ['get', 'pods', '--field-selector=spec.nodeName=node-1', '--output=name'];
    assert.notEqual(await kubectl.output(...byNode), '');
    await kubectl.run(['drain', 'node-1', '--ignore-daemonsets', '--force', '--delete-emptydir-data']);
    assert.equal(await kubectl.output(...byNode), '');
    assert.match(await kubectl.output('get', 'node', 'node-1'), /Ready,SchedulingDisabled/);
    await kubectl.run(['uncordon', 'node-1']);
    await kubectl.run(['scale', 'deployment/web', '--replicas=12']);
    await server.cluster.settled();
    assert.notEqual(await kubectl.output(...byNode), '');
  });

  test('kubectl taint evicts pods that do not tolerate the taint', async () => {
    const { server, kubectl } = session;
    await kubectl.run(['taint', 'node', 'node-2', 'broken=yes:NoExecute']);
    await server.cluster.settled();
    const byNode = ['get', 'pods', '--field-selector=spec.nodeName=node-2', '--output=name'];
    assert.equal(await kubectl.output(...byNode), '');
    await kubectl.run(['taint', 'node', 'node-2', 'broken-']);
    assert.match(await kubectl.output('top', 'nodes'), /^node-2 +\d+m /m);
  });

  test('kubectl certificate approve gets a certificate issued', async () => {
    const { server, kubectl } = session;
    const spec = {
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      request: signingRequest(),
    };
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'alice' },
    };
    await kubectl.run(['create', '--filename=-'], { input: JSON.stringify({ ...request, spec }) });
    await kubectl.run(['certificate', 'approve', 'alice']);
    await server.cluster.settled();
    assert.match(await kubectl.output('get', 'csr', 'alice'), / Approved,Issued$/m);
    const issued = await kubectl.output('get', 'csr', 'alice', '--output=jsonpath={.status.certificate}');
    assert.equal(new X509Certificate(Buffer.from(issued, 'base64')).subject, 'CN=alice');
  });
}

const resources = { requests: { cpu: '100m' } };

const busyDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'busy' },
  spec: {
    selector: { matchLabels: { app: 'busy' } },
    template: {
      metadata: { labels: { app: 'busy' }, annotations: { 'keelson.dev/cpu-usage': '180m' } },
      spec: { containers: [{ name: 'main', image: 'busy', resources }] },
    },
  },
};

const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas: 2,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'postgres' }] } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

/** A request for the certificate of a user called alice, in base64. */
function signingRequest(): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = signedRequestOf([commonNameOf('alice')], {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'),
    algorithm: der(0x30, der(0x06, '\x2a\x86\x48\xce\x3d\x04\x03\x02')),
    sign: (bytes) => sign('sha256', Buffer.from(bytes, 'latin1'), privateKey).toString('latin1'),
  });
  return btoa(pemOf(text));
}
