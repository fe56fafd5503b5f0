import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePod } from '../../../test/scheduling-objects.ts';
import type { PodSpec, PodStatus } from '../../resources/builtin/core/pod/objects.ts';
import { assumedRequests, podRequests } from './pod-requests.ts';

const container = (name: string, cpu: string) => ({ name, resources: { requests: { cpu } } });
const cpuOf = (spec: PodSpec, status?: PodStatus) =>
  podRequests(makePod('p', { spec, ...(status === undefined ? {} : { status }) })).get('cpu');

test('a pod requests the sum of its containers or its largest init container, and its overhead', () => {
  const containers = [container('a', '1'), container('b', '500m')];
  assert.equal(cpuOf({ containers }), 1500);
  assert.equal(cpuOf({ containers, initContainers: [container('i', '1')] }), 1500);
  assert.equal(cpuOf({ containers, initContainers: [container('i', '2')] }), 2000);
  assert.equal(cpuOf({ containers, overhead: { cpu: '100m' } }), 1600);
});

test('a sidecar counts with the containers, and with the init containers that start after it', () => {
  const sidecar = { ...container('s', '1'), restartPolicy: 'Always' };
  const containers = [container('a', '1')];
  assert.equal(cpuOf({ containers, initContainers: [sidecar] }), 2000);
  assert.equal(cpuOf({ containers, initContainers: [sidecar, container('i', '3')] }), 4000);
  assert.equal(cpuOf({ containers, initContainers: [container('i', '3'), sidecar] }), 3000);
});

test('requests of the pod as a whole replace those of its containers', () => {
  assert.equal(cpuOf({ containers: [container('a', '1')], resources: { requests: { cpu: '3' } } }), 3000);
});

test('a pod counts with the larger of what it requests and what its node has allocated', () => {
  const containers = [container('a', '1')];
  const status = (allocated: string, reason = '') => ({
    containerStatuses: [
      { name: 'a', allocatedResources: { cpu: allocated }, resources: { requests: { cpu: '500m' } } },
    ],
    conditions: [{ type: 'PodResizePending', status: 'True', reason }],
  });
  assert.equal(cpuOf({ containers }, status('2')), 2000);
  assert.equal(cpuOf({ containers }, status('500m')), 1000);
  assert.equal(cpuOf({ containers }, status('500m', 'Infeasible')), 500);
});

test('a container without requests is assumed to need 100m CPU and 200 MiB of memory', () => {
  const pod = makePod('p', { requests: { cpu: '1' } });
  assert.deepEqual(
    assumedRequests(pod, podRequests(pod)),
    new Map([
      ['cpu', 1000],
      ['memory', 200 * 2 ** 20],
    ]),
  );
});
