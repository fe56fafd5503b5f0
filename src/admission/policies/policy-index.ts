// The policies and bindings there are, kept in step with what is stored by whoever owns the index.

import type { ApiObject } from '../../api/object.ts';
import { textAt } from '../../resources/value.ts';
import { Policy } from './policy.ts';

export class PolicyIndex {
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, ApiObject>();
  #bound: readonly BoundPolicy[] | undefined;

  /** Whether nobody is to be asked about anything. */
  get isEmpty(): boolean {
    return this.#bindings.size === 0 || this.#policies.size === 0;
  }

  setPolicy(object: ApiObject): void {
    this.#policies.set(object.metadata.name ?? '', new Policy(object));
    this.#bound = undefined;
  }

  deletePolicy(name: string): void {
    this.#policies.delete(name);
    this.#bound = undefined;
  }

  setBinding(object: ApiObject): void {
    this.#bindings.set(object.metadata.name ?? '', object);
    this.#bound = undefined;
  }

  deleteBinding(name: string): void {
    this.#bindings.delete(name);
    this.#bound = undefined;
  }

  /** Policies that are bound, by name, with their bindings, by name. */
  get bound(): readonly BoundPolicy[] {
    this.#bound ??= this.#bind();
    return this.#bound;
  }

  #bind(): BoundPolicy[] {
    const bindings = [...this.#bindings].sort(byName).map(([, binding]) => binding);
    return [...this.#policies].sort(byName).flatMap(([name, policy]) => {
      const own = bindings.filter((binding) => textAt(binding, 'spec', 'policyName') === name);
      return own.length === 0 ? [] : [{ policy, bindings: own }];
    });
  }
}

export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly ApiObject[];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
