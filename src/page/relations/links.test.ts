import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import { type Known, linksAmong } from './links.ts';

const RESOURCES: Readonly<Record<string, Pick<Resource, 'group' | 'name'>>> = {
  Pod: { group: '', name: 'pods' },
  Service: { group: '', name: 'services' },
  ConfigMap: { group: '', name: 'configmaps' },
  ReplicaSet: { group: 'apps', name: 'replicasets' },
  Ingress: { group: 'networking.k8s.io', name: 'ingresses' },
  PodDisruptionBudget: { group: 'policy', name: 'poddisruptionbudgets' },
};

const known = (kind: string, name: string, members: object = {}, metadata: object = {}): Known => ({
  resource: { ...RESOURCES[kind], kind } as Resource,
  object: { metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', ...metadata }, ...members },
});
const always = () => true;
const shown = (all: readonly Known[]) =>
  linksAmong(all, always).links.map(({ from, to, use }) => `${from} ${use} ${to}`);

const POD = known('Pod', 'pod', {}, { labels: { app: 'web', tier: 'front' } });

test('an owner, a selector and a reference link objects', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'set' };
  const backend = { service: { name: 'service' } };
  assert.deepEqual(
    shown([
      known('Ingress', 'ingress', { spec: { defaultBackend: backend } }),
      known('Service', 'service', { spec: { selector: { app: 'web' } } }),
      known('ReplicaSet', 'set'),
      known('Pod', 'pod', {}, { labels: { app: 'web' }, ownerReferences: [owner] }),
    ]),
    ['ingress backend service', 'service selects pod', 'set owns pod'],
  );
});

test('a Service without a selector selects nothing, a PodDisruptionBudget with an empty one everything', () => {
  assert.deepEqual(shown([POD, known('Service', 'external', { spec: {} })]), []);
  assert.deepEqual(shown([POD, known('PodDisruptionBudget', 'all', { spec: { selector: {} } })]), ['all selects pod']);
  assert.deepEqual(shown([POD, known('PodDisruptionBudget', 'none', { spec: {} })]), []);
});

test('pods of other namespaces and with other labels are not selected', () => {
  const service = known('Service', 'service', { spec: { selector: { app: 'web' } } });
  const elsewhere = known('Pod', 'far', {}, { namespace: 'other', labels: { app: 'web' } });
  const other = known('Pod', 'near', {}, { labels: { app: 'cart' } });
  assert.deepEqual(shown([service, elsewhere, other]), []);
});

test('a reference to an object that does not exist is missing, unless it is optional or its kind is unknown', () => {
  const volumes = [
    { configMap: { name: 'gone' } },
    { configMap: { name: 'optional', optional: true } },
    { secret: { secretName: 'unseen' } },
  ];
  const { missing } = linksAmong([known('Pod', 'pod', { spec: { volumes } })], (_, kind) => kind !== 'Secret');
  assert.deepEqual(
    missing.map(({ from, reference }) => [from, reference.kind, reference.name]),
    [['pod', 'ConfigMap', 'gone']],
  );
});

test('an invalid selector selects nothing', () => {
  const selector = { matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] };
  assert.deepEqual(shown([POD, known('PodDisruptionBudget', 'bad', { spec: { selector } })]), []);
});
