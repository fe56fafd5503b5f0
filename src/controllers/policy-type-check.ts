// Controller of the type checking status of ValidatingAdmissionPolicies: which of their expressions do not type-check
// for the kinds that their rules match.

import { numberAt } from '../resources/value.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const FIELD_MANAGER = 'validatingadmissionpolicy-status';

export class PolicyTypeCheck implements Controller {
  readonly name = 'validatingadmissionpolicy-status-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  /** Names of policies. */
  readonly #queue: WorkQueue<string>;
  #policies: Followed | undefined;
  #watch: ObjectWatch | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name);
    const work = (name: string) => this.#settle(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work });
  }

  async start(): Promise<void> {
    this.#policies = await followed(this.#context, 'admissionregistration.k8s.io', 'validatingadmissionpolicies');
    if (this.#policies === undefined) return;
    this.#watch = new ObjectWatch(this.#policies.cache, { changed: ({ name }) => this.#queue.add(name) });
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    await this.#queue.stop();
  }

  /** Once per generation: a policy is not checked again when kinds change, as in Kubernetes. */
  async #settle(name: string): Promise<undefined> {
    const { definition, cache } = this.#policies!;
    const stored = cache.get(storageKey(definition, '', name));
    if (stored === undefined) return;
    const policy = decodeStored(stored);
    const { generation = 0 } = policy.metadata;
    if (numberAt(policy, 'status', 'observedGeneration') >= generation) return;
    // Loaded with the first policy, because CEL takes a while to load.
    const { typeWarnings } = await import('../resources/builtin/admissionregistration/type-check.ts');
    const expressionWarnings = typeWarnings(policy, this.#context.catalog);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const as = { manager: FIELD_MANAGER, subresource: 'status' };
    const status = { observedGeneration: generation, typeChecking };
    await this.#objects.apply({ definition, namespace: '', name }, { status }, as);
  }
}
