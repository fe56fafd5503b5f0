// Index of policies and bindings, kept in sync with stored objects by its owner.

import type { ApiObject } from '../../api/object.ts';
import { textAt } from '../../resources/value.ts';
import type { AdmissionPolicy } from './policy.ts';

export class PolicyIndex<Policy extends AdmissionPolicy> {
  readonly #read: (object: ApiObject) => Policy;
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, ApiObject>();
  #bound: readonly BoundPolicy<Policy>[] | undefined;

  /** @param read compiles a policy from its object */
  constructor(read: (object: ApiObject) => Policy) {
    this.#read = read;
  }

  /** Whether there is no policy to evaluate. */
  get isEmpty(): boolean {
    return this.#bindings.size === 0 || this.#policies.size === 0;
  }

  setPolicy(object: ApiObject): void {
    this.#policies.set(object.metadata.name ?? '', this.#read(object));
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

  /** Policies with bindings, sorted by name, with their bindings, sorted by name. */
  get bound(): readonly BoundPolicy<Policy>[] {
    this.#bound ??= this.#bind();
    return this.#bound;
  }

  #bind(): BoundPolicy<Policy>[] {
    const bindings = [...this.#bindings].sort(byName).map(([, binding]) => binding);
    return [...this.#policies].sort(byName).flatMap(([name, policy]) => {
      const own = bindings.filter((binding) => textAt(binding, 'spec', 'policyName') === name);
      return own.length === 0 ? [] : [{ policy, bindings: own }];
    });
  }
}

export interface BoundPolicy<Policy extends AdmissionPolicy> {
  readonly policy: Policy;
  readonly bindings: readonly ApiObject[];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
