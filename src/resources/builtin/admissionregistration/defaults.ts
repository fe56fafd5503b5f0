// Defaults of webhook configurations and admission policies: they match every namespace and object, match equivalent
// versions, and reject requests on failure.

import type { ApiObject, Draft } from '../../../api/object.ts';
import { fillIn, objectAt } from '../../fill-in.ts';
import type {
  MatchResources,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from './v1-objects.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './v1alpha1-objects.ts';

const ANSWER_WITHIN_SECONDS = 10;

export function validatingWebhookDefaults(configuration: Draft<ValidatingWebhookConfiguration>): void {
  for (const webhook of configuration.webhooks ?? []) webhookDefaults(webhook);
}

export function mutatingWebhookDefaults(configuration: Draft<MutatingWebhookConfiguration>): void {
  for (const webhook of configuration.webhooks ?? []) {
    webhookDefaults(webhook);
    fillIn(webhook, { reinvocationPolicy: 'Never' });
  }
}

/** For validating and mutating policies. */
export function policyDefaults(policy: Draft<ValidatingAdmissionPolicy | MutatingAdmissionPolicy>): void {
  const spec = (policy.spec ??= {});
  fillIn(spec, { failurePolicy: 'Fail' });
  matchDefaults(spec.matchConstraints);
}

export function policyBindingDefaults(
  binding: Draft<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>,
): void {
  matchDefaults(binding.spec?.matchResources);
}

/** Only the oldest version has a default for missing parameters in bindings. */
export function denyWithoutParameters(binding: ApiObject): ApiObject {
  const reference = objectAt(objectAt(binding, 'spec'), 'paramRef');
  if (reference !== undefined) reference['parameterNotFoundAction'] ??= 'Deny';
  return binding;
}

function webhookDefaults(webhook: Draft<ValidatingWebhook | MutatingWebhook>): void {
  fillIn(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: ANSWER_WITHIN_SECONDS,
  });
  scopeDefaults(webhook.rules ?? []);
  const service = webhook.clientConfig?.service;
  if (service !== undefined) fillIn(service, { port: 443 });
}

function matchDefaults(match: Draft<MatchResources> | undefined): void {
  if (match === undefined) return;
  fillIn(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  scopeDefaults(match.resourceRules ?? []);
  scopeDefaults(match.excludeResourceRules ?? []);
}

function scopeDefaults(rules: Draft<RuleWithOperations>[]): void {
  for (const rule of rules) fillIn(rule, { scope: '*' });
}
