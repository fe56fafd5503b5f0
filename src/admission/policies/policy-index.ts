// Index of policies and bindings: those of manifests, then those of the API, kept in sync with stored objects by its
// owner. A binding is about a policy from the same place.

import type { ApiObject } from '../../api/object.ts';
import { textAt } from '../../resources/value.ts';
import { exemptionFromPolicies } from '../exempt.ts';
import { FromManifests, type Manifests, NO_MANIFESTS } from '../manifests.ts';
import type { ResourceName } from '../object-lookup.ts';
import type { AdmissionPolicy } from './policy.ts';

export class PolicyIndex<Policy extends AdmissionPolicy> {
  readonly #read: (object: ApiObject) => Policy;
  readonly #manifests: FromManifests<BoundPolicy<Policy>>;
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, ApiObject>();
  #bound: readonly BoundPolicy<Policy>[] | undefined;
  /** The policies of manifests at the beginning of the bound ones. */
  #first: readonly BoundPolicy<Policy>[] = [];

  /** @param read compiles a policy from its object */
  constructor(read: (object: ApiObject) => Policy, manifests: Manifests = NO_MANIFESTS) {
    this.#read = read;
    this.#manifests = new FromManifests(manifests, (objects) => this.#readManifests(objects));
  }

  /** Whether there is no policy to evaluate. */
  get isEmpty(): boolean {
    return this.bound.length === 0;
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

  /** Policies with bindings, sorted by name, with their bindings, sorted by name; those of manifests come first. */
  get bound(): readonly BoundPolicy<Policy>[] {
    const first = this.#manifests.made;
    if (this.#bound !== undefined && this.#first === first) return this.#bound;
    this.#first = first;
    this.#bound = [...first, ...bind(this.#policies, this.#bindings)];
    return this.#bound;
  }

  /** Those that may apply to a resource. */
  boundFor(resource: ResourceName): readonly BoundPolicy<Policy>[] {
    const { bound } = this;
    if (bound.length === 0) return bound;
    const exemption = exemptionFromPolicies(resource);
    if (exemption === undefined) return bound;
    return exemption === 'all' ? [] : this.#first;
  }

  #readManifests(objects: readonly ApiObject[]): BoundPolicy<Policy>[] {
    const policies = new Map<string, Policy>();
    const bindings = new Map<string, ApiObject>();
    for (const object of objects) {
      const name = object.metadata.name ?? '';
      if (object.kind?.endsWith('Binding')) bindings.set(name, object);
      else policies.set(name, this.#read(object));
    }
    return bind(policies, bindings);
  }
}

export interface BoundPolicy<Policy extends AdmissionPolicy> {
  readonly policy: Policy;
  readonly bindings: readonly ApiObject[];
}

function bind<Policy extends AdmissionPolicy>(
  policies: ReadonlyMap<string, Policy>,
  bindings: ReadonlyMap<string, ApiObject>,
): BoundPolicy<Policy>[] {
  const sorted = [...bindings].sort(byName).map(([, binding]) => binding);
  return [...policies].sort(byName).flatMap(([name, policy]) => {
    const own = sorted.filter((binding) => textAt(binding, 'spec', 'policyName') === name);
    return own.length === 0 ? [] : [{ policy, bindings: own }];
  });
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
