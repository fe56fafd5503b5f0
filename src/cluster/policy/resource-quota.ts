// Controller of ResourceQuotas: it publishes their limits in the status and recounts what is used when something is
// given back, as admission only ever adds.

import { amountsAt, amountsObject } from '../../admission/quota/amounts.ts';
import { scopeRequirements } from '../../admission/quota/quota-check.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Controller } from '../../controllers/controller.ts';
import { ResourceWatches } from '../../controllers/resource-watches.ts';
import type { ResourceQuota } from '../../resources/builtin/core/quota/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { type Counted, QuotaUsage } from './quota-usage.ts';

const NAME = 'resourcequota-controller';
/** How often everything is counted again. kube-controller-manager's default. */
const RESYNC_MS = 300_000;

export function resourceQuotaController(context: ClusterContext): Controller {
  let quotas: ResourceQuotas | undefined;
  const loop = reconciler(context, {
    name: NAME,
    begin: (keys) => {
      quotas = new ResourceQuotas(context, keys);
      return quotas.begin();
    },
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      quotas?.close();
    },
  };
}

class ResourceQuotas {
  readonly #context: ClusterContext;
  readonly #keys: Keys;
  readonly #objects: ClusterObjects;
  readonly #usage: QuotaUsage;
  /** Of resources whose objects all count the same: only their ends matter. */
  readonly #ends: ResourceWatches;
  /** The resources that are followed, by storage prefix. */
  readonly #followed = new Map<string, Counted>();
  #quotas!: Informer<ResourceQuota>;

  constructor(context: ClusterContext, keys: Keys) {
    this.#context = context;
    this.#keys = keys;
    this.#objects = new ClusterObjects(context, NAME);
    this.#usage = new QuotaUsage(context);
    this.#ends = new ResourceWatches({
      registry: context.writes.registry,
      follower: ({ storagePrefix }) => ({
        changed: () => {},
        removed: ({ namespace }) => this.#givenBack(this.#followed.get(storagePrefix), namespace),
      }),
    });
  }

  async begin(): Promise<(key: string) => Promise<number | undefined>> {
    this.#quotas = await this.#context.informers.open<ResourceQuota>('', 'resourcequotas');
    this.#quotas.follow({
      changed: (quota, previous) => {
        if (previous !== undefined && equalJson(previous.spec?.hard ?? {}, quota.spec?.hard ?? {})) return;
        this.#keys.add(keyOf(quota));
      },
    });
    return (key) => this.#reconcile(key);
  }

  close(): void {
    this.#ends.close();
  }

  #givenBack(counted: Counted | undefined, namespace: string): void {
    for (const quota of this.#quotas.list(namespace)) {
      const names = Object.keys(quota.status?.hard ?? {});
      if (names.some((name) => counted?.evaluator.counts(name))) this.#keys.add(keyOf(quota));
    }
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const quota = this.#quotas.get(namespace, name);
    if (quota === undefined) return undefined;
    const hard = quota.spec?.hard ?? {};
    const names = Object.keys(hard);
    const resources = this.#usage.countedBy(names);
    await this.#follow(resources);
    const before = amountsAt(quota as ApiObject, 'status', 'used');
    const counted = await this.#usage.total(quota as ApiObject, names, resources);
    // What nobody counts keeps what it has.
    const all = new Map([...before, ...counted]);
    const used = amountsObject(new Map([...all].filter(([each]) => names.includes(each))));
    const status = { hard: copyJson(hard), used };
    const { hard: shownHard = {}, used: shownUsed = {} } = quota.status ?? {};
    if (!equalJson(status, { hard: shownHard, used: shownUsed })) await this.#write(quota, status);
    return RESYNC_MS;
  }

  async #write(quota: ResourceQuota, status: object): Promise<void> {
    const { resourceVersion } = quota.metadata;
    let isOutdated = false;
    await this.#objects.updateStatus<ResourceQuota>(this.#quotas, quota, (draft) => {
      isOutdated = draft.metadata.resourceVersion !== resourceVersion;
      if (isOutdated) return false;
      draft.status = status;
      return true;
    });
    // Something was charged meanwhile.
    if (isOutdated) this.#keys.add(keyOf(quota));
  }

  async #follow(resources: readonly Counted[]): Promise<void> {
    const added = resources.filter(({ definition }) => !this.#followed.has(definition.storagePrefix));
    if (added.length === 0) return;
    for (const counted of added) this.#followed.set(counted.definition.storagePrefix, counted);
    const uniform = this.#followed.values().filter(({ evaluator }) => evaluator.isUniform);
    await this.#ends.open(uniform.map(({ definition }) => definition).toArray());
    for (const counted of added.filter(({ evaluator }) => !evaluator.isUniform)) await this.#followContent(counted);
  }

  async #followContent(counted: Counted): Promise<void> {
    const { group, resource } = counted.definition;
    const informer = await this.#context.informers.open<Informed>(group, resource);
    informer.follow({
      changed: (object, previous) => {
        const { namespace = '' } = object.metadata;
        if (previous === undefined) return;
        const quotas = this.#quotas.list(namespace);
        if (quotas.some((quota) => this.#counts(quota, counted, previous) !== this.#counts(quota, counted, object))) {
          this.#givenBack(counted, namespace);
        }
      },
      removed: ({ metadata }) => this.#givenBack(counted, metadata.namespace ?? ''),
    });
  }

  /** What an object uses of a quota, as a text. */
  #counts(quota: ResourceQuota, counted: Counted, object: Informed): string {
    const requirements = scopeRequirements(quota as ApiObject);
    const isWithin = requirements.every((each) => counted.evaluator.isWithin(object as ApiObject, each));
    return isWithin ? JSON.stringify(amountsObject(this.#usage.of(counted, object))) : '';
  }
}
