// What webhooks and policies are when they do not say: they match every namespace and object in every version, and a
// failure refuses the request.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../fill-in.ts';

const ANSWER_WITHIN_SECONDS = 10;

export function validatingWebhookDefaults(configuration: JsonObject): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) webhookDefaults(webhook);
}

export function mutatingWebhookDefaults(configuration: JsonObject): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) {
    webhookDefaults(webhook);
    fillIn(webhook, { reinvocationPolicy: 'Never' });
  }
}

/** Of validating and mutating policies. */
export function policyDefaults(policy: JsonObject): void {
  const spec = objectIn(policy, 'spec');
  fillIn(spec, { failurePolicy: 'Fail' });
  matchDefaults(objectAt(spec, 'matchConstraints'));
}

export function policyBindingDefaults(binding: JsonObject): void {
  matchDefaults(objectAt(objectAt(binding, 'spec'), 'matchResources'));
}

function webhookDefaults(webhook: JsonObject): void {
  fillIn(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: ANSWER_WITHIN_SECONDS,
  });
  scopeDefaults(objectsAt(webhook, 'rules'));
  const service = objectAt(objectAt(webhook, 'clientConfig'), 'service');
  if (service !== undefined) fillIn(service, { port: 443 });
}

function matchDefaults(match: JsonObject | undefined): void {
  if (match === undefined) return;
  fillIn(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  scopeDefaults(objectsAt(match, 'resourceRules'));
  scopeDefaults(objectsAt(match, 'excludeResourceRules'));
}

function scopeDefaults(rules: JsonObject[]): void {
  for (const rule of rules) fillIn(rule, { scope: '*' });
}
