import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { builtinResources } from '../resources/builtin/resources.ts';
import type { AdmissionRequest, Undo } from './chain.ts';
import type { QuotaLedger } from './quota/quota-charges.ts';
import { resourceQuota } from './resource-quota.ts';

/** Quotas in memory; a write takes a turn of the event loop. */
class Ledger implements QuotaLedger {
  writes = 0;
  /** What others do between the look at a quota and the write of it. */
  meanwhile: (() => void) | undefined;
  readonly #quotas = new Map<string, ApiObject>();

  set(name: string, status: JsonObject, spec: JsonObject = {}): void {
    this.#quotas.set(name, { metadata: { name }, spec, status });
  }

  remove(name: string): void {
    this.#quotas.delete(name);
  }

  used(name: string): unknown {
    return (this.#quotas.get(name)?.status as JsonObject | undefined)?.['used'];
  }

  quotas(): ApiObject[] {
    return [...this.#quotas.values()].sort((one, other) =>
      `${one.metadata.name}` < `${other.metadata.name}` ? -1 : 1,
    );
  }

  async changeUsed({ name }: { name: string }, used: (quota: ApiObject) => JsonObject | undefined): Promise<void> {
    await new Promise(setImmediate);
    this.meanwhile?.();
    const quota = this.#quotas.get(name);
    if (quota === undefined) throw errors.notFound({ group: '', resource: 'resourcequotas', name });
    const after = used(quota);
    if (after === undefined) return;
    this.writes++;
    this.set(name, { ...(quota.status as JsonObject), used: after }, quota.spec as JsonObject);
  }
}

interface Asked {
  readonly resource?: string;
  readonly spec?: JsonObject;
  readonly previous?: JsonObject;
  readonly dryRun?: boolean;
}

async function count(plugin: ReturnType<typeof resourceQuota>, asked: Asked = {}): Promise<Undo | undefined> {
  const { resource = 'configmaps', spec = {}, previous, dryRun = false } = asked;
  const definition = builtinResources.find((each) => each.resource === resource);
  assert.ok(definition !== undefined);
  const admission = {
    request: { definition, namespace: 'n', name: '', subresource: '', warnings: [] },
    operation: previous === undefined ? 'create' : 'update',
    object: { metadata: { name: 'a' }, spec },
    previous: previous === undefined ? undefined : { metadata: { name: 'a' }, spec: previous },
    dryRun,
  };
  // Plugins may be asked for more than they need here.
  let undo: Undo | undefined;
  await plugin.validate(admission as unknown as AdmissionRequest, {
    undoUnlessStored: (given) => (undo = given),
    whenStored: () => {},
  });
  return undo;
}

const maps = (hard: number, used: number): JsonObject => ({
  hard: { 'count/configmaps': String(hard) },
  used: { 'count/configmaps': String(used) },
});
const usedMaps = (used: number) => ({ 'count/configmaps': String(used) });

describe('ResourceQuota', () => {
  it('an object that no ResourceQuota counts is admitted at once', () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    const definition = builtinResources.find((each) => each.resource === 'secrets');
    const request = { definition, namespace: 'n', name: 'a', subresource: '' };
    const admission = { request, operation: 'create', object: { metadata: {} } } as unknown as AdmissionRequest;
    assert.equal(plugin.validate(admission, { undoUnlessStored: () => {}, whenStored: () => {} }), undefined);
    ledger.set('q', maps(0, 0));
    ledger.set('unset', {}, { hard: { secrets: '0' } });
    assert.equal(plugin.validate(admission, { undoUnlessStored: () => {}, whenStored: () => {} }), undefined);
  });

  it('concurrent creates never exceed a ResourceQuota', async () => {
    const ledger = new Ledger();
    ledger.set('narrow', maps(7, 0));
    ledger.set('wide', maps(1000, 0));
    const plugin = resourceQuota(ledger);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => count(plugin)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7);
    assert.deepEqual([ledger.used('narrow'), ledger.used('wide')], [usedMaps(7), usedMaps(7)]);
    assert.ok(ledger.writes <= 4, `${ledger.writes} writes`);
  });

  it('the message of an exceeded ResourceQuota lists requested, used and limited amounts', async () => {
    const ledger = new Ledger();
    const hard = { services: '5', 'services.nodeports': '1', 'services.loadbalancers': '0' };
    ledger.set('q', { hard, used: { services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' } });
    await assert.rejects(
      count(resourceQuota(ledger), { resource: 'services', spec: { type: 'LoadBalancer', ports: [{}, {}] } }),
      {
        message:
          'services "a" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=0,services.nodeports=0, limited: services.loadbalancers=0,services.nodeports=1',
      },
    );
  });

  it('a pod without a counted limit, or any pod while the status of a quota is unknown, is forbidden', async () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    ledger.set('q', { hard: { 'limits.cpu': '1', pods: '1' } });
    const resource = 'pods';
    const silent = { containers: [{ name: 'app' }] };
    const clear = { containers: [{ name: 'app', resources: { limits: { cpu: '1' } } }] };
    await assert.rejects(count(plugin, { resource, spec: silent }), {
      message: 'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: app',
    });
    await assert.rejects(count(plugin, { resource, spec: clear }), {
      message: 'pods "a" is forbidden: status unknown for quota: q, resources: limits.cpu,pods',
    });
    ledger.set('q', { hard: { pods: '1', 'limits.cpu': '1' }, used: { pods: '0' } });
    await assert.rejects(count(plugin, { resource, spec: clear }), {
      message: 'pods "a" is forbidden: status unknown for quota: q, resources: limits.cpu,pods',
    });
  });

  it('a dry run is checked against a ResourceQuota and not counted', async () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    ledger.set('q', maps(1, 0));
    assert.equal(await count(plugin, { dryRun: true }), undefined);
    await count(plugin);
    await assert.rejects(count(plugin, { dryRun: true }), /exceeded quota/);
    assert.deepEqual([ledger.used('q'), ledger.writes], [usedMaps(1), 1]);
  });

  it('a pod that gets activeDeadlineSeconds is counted by quotas with the scope Terminating', async () => {
    const ledger = new Ledger();
    const counted = { hard: { pods: '1' }, used: { pods: '0' } };
    ledger.set('ending', counted, { scopes: ['Terminating'] });
    ledger.set('lasting', { hard: { pods: '1' }, used: { pods: '1' } }, { scopes: ['NotTerminating'] });
    const plugin = resourceQuota(ledger);
    await count(plugin, { resource: 'pods', spec: { activeDeadlineSeconds: 60 }, previous: {} });
    assert.deepEqual(ledger.used('ending'), { pods: '1' });
    await assert.rejects(count(plugin, { resource: 'pods', spec: { activeDeadlineSeconds: 60 } }), {
      message: /exceeded quota: ending, requested: pods=1, used: pods=1, limited: pods=1/,
    });
    await count(plugin, {
      resource: 'pods',
      spec: { activeDeadlineSeconds: 60, nodeName: 'a' },
      previous: { activeDeadlineSeconds: 9 },
    });
  });

  it('an update is counted by what it adds to the usage', async () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    ledger.set('q', { hard: { 'requests.storage': '10Gi' }, used: { 'requests.storage': '4Gi' } });
    const claim = (storage: string) => ({ resources: { requests: { storage } } });
    const resource = 'persistentvolumeclaims';
    await count(plugin, { resource, previous: claim('4Gi'), spec: claim('6Gi') });
    assert.deepEqual(ledger.used('q'), { 'requests.storage': '6Gi' });
    await count(plugin, { resource, previous: claim('6Gi'), spec: claim('1Gi') });
    assert.deepEqual(ledger.used('q'), { 'requests.storage': '6Gi' });
    await assert.rejects(
      count(plugin, { resource, previous: claim('6Gi'), spec: claim('11Gi') }),
      /requested: requests.storage=5Gi/,
    );
  });

  it('usage of a write that is not stored is given back, also after a recalculation', async () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    ledger.set('q', maps(5, 2));
    const [undo, another] = [await count(plugin), await count(plugin)];
    assert.deepEqual(ledger.used('q'), usedMaps(4));
    await undo?.();
    assert.deepEqual(ledger.used('q'), usedMaps(3));
    ledger.set('q', maps(5, 0));
    await another?.();
    assert.deepEqual(ledger.used('q'), usedMaps(0));
  });

  it('a conflict on a ResourceQuota is retried, and the charge of other quotas is given back if it fails', async () => {
    const ledger = new Ledger();
    const plugin = resourceQuota(ledger);
    ledger.set('a', maps(5, 0));
    ledger.set('b', maps(5, 0));
    ledger.meanwhile = () => ledger.set('b', maps(5, 5));
    await assert.rejects(count(plugin), /exceeded quota: b, .* used: count\/configmaps=5/);
    ledger.meanwhile = undefined;
    // The next to be counted comes after what was given back.
    ledger.set('b', maps(6, 5));
    await count(plugin);
    assert.deepEqual([ledger.used('a'), ledger.used('b')], [usedMaps(1), usedMaps(6)]);
  });

  it('a ResourceQuota that is deleted in the meantime is ignored', async () => {
    const ledger = new Ledger();
    ledger.set('q', maps(5, 0));
    ledger.meanwhile = () => ledger.remove('q');
    assert.equal(await count(resourceQuota(ledger)), undefined);
  });

  it('a limited resource cannot be consumed without a ResourceQuota that covers it', async () => {
    const ledger = new Ledger();
    const scope = { scope: 'PriorityClass', operator: 'In', values: ['cluster-services'] };
    const plugin = resourceQuota(ledger, [
      { apiGroup: '', resource: 'configmaps', matchContains: ['count/'], matchScopes: [] },
      { apiGroup: '', resource: 'pods', matchContains: [], matchScopes: [scope] },
    ]);
    const critical = { resource: 'pods', spec: { priorityClassName: 'cluster-services', containers: [] } };
    await assert.rejects(count(plugin), {
      message: 'configmaps "a" is forbidden: insufficient quota to consume: count/configmaps',
    });
    await assert.rejects(count(plugin, critical), {
      code: 500,
      message: 'insufficient quota to match these scopes: [{PriorityClass In [cluster-services]}]',
    });
    await count(plugin, { resource: 'pods', spec: { containers: [] } });
    await count(plugin, { resource: 'secrets' });
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['cluster-services'] }];
    ledger.set('maps', maps(1, 0));
    ledger.set('pods', { hard: { pods: '1' }, used: { pods: '0' } }, { scopeSelector: { matchExpressions } });
    await count(plugin);
    await count(plugin, critical);
    assert.deepEqual(ledger.used('pods'), { pods: '1' });
  });
});
