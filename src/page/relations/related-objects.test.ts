import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import type { Known } from './links.ts';
import { relatedObjects } from './related-objects.ts';

const NAMES: Readonly<Record<string, readonly [group: string, name: string]>> = {
  Pod: ['', 'pods'],
  Service: ['', 'services'],
  ConfigMap: ['', 'configmaps'],
  Deployment: ['apps', 'deployments'],
  StatefulSet: ['apps', 'statefulsets'],
  Ingress: ['networking.k8s.io', 'ingresses'],
};

const known = (kind: string, name: string, spec: object = {}, labels: object = {}): Known => {
  const [group = '', plural = ''] = NAMES[kind]!;
  return {
    resource: { group, version: 'v1', name: plural, kind } as Resource,
    object: {
      metadata: { name, namespace: 'shop', uid: `${kind} ${name}`, resourceVersion: '1', labels },
      spec,
    } as never,
  };
};
const shown = (self: Known, others: readonly Known[], isComplete = (_: string, __: string) => true) =>
  relatedObjects(self, others, isComplete).map(
    ({ kind, name, how, isMissing }) => `${isMissing ? 'missing ' : ''}${kind} ${name}: ${how}`,
  );

const SERVICE = known('Service', 'web', { selector: { app: 'web' } });
const INGRESS = known('Ingress', 'shop', { defaultBackend: { service: { name: 'web' } } });
const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: { volumes: [{ configMap: { name: 'settings' } }] } };

test('a pod is listed with its Services, the Ingresses that route to them, and what it uses', () => {
  const pod = known('Pod', 'web-1', TEMPLATE.spec, { app: 'web' });
  const others = [
    SERVICE,
    INGRESS,
    known('Service', 'cart', { selector: { app: 'cart' } }),
    known('ConfigMap', 'settings'),
  ];
  assert.deepEqual(shown(pod, others), [
    'ConfigMap settings: volume',
    'Ingress shop: routes to web',
    'Service web: selects it',
  ]);
});

test('a workload is listed with the Services of its pods, even if it has none', () => {
  const deployment = known('Deployment', 'web', { template: TEMPLATE });
  assert.deepEqual(shown(deployment, [SERVICE, INGRESS]), [
    'missing ConfigMap settings: volume',
    'Ingress shop: routes to web',
    'Service web: selects its pods',
  ]);
});

test('an object that is referred to in several ways is listed once', () => {
  const set = known('StatefulSet', 'web', { serviceName: 'web', template: TEMPLATE });
  const list = shown(set, [SERVICE, known('ConfigMap', 'settings')]);
  assert.ok(list.includes('Service web: names of pods, selects its pods'));
});

test('users of a ConfigMap are listed with it', () => {
  const others = [known('Deployment', 'web', { template: TEMPLATE }), known('Deployment', 'cart', {})];
  assert.deepEqual(shown(known('ConfigMap', 'settings'), others), ['Deployment web: uses it: volume']);
});

test('objects of kinds that were not read are not reported as missing', () => {
  const pod = known('Pod', 'web-1', TEMPLATE.spec);
  assert.deepEqual(
    shown(pod, [], () => false),
    ['ConfigMap settings: volume'],
  );
});
