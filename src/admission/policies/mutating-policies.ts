// The plugin MutatingAdmissionPolicy: policies change the object of a request in order, each mutation based on the
// result of the previous ones.

import { ApiError } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { inScheme } from '../../api/unregistered-kind.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';
import type { PolicyError } from '../../lifecycle/admission-metrics.ts';
import { builtinType } from '../../resources/builtin/types.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { versionIn } from '../../resources/in-version.ts';
import type { StructNode } from '../../schema/node.ts';
import type { AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import type { AdmissionObserver } from '../timed.ts';
import { Attributes, type GroupVersionKind, type RequestTarget } from './attributes.ts';
import { evaluated } from './awaited-answers.ts';
import { engagements } from './engagement.ts';
import { errorKind, meetsConditions, policyConditions } from './judge.ts';
import type { MutatingPolicy, Mutation } from './mutating-policy.ts';
import { MutationFault, mergedObject, type PatchSubject, patchedObject } from './patched-object.ts';
import type { PolicyIndex } from './policy-index.ts';
import { policyScope } from './request-scope.ts';
import { Evaluator, OutOfBudget, VALIDATION_BUDGET } from './scope.ts';

export interface MutatingPolicyNeeds extends AdmissionObserver {
  readonly mutatingPolicies: PolicyIndex<MutatingPolicy>;
  readonly objects: ObjectLookup;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
}

/** Whether a policy may apply to a request. */
export function concernsMutatingPolicies(
  { mutatingPolicies }: Pick<MutatingPolicyNeeds, 'mutatingPolicies'>,
  { request, operation }: AdmissionRequest,
): boolean {
  return operation !== 'delete' && mutatingPolicies.boundFor(request.definition).length > 0;
}

/** A policy with one binding and one set of parameters. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: ApiObject;
  readonly target: RequestTarget;
  readonly params: ApiObject | null;
  /** Identifies it in both rounds. */
  readonly key: string;
}

interface Fault {
  readonly policy: MutatingPolicy;
  readonly binding: ApiObject | undefined;
  readonly message: string;
  /** '' for Forbidden. */
  readonly reason: string;
}

/** One request on its way through the policies: once, and again if it was changed afterwards. */
export class PolicyMutations {
  readonly #admission: AdmissionRequest;
  readonly #needs: MutatingPolicyNeeds;
  #attributes: Attributes;
  /** Policies to be reinvoked if the object changes from here on. */
  #watching = new Set<string>();
  /** Policies that are due in the second round. */
  readonly #due = new Set<string>();
  /** The result of the first round; undefined if no policy matched. */
  #output: Json | undefined;
  /** Whether a mutation was applied, even without effect. */
  hasMutated = false;

  constructor(admission: AdmissionRequest, needs: MutatingPolicyNeeds) {
    this.#admission = admission;
    this.#needs = needs;
    this.#attributes = new Attributes(admission);
  }

  /** @throws ApiError for a failure of a policy that fails closed */
  async round(round: 0 | 1): Promise<void> {
    this.#attributes = new Attributes(this.#admission);
    const { invocations, faults } = await this.#invocations();
    if (invocations.length > 0) {
      if (round === 1 && !equalJson(this.#output, this.#object())) this.#changed();
      let mutated = false;
      for (const invocation of invocations) {
        mutated = (await this.#invoke(invocation, { round, faults })) || mutated;
      }
      if (mutated) {
        this.hasMutated = true;
        this.#changed();
      }
      this.#output = copyJson(this.#object());
    }
    const refused = faults.filter(({ policy }) => policy.failsClosed);
    if (refused.length > 0) throw denied(this.#admission, refused);
  }

  #object(): Json {
    return (this.#admission.shown?.object ?? this.#admission.object ?? null) as Json;
  }

  /** Earlier policies have seen another object. */
  #changed(): void {
    for (const key of this.#watching) this.#due.add(key);
    this.#watching = new Set();
  }

  async #invocations(): Promise<{ invocations: Invocation[]; faults: Fault[] }> {
    const invocations: Invocation[] = [];
    const faults: Fault[] = [];
    for (const bound of this.#needs.mutatingPolicies.boundFor(this.#admission.request.definition)) {
      const { policy } = bound;
      for (const engagement of await engagements(bound, this.#attributes, this.#needs)) {
        const { binding } = engagement;
        if (engagement.fault !== undefined) faults.push({ policy, binding, message: engagement.fault, reason: '' });
        else invocations.push(...engagement.params.map((params) => invocationOf(policy, engagement, params)));
      }
    }
    return { invocations, faults };
  }

  /** Whether a mutation was applied. */
  async #invoke(invocation: Invocation, { round, faults }: { round: 0 | 1; faults: Fault[] }): Promise<boolean> {
    const { policy, binding, key } = invocation;
    const fault = (message: string) => faults.push({ policy, binding, message, reason: 'Invalid' });
    const met = await this.#meetsConditions(invocation);
    if (typeof met === 'string' && policy.failsClosed) fault(met);
    if (met !== true || (round === 1 && !this.#due.has(key))) return false;
    const before = copyJson(this.#object());
    let mutated = false;
    for (const mutation of policy.compiled.mutations) {
      const startMs = performance.now();
      let error: PolicyError = 'no_error';
      try {
        mutated = (await this.#mutate(invocation, mutation)) || mutated;
      } catch (thrown) {
        error = errorKind(thrown instanceof Error ? thrown.message : '');
        if (!(thrown instanceof MutationFault)) throw thrown;
        fault(thrown.message);
      } finally {
        const seconds = (performance.now() - startMs) / 1000;
        const names = { policy: policy.name, binding: binding.metadata.name ?? '' };
        this.#needs.metrics.mutated({ ...names, error, seconds });
      }
    }
    if (mutated && !equalJson(before, this.#object())) this.#changed();
    if (policy.isReinvocable) this.#watching.add(key);
    return mutated;
  }

  async #meetsConditions({ policy, target, params }: Invocation): Promise<boolean | string> {
    const { conditions } = policy.compiled;
    if (conditions.length === 0) return true;
    const scope = await policyScope(this.#attributes, { target, params }, this.#needs);
    const { operation } = target;
    try {
      const startMs = performance.now();
      const met = await evaluated(() => meetsConditions(conditions, { ...scope, namespaceObject: null }));
      const seconds = (performance.now() - startMs) / 1000;
      this.#needs.metrics.conditionsEvaluated(policyConditions({ name: policy.name, operation }, met, seconds));
      return met;
    } catch (error) {
      if (error instanceof OutOfBudget) return error.message;
      throw error;
    }
  }

  /** Whether there is anything to change. @throws MutationFault; ApiError 500 for an invalid object */
  async #mutate({ policy, target, params }: Invocation, mutation: Mutation): Promise<boolean> {
    const { replace } = this.#admission;
    const scope = await policyScope(this.#attributes, { target, params }, this.#needs);
    if (scope.object === null || replace === undefined) return false;
    const { variables } = policy.compiled;
    const value = await evaluated(() => this.#evaluate(new Evaluator(scope, variables, VALIDATION_BUDGET), mutation));
    const object = scope.object as JsonObject;
    const isPatch = mutation.patchType === 'JSONPatch';
    const changed = isPatch ? patchedObject(value, object) : mergedObject(value, this.#subject(target, object));
    this.#checkVersion(target);
    if (changed === undefined) return true;
    await replace(changed, target.version, { strict: isPatch });
    this.#attributes = new Attributes(this.#admission);
    return true;
  }

  #evaluate(evaluator: Evaluator, mutation: Mutation) {
    try {
      const outcome = evaluator.evaluate(mutation);
      if (outcome.error !== undefined) throw new MutationFault(outcome.error);
      return outcome.value;
    } catch (error) {
      throw error instanceof OutOfBudget ? new MutationFault(error.message) : error;
    }
  }

  #subject(target: RequestTarget, object: JsonObject): PatchSubject {
    const kind = this.#attributes.kindOf(target);
    return { object, kind, schema: this.#schema(target, kind) };
  }

  /** The type of the object in a version. Undefined for a kind of another group, and for options. */
  #schema(target: RequestTarget, own: GroupVersionKind): StructNode | undefined {
    const { subresource, operation } = target;
    const { definition } = this.#admission.request;
    const served = versionIn(definition, target) ?? this.#admission.request.version;
    if (own.kind === definition.kind) return served.schema;
    const isElsewhere = own.group !== definition.group || own.version !== served.version;
    return isElsewhere || operation === 'CONNECT' || !(subresource in definition.subresources)
      ? undefined
      : builtinType(own.group, own.version, own.kind, definition.minor);
  }

  /** Kubernetes cannot convert built-in kinds between served versions here. @throws MutationFault */
  #checkVersion(target: RequestTarget): void {
    const asked = this.#attributes.target;
    const { definition } = this.#admission.request;
    if (definition.custom || this.#attributes.kindOf(target).kind !== definition.kind) return;
    if (target.group !== asked.group) {
      const kind = `${target.version}.${definition.kind}`;
      const why = `is not suitable for converting to "${apiVersionOf(asked)}" ${inScheme(definition.minor)}`;
      throw new MutationFault(`${kind} ${why}`);
    }
    if (target.version === asked.version) return;
    const [from, to] = [target, asked].map(({ version }) => `(${version}.${definition.kind})`);
    throw new MutationFault(`converting ${from} to ${to}: unknown conversion`);
  }
}

function invocationOf(
  policy: MutatingPolicy,
  { binding, target }: { binding: ApiObject; target: RequestTarget },
  params: ApiObject | null,
): Invocation {
  const { namespace = '', name = '' } = params?.metadata ?? {};
  const key = [policy.name, binding.metadata.name, namespace, name].join('/');
  return { policy, binding, target, params, key };
}

/** The first error is the message, and all of them are causes. */
function denied(admission: AdmissionRequest, faults: readonly Fault[]): ApiError {
  const messages = faults.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy "${policy.name}" denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding.metadata.name}' denied request: ${message}`,
  );
  const { code, details } = refusal(admission, '');
  return new ApiError({
    code,
    reason: faults[0]?.reason || 'Forbidden',
    message: messages[0] as string,
    details: { ...details, causes: messages.map((message) => ({ message })) },
  });
}
