// What the objects of a namespace use of a quota, counted anew with the evaluators of admission, which charges what is
// created meanwhile. Objects are read only if their content matters.

import { type Amounts, addAmounts } from '../../admission/quota/amounts.ts';
import type { Evaluator } from '../../admission/quota/evaluator.ts';
import { evaluatorOf } from '../../admission/quota/evaluators.ts';
import { scopeRequirements } from '../../admission/quota/quota-check.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Quantity } from '../../api/quantity.ts';
import type { Turn } from '../../base/short-turns.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed } from '../informer.ts';

/** A resource whose objects are counted. */
export interface Counted {
  readonly definition: ResourceDefinition;
  readonly evaluator: Evaluator;
}

const ZERO: Quantity = Object.freeze({ mantissa: 0n, exponent: 0, format: 'DecimalSI' });
const NEEDED = ['create', 'list', 'watch', 'delete'] as const;

export class QuotaUsage {
  readonly #context: ClusterContext;
  /** What objects use, which never changes, as objects do not. */
  readonly #known = new WeakMap<Informed, Amounts>();

  constructor(context: ClusterContext) {
    this.#context = context;
  }

  /** The resources that use an amount with one of these names. */
  countedBy(names: readonly string[]): Counted[] {
    const found = new Map<string, Counted>();
    for (const { definition } of this.#context.catalog.entries()) {
      const { namespaced, verbs, storagePrefix } = definition;
      if (!namespaced || found.has(storagePrefix) || !NEEDED.every((verb) => verbs.includes(verb))) continue;
      const evaluator = evaluatorOf(definition);
      if (evaluator !== undefined && names.some((name) => evaluator.counts(name))) {
        found.set(storagePrefix, { definition, evaluator });
      }
    }
    return [...found.values()];
  }

  /** What an object uses. */
  of({ evaluator }: Counted, object: Informed): Amounts {
    let usage = this.#known.get(object);
    if (usage === undefined) this.#known.set(object, (usage = evaluator.usage(object as ApiObject)));
    return usage;
  }

  /** What all objects that a quota counts use, of each of these names that is used at all. */
  async total(quota: ApiObject, names: readonly string[], resources: readonly Counted[]): Promise<Amounts> {
    const total: Amounts = new Map();
    const turn = this.#context.writes.registry.turns.begin({ taskName: 'resourcequota-controller' });
    for (const counted of resources) {
      const used: Amounts = new Map(names.flatMap((name) => (counted.evaluator.counts(name) ? [[name, ZERO]] : [])));
      addAmounts(used, await this.#used(quota, counted, turn));
      addAmounts(total, used);
    }
    return new Map([...total].filter(([name]) => names.includes(name)));
  }

  async #used(quota: ApiObject, counted: Counted, turn: Turn): Promise<Amounts> {
    const { definition, evaluator } = counted;
    const { namespace = '' } = quota.metadata;
    const requirements = scopeRequirements(quota);
    const sum: Amounts = new Map();
    if (evaluator.isUniform) {
      if (requirements.length > 0) return sum;
      const { cache } = await this.#context.writes.registry.storage(definition);
      const each = evaluator.usage({ metadata: {} } as ApiObject);
      let count = 0n;
      for (const _ of cache.snapshot().objects({ namespace, name: undefined, matches: undefined })) count++;
      return new Map([...each].map(([name, amount]) => [name, { ...amount, mantissa: amount.mantissa * count }]));
    }
    const informer = await this.#context.informers.open<Informed>(definition.group, definition.resource);
    for (const object of informer.list(namespace)) {
      await turn.over();
      if (!requirements.every((requirement) => evaluator.isWithin(object as ApiObject, requirement))) continue;
      addAmounts(sum, this.of(counted, object));
    }
    return sum;
  }
}
