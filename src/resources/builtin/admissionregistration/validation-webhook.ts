// Validation of webhook configurations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { label1035Faults } from '../../../api/names.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems, validateItemsInOneTurn } from '../../validation/field-rules.ts';
import { validateQualifiedDomain } from '../../validation/hosts.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import { validateWebhookService } from '../../validation/service-references.ts';
import { validateWebhookUrl } from '../../validation/webhook-url.ts';
import { AdmissionExpressions } from './expressions.ts';
import type {
  MatchCondition,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from './v1-objects.ts';
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  validateMatchConditions,
  validateOperationsRule,
} from './validation-rule.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
type Webhook = MutatingWebhook & ValidatingWebhook;

/** The kind of configuration, and the stored object of an update. */
interface ConfigurationState {
  readonly mutating: boolean;
  readonly previous: Configuration | undefined;
  readonly scope: StrategyContext;
}

function validateConfiguration(
  configuration: Configuration,
  { mutating, previous, scope }: ConfigurationState,
): FieldError[] {
  const names = new Set<string>();
  // Unchanged conditions are not validated again.
  const keepsConditions = previous !== undefined && equalJson(conditionsOf(configuration), conditionsOf(previous));
  const expressions = keepsConditions ? undefined : new AdmissionExpressions({ previous, hasParams: false, scope });
  return validateItemsInOneTurn(configuration.webhooks ?? [], 'webhooks', (webhook, field) => {
    const name = webhook.name ?? '';
    const found = [
      ...validateWebhook(webhook, field, mutating),
      ...(expressions === undefined
        ? []
        : validateMatchConditions(webhook.matchConditions ?? [], `${field}.matchConditions`, expressions)),
      ...validateReviewVersions(webhook.admissionReviewVersions ?? [], `${field}.admissionReviewVersions`),
    ];
    if (name !== '' && names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    return found;
  });
}

function validateWebhook(webhook: Webhook, field: string, mutating: boolean): FieldError[] {
  return [
    ...validateQualifiedDomain(webhook.name ?? '', `${field}.name`),
    ...validateItems(webhook.rules ?? [], `${field}.rules`, validateOperationsRule),
    ...validateIfSaid(webhook.failurePolicy, FAILURE_POLICIES, `${field}.failurePolicy`),
    ...validateIfSaid(webhook.matchPolicy, MATCH_POLICIES, `${field}.matchPolicy`),
    ...validateSideEffects(webhook.sideEffects ?? undefined, `${field}.sideEffects`),
    ...validateTimeout(webhook.timeoutSeconds, `${field}.timeoutSeconds`),
    ...keepableValues('selectors', validateLabelSelector(webhook.namespaceSelector, `${field}.namespaceSelector`)),
    ...keepableValues('selectors', validateLabelSelector(webhook.objectSelector, `${field}.objectSelector`)),
    ...(mutating
      ? validateIfSaid(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], `${field}.reinvocationPolicy`)
      : []),
    ...validateClient(webhook.clientConfig, `${field}.clientConfig`),
  ];
}

function validateIfSaid(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined ? [] : validateChoice(value, supported, field);
}

function validateSideEffects(effects: string | undefined, field: string): FieldError[] {
  if (effects !== undefined) return validateChoice(effects, SIDE_EFFECTS, field);
  return [fieldError.required(field, `must specify one of ${SIDE_EFFECTS.join(', ')}`)];
}

function validateTimeout(seconds: number | undefined, field: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= 30)) return [];
  return [fieldError.invalid(field, seconds, 'the timeout value must be between 1 and 30 seconds')];
}

function validateClient(client: WebhookClientConfig | undefined, field: string): FieldError[] {
  const { url, service } = client ?? {};
  if (url !== undefined && service === undefined) return validateWebhookUrl(url, `${field}.url`);
  if (url === undefined && service !== undefined) return validateWebhookService(service, `${field}.service`);
  return [fieldError.required(field, 'exactly one of url or service is required')];
}

function validateReviewVersions(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(field, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const places = firstPlaces(versions);
  const found = versions.flatMap((version, index) => {
    if (places.get(version) !== index) {
      return [fieldError.invalid(`${field}[${index}]`, version, 'duplicate version')];
    }
    return faultErrors(label1035Faults(version), version, `${field}[${index}]`);
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return found;
  const why = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
  return [...found, fieldError.invalid(field, versions, why)];
}

function conditionsOf({ webhooks }: Configuration): (readonly MatchCondition[])[] {
  return (webhooks ?? []).map(({ matchConditions }) => matchConditions ?? []);
}

export const mutatingWebhookRules: KindRules<MutatingWebhookConfiguration> = {
  validateCreate: (configuration, scope) =>
    validateConfiguration(configuration, { mutating: true, previous: undefined, scope }),
  validateUpdate: (configuration, previous, scope) =>
    validateConfiguration(configuration, { mutating: true, previous, scope }),
};

export const validatingWebhookRules: KindRules<ValidatingWebhookConfiguration> = {
  validateCreate: (configuration, scope) =>
    validateConfiguration(configuration, { mutating: false, previous: undefined, scope }),
  validateUpdate: (configuration, previous, scope) =>
    validateConfiguration(configuration, { mutating: false, previous, scope }),
};
