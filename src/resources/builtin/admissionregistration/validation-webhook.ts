// The rules of webhook configurations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { label1035Faults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour, BehaviourContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../validation/field-rules.ts';
import { validateQualifiedDomain } from '../../validation/hosts.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../validation/label-selector.ts';
import { validateWebhookService, validateWebhookUrl } from '../../validation/urls.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';
import { AdmissionExpressions } from './expressions.ts';
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  validateMatchConditions,
  validateOperationsRule,
} from './validation-rule.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

/** Which kind of configuration it is, and what an update finds. */
interface ConfigurationState {
  readonly mutating: boolean;
  readonly previous: ApiObject | undefined;
  readonly scope: BehaviourContext;
}

function validateConfiguration(
  configuration: ApiObject,
  { mutating, previous, scope }: ConfigurationState,
): FieldError[] {
  const names = new Set<string>();
  // Conditions that nobody touched are not looked at again.
  const keepsConditions = previous !== undefined && equalJson(conditionsOf(configuration), conditionsOf(previous));
  const expressions = keepsConditions ? undefined : new AdmissionExpressions({ previous, hasParams: false, scope });
  return validateItems(listAt(configuration, 'webhooks'), 'webhooks', (webhook, field) => {
    const name = textAt(webhook, 'name');
    const found = [
      ...validateWebhook(webhook, field, mutating),
      ...(expressions === undefined
        ? []
        : validateMatchConditions(listAt(webhook, 'matchConditions'), `${field}.matchConditions`, expressions)),
      ...validateReviewVersions(listAt(webhook, 'admissionReviewVersions'), `${field}.admissionReviewVersions`),
    ];
    if (name !== '' && names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    return found;
  });
}

function validateWebhook(webhook: Json, field: string, mutating: boolean): FieldError[] {
  return [
    ...validateQualifiedDomain(textAt(webhook, 'name'), `${field}.name`),
    ...validateItems(listAt(webhook, 'rules'), `${field}.rules`, validateOperationsRule),
    ...validateIfSaid(webhook, 'failurePolicy', FAILURE_POLICIES, field),
    ...validateIfSaid(webhook, 'matchPolicy', MATCH_POLICIES, field),
    ...validateSideEffects(at(webhook, 'sideEffects'), `${field}.sideEffects`),
    ...validateTimeout(at(webhook, 'timeoutSeconds'), `${field}.timeoutSeconds`),
    ...['namespaceSelector', 'objectSelector'].flatMap((member) =>
      validateLabelSelector(at(webhook, member) as LabelSelectorFields | undefined, `${field}.${member}`),
    ),
    ...(mutating ? validateIfSaid(webhook, 'reinvocationPolicy', ['IfNeeded', 'Never'], field) : []),
    ...validateClient(at(webhook, 'clientConfig'), `${field}.clientConfig`),
  ];
}

function validateIfSaid(webhook: Json, member: string, supported: readonly string[], field: string): FieldError[] {
  const value = at(webhook, member);
  return typeof value === 'string' ? validateChoice(value, supported, `${field}.${member}`) : [];
}

function validateSideEffects(effects: Json | undefined, field: string): FieldError[] {
  if (typeof effects === 'string') return validateChoice(effects, SIDE_EFFECTS, field);
  return [fieldError.required(field, `must specify one of ${SIDE_EFFECTS.join(', ')}`)];
}

function validateTimeout(seconds: Json | undefined, field: string): FieldError[] {
  if (typeof seconds !== 'number' || (seconds >= 1 && seconds <= 30)) return [];
  return [fieldError.invalid(field, seconds, 'the timeout value must be between 1 and 30 seconds')];
}

function validateClient(client: Json | undefined, field: string): FieldError[] {
  const [url, service] = [at(client, 'url'), at(client, 'service')];
  if ((typeof url === 'string') === isObject(service)) {
    return [fieldError.required(field, 'exactly one of url or service is required')];
  }
  if (typeof url === 'string') return validateWebhookUrl(url, `${field}.url`);
  return validateWebhookService(service, `${field}.service`);
}

function validateReviewVersions(versions: readonly Json[], field: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(field, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const found = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) {
      return [fieldError.invalid(`${field}[${index}]`, version, 'duplicate version')];
    }
    return faultErrors(label1035Faults(String(version)), version, `${field}[${index}]`);
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(String(version)))) return found;
  const why = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
  return [...found, fieldError.invalid(field, versions, why)];
}

function conditionsOf(configuration: ApiObject): Json {
  return listAt(configuration, 'webhooks').map((webhook) => [...listAt(webhook, 'matchConditions')]);
}

export const mutatingWebhookRules: Partial<Behaviour> = {
  validateCreate: (configuration, scope) =>
    validateConfiguration(configuration, { mutating: true, previous: undefined, scope }),
  validateUpdate: (configuration, previous, scope) =>
    validateConfiguration(configuration, { mutating: true, previous, scope }),
};

export const validatingWebhookRules: Partial<Behaviour> = {
  validateCreate: (configuration, scope) =>
    validateConfiguration(configuration, { mutating: false, previous: undefined, scope }),
  validateUpdate: (configuration, previous, scope) =>
    validateConfiguration(configuration, { mutating: false, previous, scope }),
};
