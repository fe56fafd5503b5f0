import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { ShortTurns } from '../../base/short-turns.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';
import { MetricRegistry } from '../../lifecycle/metrics.ts';
import { declarePodSecurityMetrics } from '../../lifecycle/pod-security-metrics.ts';
import { builtinResources } from '../../resources/builtin/resources.ts';
import type { AdmissionRequest } from '../chain.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { DEFAULT_POD_SECURITY } from './configuration.ts';
import { podSecurity } from './pod-security.ts';

interface Asked {
  readonly resource?: string;
  readonly operation?: AdmissionRequest['operation'];
  readonly subresource?: string;
  readonly previous?: ApiObject;
  /** What the namespace enforces and warns of, without the labels' prefix; undefined: there is no namespace. */
  readonly labels?: Record<string, string> | undefined;
  readonly pods?: readonly ApiObject[];
  /** How far the clock moves each time it is read. */
  readonly clockStepMs?: number;
  readonly registry?: MetricRegistry;
}

function labelled(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
  );
}

function namespace(labels: Record<string, string>): ApiObject {
  return { metadata: { name: 'n', labels: labelled(labels) } };
}

/** The warnings that a write brings. */
async function warningsOf(object: ApiObject, asked: Asked = {}): Promise<string[]> {
  const { resource = 'pods', operation = 'create', subresource = '', previous, pods = [], clockStepMs = 0 } = asked;
  const { registry = new MetricRegistry() } = asked;
  const labels = 'labels' in asked ? asked.labels : {};
  const definition = builtinResources.find((each) => each.resource === resource);
  assert.ok(definition !== undefined);
  const objects: ObjectLookup = {
    find: async () => (labels === undefined ? undefined : namespace(labels)),
    all: async (_, within) => (within === 'n' ? [...pods] : []),
  };
  const clock = new (class extends ManualClock {
    override now(): number {
      this.advance(clockStepMs);
      return super.now();
    }
  })();
  const warnings: string[] = [];
  const user = { name: 'u' };
  const request = { definition, namespace: definition.namespaced ? 'n' : '', name: '', subresource, warnings, user };
  const admission = { request, operation, object, previous, dryRun: false };
  // Plugins may be asked for more than they need here.
  const configuration = DEFAULT_POD_SECURITY;
  const metrics = declarePodSecurityMetrics(registry);
  const turns = new ShortTurns(new ManualClock(), setImmediate);
  await podSecurity({ objects, clock, turns, gates: new FeatureGates(), configuration, metrics }).admit(
    admission as unknown as AdmissionRequest,
  );
  return warnings;
}

function pod(spec: JsonObject = {}, metadata: JsonObject = {}): ApiObject {
  return { metadata: { name: 'a', ...metadata }, spec: { containers: [{ name: 'app', image: 'i:1' }], ...spec } };
}

const onHost = { hostNetwork: true };
const BREACH = '"baseline:latest": host namespaces (hostNetwork=true)';
const refused = { code: 403, message: `pods "a" is forbidden: violates PodSecurity ${BREACH}` };

describe('PodSecurity of pods', () => {
  it('a pod in a namespace without Pod Security labels is admitted without warnings', async () => {
    assert.deepEqual(await warningsOf(pod(onHost)), []);
  });

  it('a pod that violates the enforced level is forbidden, without warnings', async () => {
    const labels = { enforce: 'baseline', warn: 'restricted' };
    await assert.rejects(warningsOf(pod(onHost), { labels }), refused);
  });

  it('a pod that violates the warn level is admitted with a warning, and one that violates the audit level without', async () => {
    assert.deepEqual(await warningsOf(pod(onHost), { labels: { warn: 'baseline' } }), [
      `would violate PodSecurity ${BREACH}`,
    ]);
    assert.deepEqual(await warningsOf(pod(onHost), { labels: { audit: 'baseline' } }), []);
  });

  it('the message of a violation names the version that the level is pinned to', async () => {
    const labels = { enforce: 'baseline', 'enforce-version': 'v1.20' };
    await assert.rejects(
      warningsOf(pod(onHost), { labels }),
      /violates PodSecurity "baseline:v1\.20": host namespaces/,
    );
  });

  it('an invalid enforce label enforces the level restricted', async () => {
    await assert.rejects(
      warningsOf(pod(), { labels: { enforce: 'strict' } }),
      /violates PodSecurity "restricted:latest"/,
    );
  });

  const image = (name: string) => ({ containers: [{ name: 'app', image: name }] });
  const ephemeral = (name: string) => ({ ephemeralContainers: [{ name: 'e', image: name }] });
  const updates: readonly [string, JsonObject, JsonObject, boolean][] = [
    ['no change', {}, {}, false],
    ['a new image', image('i:1'), image('i:2'), true],
    [
      'a new image of an init container',
      { initContainers: [{ image: 'a' }] },
      { initContainers: [{ image: 'b' }] },
      true,
    ],
    ['a new ephemeral container', {}, ephemeral('e:1'), true],
    ['a new image of an ephemeral container', ephemeral('e:1'), ephemeral('e:2'), true],
    ['an unchanged ephemeral container', ephemeral('e:1'), ephemeral('e:1'), false],
    ['a new activeDeadlineSeconds', {}, { activeDeadlineSeconds: 5 }, false],
  ];
  for (const [title, before, after, isChecked] of updates) {
    it(`an update of a pod with ${title} is ${isChecked ? 'checked' : 'not checked'}`, async () => {
      const previous = pod({ ...onHost, ...before });
      const asked: Asked = { operation: 'update', previous, labels: { enforce: 'baseline' } };
      const write = warningsOf(pod({ ...onHost, ...after }), asked);
      if (isChecked) await assert.rejects(write, refused);
      else assert.deepEqual(await write, []);
    });
  }

  it('PodSecurity checks the subresource ephemeralcontainers, but not status and eviction', async () => {
    const labels = { enforce: 'baseline' };
    const previous = pod(onHost);
    const next = pod({ ...onHost, ...ephemeral('e:1') });
    const update: Asked = { operation: 'update', previous, labels };
    await assert.rejects(warningsOf(next, { ...update, subresource: 'ephemeralcontainers' }), refused);
    assert.deepEqual(await warningsOf(next, { ...update, subresource: 'status' }), []);
    assert.deepEqual(await warningsOf(pod(onHost), { labels, subresource: 'eviction' }), []);
  });

  it('a pod in a namespace that is not found is answered with 500', async () => {
    const isInternal = { code: 500, message: 'Internal error occurred: failed to lookup namespace "n"' };
    await assert.rejects(warningsOf(pod(), { labels: undefined }), isInternal);
  });
});

describe('PodSecurity of workloads', () => {
  const template = { metadata: {}, spec: { containers: [{ name: 'app' }], ...onHost } };
  const makers: readonly [string, JsonObject][] = [
    ['replicationcontrollers', { spec: { template } }],
    ['podtemplates', { template }],
    ['replicasets', { spec: { template } }],
    ['deployments', { spec: { template } }],
    ['statefulsets', { spec: { template } }],
    ['daemonsets', { spec: { template } }],
    ['jobs', { spec: { template } }],
    ['cronjobs', { spec: { jobTemplate: { spec: { template } } } }],
  ];
  for (const [resource, members] of makers) {
    it(`a template that violates a level causes a warning for ${resource}`, async () => {
      const object = { metadata: { name: 'a' }, ...members } as ApiObject;
      const expected = [`would violate PodSecurity ${BREACH}`];
      assert.deepEqual(await warningsOf(object, { resource, labels: { enforce: 'baseline' } }), expected);
      const update: Asked = { resource, labels: { warn: 'baseline' }, operation: 'update', previous: object };
      assert.deepEqual(await warningsOf(object, update), expected);
      assert.deepEqual(await warningsOf(object, { ...update, subresource: 'status' }), []);
      assert.deepEqual(await warningsOf(object, { resource }), []);
    });
  }

  it('an object without a pod template causes no warning', async () => {
    const object = { metadata: { name: 'a' }, spec: {} };
    assert.deepEqual(
      await warningsOf(object, { resource: 'replicationcontrollers', labels: { warn: 'baseline' } }),
      [],
    );
    assert.deepEqual(await warningsOf(object, { resource: 'services', labels: { warn: 'baseline' } }), []);
  });
});

describe('PodSecurity of namespaces', () => {
  const resource = 'namespaces';
  const changed = (before: Record<string, string>, after: Record<string, string>, more: Asked = {}) =>
    warningsOf(namespace(after), { resource, operation: 'update', previous: namespace(before), ...more });

  it('a namespace with a new invalid Pod Security label is invalid', async () => {
    const isInvalid = (error: unknown) => error instanceof ApiError && error.code === 422;
    await assert.rejects(warningsOf(namespace({ enforce: 'strict' }), { resource }), isInvalid);
    await assert.rejects(changed({}, { 'audit-version': '1.2' }), isInvalid);
    await assert.rejects(changed({ enforce: 'bad' }, { enforce: 'strict' }), isInvalid);
  });

  it('an update of a namespace may keep an invalid Pod Security label', async () => {
    assert.deepEqual(await changed({ enforce: 'strict' }, { enforce: 'strict' }), []);
  });

  const pods = [
    pod({}, { name: 'meek' }),
    pod(onHost, { name: 'c' }),
    pod(onHost, { name: 'b' }),
    pod({ hostPID: true, ...onHost, volumes: [{ name: 'v', hostPath: {} }] }, { name: 'd' }),
    pod(onHost, { name: 'e' }),
  ];
  const told = [
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    'b (and 2 other pods): host namespaces',
    'd: host namespaces, hostPath volumes',
  ];

  it('a stricter enforce label causes warnings about existing pods that violate it', async () => {
    assert.deepEqual(await changed({}, { enforce: 'baseline' }, { pods }), told);
    assert.deepEqual(await changed({}, { enforce: 'baseline' }, { pods: pods.slice(0, 1) }), []);
  });

  const changes: readonly [Record<string, string>, Record<string, string>, boolean][] = [
    [{ enforce: 'baseline' }, { enforce: 'baseline', other: 'x' }, false],
    [{ enforce: 'restricted' }, { enforce: 'baseline' }, false],
    [{ enforce: 'restricted' }, { enforce: 'baseline', 'enforce-version': 'v1.30' }, true],
    [{ enforce: 'baseline', 'enforce-version': 'v1.30' }, { enforce: 'baseline' }, true],
    [{}, { warn: 'baseline' }, false],
    [{ 'enforce-version': 'v1.3' }, { enforce: 'privileged' }, false],
  ];
  for (const [before, after, isChecked] of changes) {
    it(`existing pods are ${isChecked ? 'checked' : 'not checked'} if labels change from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, async () => {
      assert.equal((await changed(before, after, { pods })).length > 0, isChecked);
    });
  }

  it('a limited number of existing pods is checked, one of each controller first', async () => {
    const owned = (name: string, spec: JsonObject) =>
      pod(spec, { name, ownerReferences: [{ uid: 'u', controller: true, apiVersion: 'v1', kind: 'K', name: 'k' }] });
    const many = Array.from({ length: limits.podSecurityPods - 1 }, (_, index) => owned(`o${index}`, {}));
    const all = [...many, owned('last', onHost), pod(onHost, { name: 'single' })];
    assert.deepEqual(await changed({}, { enforce: 'baseline' }, { pods: all }), [
      `new PodSecurity enforce level only checked against the first 3000 of ${all.length} existing pods`,
      told[0],
      'single: host namespaces',
    ]);
  });

  it('the check of existing pods stops at its time limit', async () => {
    const warnings = await changed({}, { enforce: 'baseline' }, { pods, clockStepMs: limits.podSecurityCheckMs / 2 });
    assert.deepEqual(warnings, [
      'new PodSecurity enforce level only checked against the first 2 of 5 existing pods',
      told[0],
      'c: host namespaces',
    ]);
  });
});

describe('metrics of PodSecurity', () => {
  /** The series of the evaluations that a write brings, without what all have. */
  async function counted(object: ApiObject, asked: Asked): Promise<string[]> {
    const registry = new MetricRegistry();
    await warningsOf(object, { ...asked, registry }).catch(() => {});
    const lines = registry.text().match(/^pod_security_(?:evaluations|errors)_total\{.*$/gm) ?? [];
    return lines.map((line) => line.replace('pod_security_', '').replace(',subresource=""', ''));
  }
  const made = 'request_operation="create",resource';
  const evaluation = (decision: string, mode: string, level: string, version: string, resource = 'pod') =>
    `evaluations_total{decision="${decision}",mode="${mode}",policy_level="${level}",policy_version="${version}",${made}="${resource}"} 1`;

  it('metrics count each evaluation of the enforced level', async () => {
    assert.deepEqual(await counted(pod(onHost), {}), [evaluation('allow', 'enforce', 'privileged', 'latest')]);
    const future = { enforce: 'baseline', 'enforce-version': 'v1.99' };
    assert.deepEqual(await counted(pod(onHost), { labels: future }), [
      evaluation('deny', 'enforce', 'baseline', 'future'),
    ]);
    const pinned = { enforce: 'baseline', 'enforce-version': 'v1.20' };
    assert.deepEqual(await counted(pod(), { labels: pinned }), [evaluation('allow', 'enforce', 'baseline', 'v1.20')]);
  });

  it('metrics count evaluations of the warn and audit levels only if they are violated', async () => {
    const labels = { enforce: 'privileged', audit: 'baseline', warn: 'baseline' };
    const enforced = evaluation('allow', 'enforce', 'privileged', 'latest');
    assert.deepEqual(await counted(pod(), { labels }), [enforced]);
    const breaches = (resource: string) =>
      ['audit', 'warn'].map((mode) => evaluation('deny', mode, 'baseline', 'latest', resource));
    assert.deepEqual(await counted(pod(onHost), { labels }), [enforced, ...breaches('pod')]);
    const template: ApiObject = { metadata: { name: 'd' }, spec: { template: { spec: onHost } } };
    const found = await counted(template, { labels, resource: 'deployments' });
    assert.deepEqual(found, breaches('controller'));
  });

  it('metrics count invalid labels as errors, and missing namespaces as fatal errors', async () => {
    const errors = async (labels: Asked['labels']) =>
      (await counted(pod(), { labels })).filter((line) => line.startsWith('errors'));
    assert.deepEqual(await errors({ warn: 'x' }), [`errors_total{fatal="false",${made}="pod"} 1`]);
    assert.deepEqual(await errors(undefined), [`errors_total{fatal="true",${made}="pod"} 1`]);
  });
});
