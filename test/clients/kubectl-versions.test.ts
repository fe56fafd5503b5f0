// Every kubectl that is installed, one after another, against one server: a short day's work each.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { installedKubectls, Kubectl, withoutKubectl } from './kubectl.ts';

suite('the commands of every kubectl', { skip: withoutKubectl, timeout: 240_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ listen: true });
  });
  after(() => server?.close());

  for (const { name, binary } of installedKubectls()) {
    test(`the commands of ${name} work`, async () => {
      await using kubectl = await Kubectl.create(binary, server.kubeconfigText);
      await shortDay(kubectl, name.replaceAll('.', '-'));
    });
  }
});

async function shortDay(kubectl: Kubectl, namespace: string): Promise<void> {
  const within = `--namespace=${namespace}`;
  const replicas = () => kubectl.output('get', 'deployment/web', within, '--output=jsonpath={.spec.replicas}');
  const apply = async (count: number, ...flags: string[]) => {
    const { stdout } = await kubectl.run(['apply', '--filename=-', ...flags], { input: web(namespace, count) });
    return stdout.trim().split('\n');
  };
  assert.deepEqual(await apply(1), [`namespace/${namespace} created`, 'deployment.apps/web created']);
  assert.deepEqual(await apply(1), [`namespace/${namespace} unchanged`, 'deployment.apps/web unchanged']);

  const { stdout } = await kubectl.run(['diff', '--filename=-'], { input: web(namespace, 2), status: 1 });
  assert.match(stdout, /^\+ +replicas: 2$/m);
  await kubectl.run(['apply', '--filename=-', '--dry-run=server'], { input: web(namespace, 2) });
  assert.equal(await replicas(), '1');
  assert.equal((await apply(2))[1], 'deployment.apps/web configured');
  assert.equal((await apply(3, '--server-side', '--force-conflicts'))[1], 'deployment.apps/web serverside-applied');
  await kubectl.run(['scale', 'deployment/web', '--replicas=4', within]);
  assert.equal(await replicas(), '4');

  const wrong = web(namespace, 1).replace('replicas:', 'replicaz:');
  const { stderr } = await kubectl.run(['apply', '--filename=-'], { input: wrong, status: 1 });
  assert.match(stderr, /unknown field "spec\.replicaz"/);
  assert.match(await kubectl.output('explain', 'deployment.spec.replicas'), /FIELD: +replicas <integer>/);
  assert.match(await kubectl.output('get', 'deployments', within), /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb /);

  await kubectl.run(['delete', 'namespace', namespace, '--timeout=30s']);
  await kubectl.run(['get', 'deployment/web', within], { status: 1 });
}

function web(namespace: string, replicas: number): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: ${namespace} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "example.com/web:1" }] }
`;
}
