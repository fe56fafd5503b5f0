// Updates of objects that break rules which they did not have to follow when they were stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResource, strategyContext } from '../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { ResourceRequest } from './resource-request.ts';
import { validateUpdate } from './update-validation.ts';

const OFF = ['RelaxedDNSSearchValidation', 'RelaxedEnvironmentVariableValidation', 'PodLifecycleSleepActionAllowZero'];
const context = { ...strategyContext(), gateEnabled: (gate: string) => !OFF.includes(gate) };
const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
const plain = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' };

function podSpec(more: JsonObject): JsonObject {
  return { ...plain, terminationGracePeriodSeconds: 30, ...more };
}

/** The fields of the errors when a pod, and the template of a Deployment, get this spec. */
function refused(previous: JsonObject, next: JsonObject): string[][] {
  const labels = { a: 'b' };
  return (['pods', 'deployments.apps'] as const).map((resource) => {
    const definition = builtinResource(resource);
    const object = (spec: JsonObject) => {
      const own = { strategy: { type: 'Recreate' }, selector: { matchLabels: labels }, progressDeadlineSeconds: 600 };
      return {
        metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' },
        spec: resource === 'pods' ? spec : { ...own, template: { metadata: { labels }, spec } },
      } as unknown as ApiObject;
    };
    const request = { definition, subresource: '' } as unknown as ResourceRequest;
    const found = validateUpdate(
      { request, empties: [], strategyContext: () => context },
      { next: object(podSpec(next)), previous: object(podSpec(previous)) },
    );
    return found.filter(({ detail }) => !detail.startsWith('pod updates may not')).map(({ field }) => field);
  });
}

const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['not a value'] }] };
const term = { topologyKey: 'zone', labelSelector: selector };
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const token = { serviceAccountToken: { path: '../token' } };
const pages = { limits: { 'hugepages-2Mi': '1Mi', cpu: '1' }, requests: { 'hugepages-2Mi': '1Mi', cpu: '1' } };

const BROKEN: Readonly<Record<string, JsonObject>> = {
  'a search domain with an underscore': { dnsConfig: { searches: ['_sip._tcp.example.com'] } },
  'the root as a search domain': { dnsConfig: { searches: ['.'] } },
  'a variable that no shell could name': { containers: [{ ...container, env: [{ name: 'A,B', value: '' }] }] },
  'a sleep of zero seconds': { containers: [{ ...container, lifecycle: { preStop: { sleep: { seconds: 0 } } } }] },
  'a part of a huge page': { containers: [{ ...container, resources: pages }] },
  'an invalid value in the selector of an affinity': { affinity: { podAntiAffinity: { [REQUIRED]: [term] } } },
  'an invalid value in the required node affinity': {
    affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [selector] } } },
  },
  'an invalid selector of a spread constraint': { topologySpreadConstraints: [{ ...spread, labelSelector: selector }] },
  'a token outside its volume': { serviceAccountName: 'a', volumes: [{ name: 'v', projected: { sources: [token] } }] },
  'a sysctl of the network of the host': {
    hostNetwork: true,
    securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] },
  },
};

for (const [what, spec] of Object.entries(BROKEN)) {
  test(`a pod or template that was stored with ${what} can be updated, and a valid one cannot get it`, () => {
    assert.deepEqual(refused(spec, spec), [[], []]);
    for (const fields of refused({}, spec)) assert.notDeepEqual(fields, []);
  });
}

test('an invalid value is rejected beside one that an update may keep', () => {
  const previous = { dnsConfig: { searches: ['a_b'] } };
  const fields = refused(previous, { dnsConfig: { searches: ['a_b', 'not valid'] } });
  assert.deepEqual(fields[1], ['spec.template.spec.dnsConfig.searches[1]']);
});

test('an update may add relaxed names of environment variables only if it keeps a stored one', () => {
  const named = (...names: string[]) => ({ containers: [{ ...container, env: names.map((name) => ({ name })) }] });
  assert.deepEqual(refused(named('A,B'), named('A,B', 'C,D'))[1], []);
  assert.notDeepEqual(refused(named('A,B'), named('C,D'))[1], []);
});

test('an object whose selector was stored with an invalid value can be updated, and a valid one cannot get it', () => {
  const meta = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };
  const cases: [resource: string, object: JsonObject, field: string][] = [
    ['poddisruptionbudgets.policy', { spec: { selector } }, 'spec.selector'],
    [
      'networkpolicies.networking.k8s.io',
      { spec: { podSelector: selector, policyTypes: ['Ingress'] } },
      'spec.podSelector',
    ],
    ['csistoragecapacities.storage.k8s.io', { nodeTopology: selector, storageClassName: 's' }, 'nodeTopology'],
  ];
  for (const [resource, body, field] of cases) {
    const definition = builtinResource(resource);
    const request = { definition, subresource: '' } as unknown as ResourceRequest;
    const object = (own: JsonObject) => ({ metadata: meta, ...own }) as unknown as ApiObject;
    const valid = JSON.parse(JSON.stringify(body).replaceAll('not a value', 'value')) as JsonObject;
    const fields = (previous: JsonObject) =>
      validateUpdate(
        { request, empties: [], strategyContext: () => context },
        { next: object(body), previous: object(previous) },
      ).map((each) => each.field);
    const values = `${field}.matchExpressions[0].values[0]`;
    assert.ok(!fields(body).includes(values), resource);
    assert.ok(fields(valid).includes(values), resource);
  }
});
