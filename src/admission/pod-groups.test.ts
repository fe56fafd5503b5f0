import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { jobValidation } from './job-validation.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { podGroupProtection } from './pod-group-protection.ts';
import { podGroupWorkloadExists } from './pod-group-workload-exists.ts';
import { priority } from './priority.ts';

/** Objects by the plural name of their kind. */
function lookup(stored: Readonly<Record<string, readonly ApiObject[]>>): ObjectLookup {
  const all = (resource: string) => [...(stored[resource] ?? [])];
  return {
    find: async ({ resource }, _, name) => all(resource).find(({ metadata }) => metadata.name === name),
    all: async ({ resource }) => all(resource),
  };
}

interface Asked {
  readonly resource?: string;
  readonly minor?: number;
  readonly previous?: ApiObject;
}

/** What a plugin makes of a new object, or of one that comes after `previous`. */
async function admitted(plugin: AdmissionPlugin, object: ApiObject, asked: Asked = {}): Promise<ApiObject> {
  const { resource = 'podgroups', minor = 37, previous } = asked;
  const group = resource === 'jobs' ? 'batch' : 'scheduling.k8s.io';
  const request = { definition: { group, resource, minor }, namespace: 'n', name: '', subresource: '', warnings: [] };
  const operation = previous === undefined ? 'create' : 'update';
  // Plugins may be asked for more than they need here.
  await plugin.admit({ request, operation, object, previous, dryRun: false } as unknown as AdmissionRequest);
  return object;
}

function podGroup(spec: JsonObject = {}): ApiObject {
  return { metadata: { name: 'g', namespace: 'n' }, spec };
}

describe('PodGroupProtection', () => {
  const finalizer = 'scheduling.k8s.io/podgroup-protection';

  it('a new PodGroup gets the finalizer podgroup-protection once', async () => {
    const { metadata } = await admitted(podGroupProtection(true), podGroup());
    assert.deepEqual(metadata.finalizers, [finalizer]);
    const own = { metadata: { name: 'g', finalizers: ['a', finalizer] } };
    assert.deepEqual((await admitted(podGroupProtection(true), own)).metadata.finalizers, ['a', finalizer]);
  });

  it('an update of a PodGroup, and a create with the feature off, adds no finalizer', async () => {
    const asked = { previous: podGroup() };
    assert.equal((await admitted(podGroupProtection(true), podGroup(), asked)).metadata.finalizers, undefined);
    assert.equal((await admitted(podGroupProtection(false), podGroup())).metadata.finalizers, undefined);
  });
});

describe('PodGroupWorkloadExists', () => {
  const naming = (workloadName: string, podGroupTemplateName = 't') =>
    podGroup({ podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } });
  const spec = { podGroupTemplates: [{ name: 't' }] };
  const workloads: ApiObject[] = [
    { metadata: { name: 'w' }, spec },
    { metadata: { name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' }, spec },
  ];
  const plugin = podGroupWorkloadExists(lookup({ workloads }), true);

  it('a PodGroup is admitted if its PodGroupTemplate exists or if it refers to none', async () => {
    await admitted(plugin, naming('w'));
    await admitted(plugin, podGroup());
  });

  const refused: readonly [string, ApiObject, string][] = [
    ['of a Workload that does not exist', naming('gone'), 'Workload "gone" not found'],
    ['of a Workload that is being deleted', naming('leaving'), 'Workload "leaving" is being deleted'],
    ['of a template that does not exist', naming('w', 'x'), 'PodGroupTemplate "x" not found in Workload "w"'],
  ];
  for (const [title, given, why] of refused) {
    it(`a PodGroup ${title} is forbidden`, async () => {
      const message = `podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected: ${why}`;
      await assert.rejects(admitted(plugin, given), { code: 403, message });
    });
  }
});

describe('JobValidation', () => {
  const gang = { schedulingPolicy: { gang: { minCount: 2 } } };
  const owned = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true }] };
  const job = (parallelism: number, podGroupName?: string): ApiObject => ({
    metadata: { name: 'j', uid: 'u' },
    spec: {
      parallelism,
      template: { spec: podGroupName === undefined ? {} : { schedulingGroup: { podGroupName } } },
    },
  });
  const changed = (plugin: AdmissionPlugin, next: ApiObject, previous: ApiObject) =>
    admitted(plugin, next, { resource: 'jobs', minor: 36, previous });
  const refusal = {
    code: 403,
    message: 'jobs.batch "j" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "g"',
  };

  it('a change of parallelism is forbidden for a Job whose template names a gang-scheduled PodGroup', async () => {
    const plugin = jobValidation(lookup({ podgroups: [podGroup(gang)] }), true);
    await assert.rejects(changed(plugin, job(3, 'g'), job(2, 'g')), refusal);
    await changed(plugin, job(2, 'g'), job(2, 'g'));
    await changed(plugin, job(3, 'other'), job(2, 'other'));
  });

  it('a change of parallelism is forbidden for a Job that controls a gang-scheduled PodGroup', async () => {
    const own = { ...podGroup(gang), metadata: { name: 'g', ...owned } };
    await assert.rejects(changed(jobValidation(lookup({ podgroups: [own] }), true), job(3), job(2)), refusal);
    await changed(jobValidation(lookup({ podgroups: [podGroup(gang)] }), true), job(3), job(2));
  });
});

describe('the priority of a PodGroup', () => {
  const classes: ApiObject[] = [
    { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' },
    { metadata: { name: 'usual' }, value: 5, globalDefault: true },
  ];
  const plugin = (...gates: string[]) => priority(lookup({ priorityclasses: classes }), (gate) => gates.includes(gate));
  const policy = ['GenericWorkload', 'PodGroupPreemptionPolicy'];

  it('a PodGroup gets the priority of its PriorityClass, or of the global default', async () => {
    const { spec } = await admitted(plugin('GenericWorkload'), podGroup({ priorityClassName: 'high' }));
    assert.deepEqual(spec, { priorityClassName: 'high', priority: 1000 });
    const other = await admitted(plugin(...policy), podGroup());
    assert.deepEqual(other.spec, {
      priorityClassName: 'usual',
      priority: 5,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  });

  it('a PodGroup gets no priority without the feature gates that the release requires', async () => {
    assert.deepEqual((await admitted(plugin(), podGroup())).spec, {});
    assert.deepEqual((await admitted(plugin('GenericWorkload'), podGroup(), { minor: 36 })).spec, {});
    const { spec } = await admitted(plugin('WorkloadAwarePreemption'), podGroup(), { minor: 36 });
    assert.equal((spec as JsonObject)['priority'], 5);
  });

  it('a PodGroup with another priority or preemption policy than its PriorityClass is forbidden', async () => {
    const why = 'priority set in the pod group (7) must match the priority computed (5) based on the priority class';
    await assert.rejects(admitted(plugin('GenericWorkload'), podGroup({ priority: 7 })), {
      message: `podgroups.scheduling.k8s.io "g" is forbidden: ${why} set in the spec`,
    });
    const given = podGroup({ priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' });
    const other = 'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod group spec';
    await assert.rejects(admitted(plugin(...policy), given), {
      message: `podgroups.scheduling.k8s.io "g" is forbidden: ${other}; priority admission controller computed Never from the given PriorityClass name`,
    });
  });
});
