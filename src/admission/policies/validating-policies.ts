// The plugin ValidatingAdmissionPolicy: policies with bindings decide whether a complete request is allowed.

import type { AuditTrail } from '../../api/audit-trail.ts';
import { ApiError } from '../../api/errors.ts';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';
import { lookup } from '../../base/lookup.ts';
import type { EnforcementAction } from '../../lifecycle/admission-metrics.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { listAt } from '../../resources/value.ts';
import { annotateAdmission } from '../audit-annotations.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import type { AdmissionObserver } from '../timed.ts';
import { Attributes } from './attributes.ts';
import { evaluated } from './awaited-answers.ts';
import { type Engagement, engagements } from './engagement.ts';
import { type Denial, errorKind, judge, policyConditions } from './judge.ts';
import type { Policy } from './policy.ts';
import type { BoundPolicy, PolicyIndex } from './policy-index.ts';
import { policyScope } from './request-scope.ts';

const NAME = 'ValidatingAdmissionPolicy';

const CODES: Readonly<Record<string, number>> = lookup({
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
});

interface PolicyNeeds extends AdmissionObserver {
  readonly policies: PolicyIndex<Policy>;
  readonly objects: ObjectLookup;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
}

export function validatingPolicies(needs: PolicyNeeds): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const bound = needs.policies.boundFor(admission.request.definition);
      return bound.length === 0 ? undefined : askAll(admission, bound, needs);
    },
  };
}

/** A denial by a policy, with its binding if any. */
interface Refusal extends Denial {
  readonly by: string;
}

async function askAll(
  admission: AdmissionRequest,
  policies: readonly BoundPolicy<Policy>[],
  needs: PolicyNeeds,
): Promise<void> {
  const inquiry = new Inquiry(admission, needs);
  const refusals: Refusal[] = [];
  for (const bound of policies) refusals.push(...(await inquiry.ask(bound)));
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

/** One request, evaluated by one policy after another. */
class Inquiry {
  readonly #attributes: Attributes;
  readonly #needs: PolicyNeeds;

  constructor(admission: AdmissionRequest, needs: PolicyNeeds) {
    this.#attributes = new Attributes(admission);
    this.#needs = needs;
  }

  async ask(bound: BoundPolicy<Policy>): Promise<Refusal[]> {
    const { policy } = bound;
    const refusals: Refusal[] = [];
    const annotations = new Annotations();
    for (const engagement of await engagements(bound, this.#attributes, this.#needs)) {
      refusals.push(...(await this.#askEngaged(policy, engagement, annotations)));
    }
    annotations.publish(policy.name, this.#attributes.admission.request.audit);
    return refusals;
  }

  async #askEngaged(policy: Policy, engagement: Engagement, annotations: Annotations): Promise<Refusal[]> {
    const { binding } = engagement;
    const by = `'${policy.name}'${binding === undefined ? '' : ` with binding '${binding.metadata.name}'`}`;
    if (engagement.fault !== undefined) {
      return policy.failsClosed ? [{ by, message: engagement.fault, reason: '', always: true, index: 0 }] : [];
    }
    const actions = listAt(engagement.binding, 'spec', 'validationActions');
    const refusals: Refusal[] = [];
    for (const params of engagement.params) {
      const scope = await policyScope(this.#attributes, { target: engagement.target, params }, this.#needs);
      const { metrics } = this.#needs;
      // A finer clock: most expressions take microseconds, which the metric's buckets distinguish.
      const startMs = performance.now();
      const { operation } = engagement.target;
      const listeners = {
        note: (key: string, value: string) => annotations.add(key, value),
        told: (met: boolean | string, seconds: number) =>
          metrics.conditionsEvaluated(policyConditions({ name: policy.name, operation }, met, seconds)),
      };
      const denials = await evaluated(() => judge(policy, scope, listeners));
      for (const denial of denials) {
        const seconds = (performance.now() - startMs) / 1000;
        const error = errorKind(denial.message);
        const run = { policy: policy.name, binding: engagement.binding.metadata.name ?? '', error, seconds };
        if (denial.passedOver) {
          metrics.validated(run, 'allow');
          continue;
        }
        for (const action of denial.always ? ['Deny'] : actions) {
          metrics.validated(run, String(action).toLowerCase() as EnforcementAction);
        }
        if (denial.always || actions.includes('Deny')) refusals.push({ ...denial, by });
        if (!denial.always && actions.includes('Audit')) this.#audit(policy, engagement.binding, denial);
        if (!denial.always && actions.includes('Warn')) this.#warn(policy, engagement.binding, denial);
      }
    }
    return refusals;
  }

  #warn(policy: Policy, binding: ApiObject, { message }: Denial): void {
    const named = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.metadata.name}'`;
    this.#attributes.admission.request.warnings.push(`Validation failed for ${named}: ${message}`);
  }

  /** Only the first failure is recorded, because all have the same key. */
  #audit({ name: policy }: Policy, binding: ApiObject, { message, index: expressionIndex }: Denial): void {
    const { audit } = this.#attributes.admission.request;
    if (audit === undefined) return;
    const validationActions = listAt(binding, 'spec', 'validationActions');
    const failure = { message, policy, binding: binding.metadata.name ?? '', expressionIndex, validationActions };
    audit.annotate('validation.policy.admission.k8s.io/validation_failure', escapeHtml(stringifyJson([failure])));
  }
}

/** The audit annotations of one policy; different values for its bindings are joined. */
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
