import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { ManualClock } from '../../base/clock.ts';
import { PodAddresses } from '../nodes/pod-addresses.ts';
import { podSubjects, type SubjectNeeds } from './stage-subjects.ts';

function subjects() {
  const range = new PodAddresses('10.200.0.0/24');
  const up = { life: { address: '10.199.0.1', addresses: () => range }, node: {} };
  const nodeLives = { up: (name: string) => (name === 'node-1' ? up : undefined), get: () => up.life };
  const nodes = { get: () => undefined };
  const needs = { context: { clock: new ManualClock() }, nodes, nodeLives: () => nodeLives, startedMs: 0 };
  return { range, pods: podSubjects(needs as unknown as SubjectNeeds) };
}

function pod(
  name: string,
  { uid = name, ...status }: { uid?: string; podIP?: string; phase?: string } = {},
): ApiObject {
  return { kind: 'Pod', metadata: { name, namespace: 'a', uid }, spec: { nodeName: 'node-1' }, status };
}

test('only pods on nodes that are up are driven by Stages', () => {
  const { pods } = subjects();
  assert.equal(pods.isManaged(pod('web')), true);
  assert.equal(pods.isManaged({ ...pod('web'), spec: { nodeName: 'other' } }), false);
  assert.equal(pods.isManaged({ ...pod('web'), spec: {} }), false);
});

test('a pod that Stages drive keeps its address until it has ended or is gone', () => {
  const { pods, range } = subjects();
  const addressOf = (of: ApiObject) => pods.surroundings(of).podAddress('node-1');
  const addresses = new Set(['a', 'b'].map((name) => addressOf(pod(name))));
  assert.deepEqual([...addresses], ['10.200.0.2', '10.200.0.3']);
  assert.equal(addressOf(pod('a')), '10.200.0.2');
  // Assigned by whatever drove it before.
  pods.isManaged(pod('old', { podIP: '10.200.0.9' }));
  for (let count = 0; count < 250; count++) assert.notEqual(range.assign(), undefined);
  assert.equal(range.assign(), undefined);
  assert.equal(addressOf(pod('c')), '');
  pods.isManaged(pod('a', { podIP: '10.200.0.2', phase: 'Succeeded' }));
  assert.equal(addressOf(pod('c')), '10.200.0.2');
  pods.forget('a/b');
  assert.equal(addressOf(pod('d')), '10.200.0.3');
  // Another pod of the same name.
  pods.isManaged(pod('old', { uid: 'new' }));
  assert.equal(addressOf(pod('e')), '10.200.0.9');
});
