// Names of webhook configurations, policies and bindings that belong to manifests of the server, and rules of webhooks
// that name what no webhook is asked about, from Kubernetes 1.36 and 1.37 on.

import { type FieldErrors, fieldError } from '../../../api/errors.ts';
import type { ApiObject } from '../../../api/object.ts';
import { joined, NONE } from '../../../base/findings.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { isReview } from './reviews.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from './v1-objects.ts';

const MANIFESTS = 'ManifestBasedAdmissionControlConfig';
const SUFFIX = '.static.k8s.io';
const RESERVED = `names ending with "${SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`;

type Named = Pick<ApiObject, 'metadata'>;
type Checks<T> = Pick<
  KindRules<T>,
  'load' | 'validate' | 'validateCreate' | 'validateUpdate' | 'subresources' | 'warnings'
>;

/** The rules of a kind, and those about reserved names: a create is refused, or only warned of while the gate is off. */
export function withReservedNames<T extends Named>(rules: Checks<T>): Checks<T> {
  return {
    ...rules,
    validateCreate: (object, context) =>
      joined(rules.validateCreate?.(object, context) ?? NONE, validateName(object, context)),
    warnings: (next, previous, context) => {
      const isTold = previous !== undefined || !context.gateEnabled(MANIFESTS);
      return [
        ...(isTold && isReserved(next, context) ? [`metadata.name: ${RESERVED}`] : []),
        ...(rules.warnings?.(next, previous, context) ?? []),
      ];
    },
  };
}

function isReserved({ metadata: { name = '' } }: Named, context: StrategyContext): boolean {
  return isSince(context, 36) && name.endsWith(SUFFIX);
}

function validateName(object: Named, context: StrategyContext): FieldErrors {
  if (!context.gateEnabled(MANIFESTS) || !isReserved(object, context)) return NONE;
  return [fieldError.invalid('metadata.name', object.metadata.name, RESERVED)];
}

/** Warnings about rules that name reviews of tokens and access, which webhooks are not asked about behind a gate. */
export function reviewRuleWarnings(
  { webhooks = [] }: MutatingWebhookConfiguration | ValidatingWebhookConfiguration,
  { gateEnabled }: StrategyContext,
): string[] {
  if (!gateEnabled('ExcludeAdmissionWebhookVirtualResources')) return [];
  return webhooks.flatMap(({ rules = [] }, at) =>
    rules.flatMap(({ apiGroups = [], resources = [] }, index) => {
      if (apiGroups.includes('*') || resources.includes('*')) return [];
      const named = apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource })));
      const reviews = new Set(named.filter(isReview).map(({ group, resource }) => `${resource}.${group}`));
      const place = `webhooks[${at}].rules[${index}]`;
      return [...reviews].map(
        (review) => `${place}: ${review} is excluded from admission webhooks; this rule will have no effect`,
      );
    }),
  );
}
