import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode, makeSnapshot, makeWorld, nodeOf } from '../../../../test/scheduling-objects.ts';
import { atOnce } from '../../../base/steps.ts';
import type { PodSpec } from '../../../resources/builtin/core/pod/objects.ts';
import { firstRejection, isRejection } from '../filter.ts';
import type { PodInfo } from '../pod-info.ts';
import { preparing } from '../profile.ts';
import type { Snapshot } from '../snapshot.ts';

/** The reasons by which nodes reject a pod, by node. */
function reasons(pod: PodInfo, snapshot: Snapshot): Record<string, readonly string[]> {
  const filters = atOnce(preparing(pod, makeWorld(snapshot)));
  assert.ok(!('reasons' in filters));
  const found = snapshot.nodes.map((node) => [node.name, firstRejection(filters, node)?.reasons ?? []] as const);
  return Object.fromEntries(found);
}

const spec = (given: PodSpec) => makeInfo('p', { labels: { app: 'web' }, spec: given });

test('nodes that are unschedulable or have taints reject pods that do not tolerate that', () => {
  const taints = [{ key: 'k', effect: 'NoSchedule' }];
  const snapshot = makeSnapshot([
    makeNode('cordoned', { spec: { unschedulable: true } }),
    makeNode('tainted', { spec: { taints } }),
  ]);
  assert.deepEqual(reasons(spec({}), snapshot), {
    cordoned: ['node(s) were unschedulable'],
    tainted: ['node(s) had untolerated taint(s)'],
  });
  assert.deepEqual(reasons(spec({ tolerations: [{ operator: 'Exists' }] }), snapshot), { cordoned: [], tainted: [] });
});

test('a node rejects pods that select other labels, and ports that are taken', () => {
  const ports = [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80 }] }];
  const snapshot = makeSnapshot([makeNode('one')], { one: [makeInfo('other', { spec: { containers: ports } })] });
  assert.deepEqual(reasons(spec({ nodeSelector: { a: 'b' } }), snapshot).one, [
    "node(s) didn't match Pod's node affinity/selector",
  ]);
  assert.deepEqual(reasons(spec({ containers: ports }), snapshot).one, [
    "node(s) didn't have free ports for the requested pod ports",
  ]);
});

test('a node that lacks several resources is rejected with all of them', () => {
  const node = makeNode('one', { allocatable: { pods: '1', cpu: '2', 'example.com/gpu': '1' } });
  const snapshot = makeSnapshot([node], { one: [makeInfo('other', { requests: { cpu: '1' } })] });
  const pod = makeInfo('p', { requests: { cpu: '2', memory: '1Gi', 'example.com/gpu': '2' } });
  assert.deepEqual(reasons(pod, snapshot).one, ['Too many pods', 'Insufficient cpu', 'Insufficient example.com/gpu']);
});

const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });

test('topology spread constraints limit how uneven the domains may become', () => {
  const nodes = [makeNode('a', zone('a')), makeNode('b', zone('b')), makeNode('none')];
  const web = (name: string) => makeInfo(name, { labels: { app: 'web' } });
  const snapshot = makeSnapshot(nodes, { a: [web('one')] });
  const constraint = {
    ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    labelSelector: { matchLabels: { app: 'web' } },
  };
  const uneven = "node(s) didn't match pod topology spread constraints";
  assert.deepEqual(reasons(spec({ topologySpreadConstraints: [constraint] }), snapshot), {
    a: [uneven],
    b: [],
    none: [`${uneven} (missing required label)`],
  });
  assert.deepEqual(reasons(spec({ topologySpreadConstraints: [{ ...constraint, minDomains: 3 }] }), snapshot).b, []);
  const honors = { ...constraint, nodeAffinityPolicy: 'Honor' };
  const onlyA = spec({ nodeSelector: { 'kubernetes.io/hostname': 'a' }, topologySpreadConstraints: [honors] });
  assert.deepEqual(reasons(onlyA, snapshot).a, []);
});

const term = (app: string) => ({
  labelSelector: { matchLabels: { app } },
  topologyKey: 'topology.kubernetes.io/zone',
});

test('a pod with a required affinity goes to the zone of a matching pod', () => {
  const nodes = [makeNode('a', zone('a')), makeNode('b', zone('b'))];
  const near = (app: string) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(app)] } },
  });
  const snapshot = makeSnapshot(nodes, { a: [makeInfo('db', { labels: { app: 'db' } })] });
  const notNear = "node(s) didn't match pod affinity rules";
  assert.deepEqual(reasons(spec(near('db')), snapshot), { a: [], b: [notNear] });
  assert.deepEqual(reasons(spec(near('cache')), snapshot), { a: [notNear], b: [notNear] });
  assert.deepEqual(reasons(spec(near('web')), snapshot), { a: [], b: [] }, 'the first pod of a group may go anywhere');
});

test('an anti-affinity keeps pods apart, whichever of them has it', () => {
  const nodes = [makeNode('a', zone('a')), makeNode('b', zone('b'))];
  const far = (app: string) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(app)] } },
  });
  const snapshot = makeSnapshot(nodes, {
    a: [makeInfo('db', { labels: { app: 'db' } })],
    b: [makeInfo('loner', { spec: far('web') })],
  });
  assert.deepEqual(reasons(spec(far('db')), snapshot), {
    a: ["node(s) didn't match pod anti-affinity rules"],
    b: ["node(s) didn't satisfy existing pods anti-affinity rules"],
  });
  const elsewhere = makeInfo('p', { namespace: 'other', spec: far('db') });
  assert.deepEqual(reasons(elsewhere, snapshot), { a: [], b: [] }, 'terms are about their own namespace');
});

test('filters take into account pods that are added and removed', () => {
  const far = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('db')] } } };
  const db = makeInfo('db', { labels: { app: 'db' } });
  const snapshot = makeSnapshot([makeNode('a', zone('a'))], { a: [db] });
  const filters = atOnce(preparing(spec(far), makeWorld(snapshot)));
  assert.ok(!('reasons' in filters));
  const filter = filters.find(({ name }) => name === 'InterPodAffinity');
  const copy = filter?.copy?.();
  const node = nodeOf(snapshot, 'a');
  copy?.moved?.(db, node, -1);
  assert.equal(copy?.check(node), undefined);
  assert.ok(filter !== undefined && !isRejection(filter) && filter.check(node)?.isResolvable);
});
