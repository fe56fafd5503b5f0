import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import type { Neighbour } from '../relations/use-neighbours.ts';
import { topologyOf } from './topology.ts';

const NAMES: Readonly<Record<string, readonly [group: string, name: string]>> = {
  Deployment: ['apps', 'deployments'],
  ReplicaSet: ['apps', 'replicasets'],
  Pod: ['', 'pods'],
  Service: ['', 'services'],
  ConfigMap: ['', 'configmaps'],
};

function neighbour(kind: string, name: string, members: object = {}, owner?: string): Neighbour {
  const [group = '', plural = ''] = NAMES[kind]!;
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'X', name: owner, uid: owner, controller: true }];
  const metadata = {
    name,
    namespace: 'shop',
    uid: name,
    resourceVersion: '1',
    labels: { app: 'web' },
    ownerReferences,
  };
  const object = { metadata, ...members };
  const columns = [{ name: 'Status', type: 'string', priority: 0 }];
  return {
    resource: { group, version: 'v1', name: plural, kind } as Resource,
    object,
    row: { cells: ['Running'], meta: metadata, object },
    columns,
  };
}

const SPEC = { volumes: [{ configMap: { name: 'settings' } }] };
const WEB: readonly Neighbour[] = [
  neighbour('Service', 'web', { spec: { selector: { app: 'web' } } }),
  neighbour('Deployment', 'deploy', { spec: { template: { spec: SPEC } } }),
  neighbour('ReplicaSet', 'set', { spec: { replicas: 2, template: { spec: SPEC } } }, 'deploy'),
  neighbour('Pod', 'pod-1', { spec: SPEC }, 'set'),
  neighbour('Pod', 'pod-2', { spec: SPEC }, 'set'),
  neighbour('ConfigMap', 'settings'),
];
const graph = (all: readonly Neighbour[], hidden: readonly string[] = [], bounds = { objects: 100, ofOneOwner: 10 }) =>
  topologyOf({ all, isComplete: () => true }, hidden, bounds);
const shown = ({ links }: ReturnType<typeof topologyOf>) =>
  links.map(({ from, to, by }) => `${from} ${by} ${to}`).sort();

test('a topology links the references of pods with their controller only', () => {
  assert.deepEqual(shown(graph(WEB)), [
    'deploy owner set',
    'deploy reference settings',
    'set owner pod-1',
    'set owner pod-2',
    'web selector pod-1',
    'web selector pod-2',
  ]);
});

test('a topology shows some of many pods of one owner, and the others as one node', () => {
  const many = [...WEB, neighbour('Pod', 'pod-3', {}, 'set')];
  const found = graph(many, [], { objects: 100, ofOneOwner: 1 });
  const fold = found.nodes.find(({ type }) => type === 'fold');
  assert.deepEqual(fold, { type: 'fold', id: 'set Pod', kind: 'Pod', count: 2 });
  assert.deepEqual(
    shown(found).filter((link) => link.endsWith('set Pod')),
    ['set owner set Pod', 'web selector set Pod'],
  );
});

test('a topology hides selected kinds, ReplicaSets without pods and kube-root-ca.crt', () => {
  const all = [
    ...WEB,
    neighbour('ReplicaSet', 'former', { spec: { replicas: 0 }, status: { replicas: 0 } }, 'deploy'),
    neighbour('ConfigMap', 'kube-root-ca.crt'),
  ];
  assert.deepEqual(
    graph(all, ['/pods', '/services']).nodes.map(({ id }) => id),
    ['deploy', 'set', 'settings'],
  );
});

test('a topology shows a referenced object that does not exist', () => {
  const found = graph(WEB.slice(0, 5));
  assert.equal(found.nodes.at(-1)?.id, 'missing ConfigMap settings');
  assert.ok(shown(found).includes('deploy reference missing ConfigMap settings'));
});

test('a topology counts the objects beyond its limit', () => {
  const { nodes, leftOut } = graph(WEB, [], { objects: 4, ofOneOwner: 10 });
  assert.equal(leftOut, 2);
  assert.equal(nodes.filter(({ type }) => type === 'object').length, 4);
});
