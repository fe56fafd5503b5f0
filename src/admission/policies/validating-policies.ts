// The plugin ValidatingAdmissionPolicy: policies that are bound say whether a request that is complete may be made.

import type { AuditTrail } from '../../api/audit-trail.ts';
import { ApiError, errors } from '../../api/errors.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { AuthorizerBackend } from '../../expressions/authorizer.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { listAt } from '../../resources/value.ts';
import { annotateAdmission } from '../audit-annotations.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import { configuresAdmission } from '../exempt.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { Attributes, type RequestTarget } from './attributes.ts';
import { type Denial, judge } from './judge.ts';
import { matchResources } from './match-resources.ts';
import { ConfigurationError, type ParameterKind, parameterKind, parameters } from './parameters.ts';
import type { Policy } from './policy.ts';
import type { BoundPolicy, PolicyIndex } from './policy-index.ts';
import { requestScope } from './request-scope.ts';
import type { Scope } from './scope.ts';

const NAME = 'ValidatingAdmissionPolicy';

/** What is asked of access and of tokens goes on whatever policies say. */
const REVIEWS: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

const CODES: Readonly<Record<string, number>> = Object.freeze({
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
});

export interface PolicyNeeds {
  readonly policies: PolicyIndex;
  readonly objects: ObjectLookup;
  readonly catalog: Catalog;
  readonly authorizer: AuthorizerBackend;
}

export function validatingPolicies(needs: PolicyNeeds): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { definition } = admission.request;
      if (needs.policies.isEmpty || configuresAdmission(definition)) return undefined;
      if (REVIEWS.has(`${definition.resource}.${definition.group}`)) return undefined;
      return askAll(admission, needs);
    },
  };
}

/** A denial by a policy, perhaps through a binding. */
interface Refusal extends Denial {
  readonly by: string;
}

async function askAll(admission: AdmissionRequest, needs: PolicyNeeds): Promise<void> {
  const inquiry = new Inquiry(admission, needs);
  const refusals: Refusal[] = [];
  for (const bound of needs.policies.bound) refusals.push(...(await inquiry.ask(bound)));
  const [first] = refusals;
  if (first !== undefined) throw denied(admission, first);
}

function denied(admission: AdmissionRequest, { by, message, reason }: Refusal): ApiError {
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const error = refusal(admission, text);
  return new ApiError({
    code: CODES[reason] ?? 422,
    reason: reason === '' ? 'Invalid' : reason,
    message: error.message,
    details: { ...error.details, causes: [{ message: text }] },
  });
}

/** One request, as it is put to one policy after the other. */
class Inquiry {
  readonly #attributes: Attributes;
  readonly #needs: PolicyNeeds;

  constructor(admission: AdmissionRequest, needs: PolicyNeeds) {
    this.#attributes = new Attributes(admission);
    this.#needs = needs;
  }

  async ask({ policy, bindings }: BoundPolicy): Promise<Refusal[]> {
    const { objects, catalog } = this.#needs;
    const target = await matchResources(matchConstraints(policy), this.#attributes, objects);
    if (target === undefined) return [];
    let kind: ParameterKind | undefined;
    try {
      kind = parameterKind(policy.spec, catalog);
    } catch (error) {
      return misconfigured(error, { policy, by: `'${policy.name}'`, what: 'policy' });
    }
    const refusals: Refusal[] = [];
    const annotations = new Annotations();
    for (const binding of bindings) {
      refusals.push(...(await this.#askBound({ policy, binding, target, kind, annotations })));
    }
    annotations.publish(policy.name, this.#attributes.admission.request.audit);
    return refusals;
  }

  async #askBound({ policy, binding, target, kind, annotations }: Bound): Promise<Refusal[]> {
    const { objects } = this.#needs;
    const { namespace } = this.#attributes.target;
    const criteria = (binding['spec'] as JsonObject | undefined)?.['matchResources'];
    if ((await matchResources(criteria, this.#attributes, objects)) === undefined) return [];
    const by = `'${policy.name}' with binding '${binding.metadata.name}'`;
    let given: readonly (ApiObject | null)[];
    try {
      const reference = (binding['spec'] as JsonObject | undefined)?.['paramRef'];
      given = await parameters({ kind, reference, namespace }, objects);
    } catch (error) {
      return misconfigured(error, { policy, by, what: 'binding' });
    }
    const actions = listAt(binding, 'spec', 'validationActions');
    const refusals: Refusal[] = [];
    for (const params of given) {
      const denials = judge(policy, await this.#scope(target, params), (key, value) => annotations.add(key, value));
      for (const denial of denials) {
        if (denial.always || actions.includes('Deny')) refusals.push({ ...denial, by });
        if (!denial.always && actions.includes('Audit')) this.#audit(policy, binding, denial);
        if (!denial.always && actions.includes('Warn')) this.#warn(policy, binding, denial);
      }
    }
    return refusals;
  }

  #warn(policy: Policy, binding: ApiObject, { message }: Denial): void {
    const named = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.metadata.name}'`;
    this.#attributes.admission.request.warnings.push(`Validation failed for ${named}: ${message}`);
  }

  /** The first failure alone is told, as the key is the same for all. */
  #audit({ name: policy }: Policy, binding: ApiObject, { message, index: expressionIndex }: Denial): void {
    const { audit } = this.#attributes.admission.request;
    if (audit === undefined) return;
    const validationActions = listAt(binding, 'spec', 'validationActions');
    const failure = { message, policy, binding: binding.metadata.name ?? '', expressionIndex, validationActions };
    audit.annotate('validation.policy.admission.k8s.io/validation_failure', stringifyJson([failure]));
  }

  async #scope(target: RequestTarget, params: ApiObject | null): Promise<Scope> {
    const preparing = this.#attributes.prepare(target.version);
    if (preparing !== undefined) await preparing;
    const scope = requestScope(this.#attributes, target, this.#needs.authorizer);
    return { ...scope, params, namespaceObject: await this.#namespace() };
  }

  /** The namespace that the object is in; null for objects in none, namespaces among them. */
  async #namespace(): Promise<Json> {
    const { namespace, group, resource } = this.#attributes.target;
    if (namespace === '' || (group === '' && resource === 'namespaces')) return null;
    const found = await this.#needs.objects.find({ group: '', resource: 'namespaces' }, '', namespace);
    if (found === undefined) throw errors.notFound({ group: '', resource: 'namespaces', name: namespace });
    const { managedFields: _managed, ownerReferences: _owners, ...metadata } = found.metadata;
    return { metadata, spec: found['spec'] ?? {}, status: found['status'] ?? {} };
  }
}

interface Bound {
  readonly policy: Policy;
  readonly binding: ApiObject;
  readonly target: RequestTarget;
  readonly kind: ParameterKind | undefined;
  readonly annotations: Annotations;
}

/** The annotations of one policy: where its bindings make several values, they stand together. */
class Annotations {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(value));
  }

  publish(policy: string, audit: AuditTrail | undefined): void {
    for (const [key, values] of this.#values) annotateAdmission(audit, `${policy}/${key}`, [...values].join(', '));
  }
}

/** Which requests a policy is about. */
function matchConstraints({ spec }: Policy): Json | undefined {
  return (spec as JsonObject | undefined)?.['matchConstraints'];
}

/** What becomes of a request that matches a policy that cannot be asked. @throws what is no fault of the configuration */
function misconfigured(error: unknown, { policy, by, what }: { policy: Policy; by: string; what: string }): Refusal[] {
  if (!(error instanceof ConfigurationError)) throw error;
  if (!policy.failsClosed) return [];
  return [{ by, message: `failed to configure ${what}: ${error.message}`, reason: '', always: true, index: 0 }];
}
