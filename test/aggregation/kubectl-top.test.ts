import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { answerJson, type OtherApiServer, register, startOtherApiServer, untilSays } from '../api-server.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from '../clients/kubectl.ts';

const GROUP = 'metrics.k8s.io';
const RESOURCES = [
  { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
  { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
];
const MEASURED = { timestamp: '2025-01-01T00:00:00Z', window: '10.5s' };

function list(kind: string, items: readonly object[]): object {
  return { kind: `${kind}List`, apiVersion: `${GROUP}/v1beta1`, metadata: {}, items };
}

/** An API of the shape that metrics-server has: read by get and list, kept nowhere. */
const METRICS: OtherApiServer['answer'] = ({ url }, response) => {
  const path = url.split('?')[0]!.replace(`/apis/${GROUP}/v1beta1`, '');
  const node = { metadata: { name: 'n1' }, ...MEASURED, usage: { cpu: '250m', memory: '1Gi' } };
  const container = { name: 'c', usage: { cpu: '5m', memory: '20Mi' } };
  const pod = { metadata: { name: 'web', namespace: 'default' }, ...MEASURED, containers: [container] };
  if (path === '')
    return answerJson(response, { kind: 'APIResourceList', groupVersion: `${GROUP}/v1beta1`, resources: RESOURCES });
  if (path === '/nodes') return answerJson(response, list('NodeMetrics', [node]));
  if (path === '/nodes/n1')
    return answerJson(response, { kind: 'NodeMetrics', apiVersion: `${GROUP}/v1beta1`, ...node });
  if (path === '/namespaces/default/pods' || path === '/pods') return answerJson(response, list('PodMetrics', [pod]));
  answerJson(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound' }, 404);
};

suite('kubectl top with a metrics API', { skip: withoutKubectl }, () => {
  for (const { name, binary } of oldestAndNewest()) {
    test(`${name} top shows the answers of a metrics API`, { timeout: 120_000 }, async () => {
      await using other = await startOtherApiServer(METRICS);
      await using server = await startTestServer({ listen: true });
      await using kubectl = await Kubectl.create(binary, server.kubeconfigText);
      await register(server, other, { group: GROUP, version: 'v1beta1' });
      await untilSays(server, 'Passed', `v1beta1.${GROUP}`);
      await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
      await server.patch('/api/v1/nodes/n1/status', { status: { allocatable: { cpu: '1', memory: '4Gi' } } });
      const containers = [{ name: 'c', image: 'i' }];
      await server.request('POST', '/api/v1/namespaces/default/pods', {
        metadata: { name: 'web' },
        spec: { containers },
      });
      assert.match(await kubectl.output('top', 'nodes'), /^NAME .*\nn1 +250m +25% +1024Mi +25%/);
      assert.match(await kubectl.output('top', 'node', 'n1', '--no-headers'), /^n1 +250m/);
      assert.match(await kubectl.output('top', 'pods'), /^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb +5m +20Mi/);
      assert.match(
        await kubectl.output('top', 'pods', '--containers', '--all-namespaces'),
        /default +web +c +5m +20Mi/,
      );
      other.answer = (_, response) => answerJson(response, {}, 500);
      await server.patch('/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io', {
        metadata: { labels: { look: 'again' } },
      });
      await untilSays(server, 'FailedDiscoveryCheck', `v1beta1.${GROUP}`);
      const { stderr } = await kubectl.run(['top', 'nodes'], { status: 1 });
      assert.match(stderr, /Metrics API not available|unable to handle the request/);
    });
  }
});

suite('kubectl top with simulated nodes', { skip: withoutKubectl }, () => {
  for (const { name, binary } of oldestAndNewest()) {
    test(`${name} top shows the usage of simulated nodes`, { timeout: 120_000 }, async () => {
      await using server = await startTestServer({ listen: true, nodes: 1 });
      await using kubectl = await Kubectl.create(binary, server.kubeconfigText);
      const resources = { requests: { cpu: '200m', memory: '100Mi' } };
      await server.request('POST', '/api/v1/namespaces/default/pods', {
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'c', image: 'i', resources }] },
      });
      await server.cluster.settled();
      assert.match(await kubectl.output('top', 'nodes'), /^NAME .*\nnode-1 +150m +\d+% +572Mi +\d+%/);
      assert.match(await kubectl.output('top', 'pods', '--containers'), /\nweb +c +100m +60Mi/);
      assert.match(await kubectl.output('get', 'podmetrics'), /^NAME +CPU +MEMORY +WINDOW\nweb +100m +60Mi +15s/);
    });
  }
});
