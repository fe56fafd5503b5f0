// Validation of ResourceQuotas and LimitRanges.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { IMMUTABLE } from '../../../../api/metadata-validation.ts';
import { qualifiedNameFaults } from '../../../../api/names.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { parseQuantity, quantityValue, roundUpQuantity } from '../../../../api/quantity.ts';
import { limits } from '../../../../base/limits.ts';
import { lookup } from '../../../../base/lookup.ts';
import { overItems } from '../../../../base/resumed.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import { inGoForm, SCOPE_SELECTOR } from '../../../validation/go-form.ts';
import {
  compareAmounts,
  isHugePages,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceAmount,
  validateResourceName,
} from '../../../validation/quantities.ts';
import { entryOf, sortedEntries } from '../../../value.ts';
import type { LimitRange, LimitRangeItem, ResourceQuota } from './objects.ts';

const POD_RESOURCES = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const CLAIM_RESOURCES = ['persistentvolumeclaims', 'requests.storage'];
/** The standard resources that a scope supports. */
type Scopes = Readonly<Record<string, readonly string[]>>;
const SCOPES: Scopes = lookup({
  Terminating: POD_RESOURCES,
  NotTerminating: POD_RESOURCES,
  BestEffort: ['pods'],
  NotBestEffort: POD_RESOURCES,
  PriorityClass: POD_RESOURCES,
  CrossNamespacePodAffinity: POD_RESOURCES,
  VolumeAttributesClass: CLAIM_RESOURCES,
});
/** The same before 1.33. */
const EARLIER_SCOPES: Scopes = lookup(
  Object.fromEntries(Object.entries(SCOPES).filter(([scope]) => scope !== 'VolumeAttributesClass')),
);
const EXCLUSIVE = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const ONLY_EXISTS = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const ONLY_EXISTS_MESSAGE =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
/** Names without a domain that a quota can count. */
const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]);

function isQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name.replace(/^requests\./, ''));
}

function validateQuotaResource(name: string, field: string): FieldError[] {
  const found = validateResourceName(name, field);
  if (name.includes('/') || isQuotaResource(name)) return found;
  return [...found, fieldError.invalid(field, name, 'must be a standard resource for quota')];
}

type Amounts = Readonly<Record<string, string>>;

function validateAmounts(amounts: Amounts | undefined, path: string): FieldError[] {
  return overItems(sortedEntries(amounts), ([name, amount]) => {
    const field = `${path}[${name}]`;
    return [...validateQuotaResource(name, field), ...validateResourceAmount(name, amount, field)];
  });
}

function validateQuota(quota: ResourceQuota, context: StrategyContext): FieldError[] {
  const known = isSince(context, 33) ? SCOPES : EARLIER_SCOPES;
  return [
    ...validateAmounts(quota.spec?.hard, 'spec.hard'),
    ...validateScopes(quota, known),
    ...validateScopeSelector(quota, known),
  ];
}

/**
 * One error for each counted resource that a scope does not support, of each mention of the scope; an unknown scope
 * supports all. The number of errors is that of the resources times that of the mentions, and thus has a bound.
 * @param value returns what the errors quote
 */
class Misuses {
  readonly #counted: readonly string[];
  readonly #known: Scopes;
  readonly #field: string;
  readonly #value: () => unknown;
  readonly #byScope = new Map<string, readonly FieldError[]>();
  #left = limits.repetitionErrors;

  constructor(quota: ResourceQuota, known: Scopes, field: string, value: () => unknown) {
    this.#counted = Object.keys(quota.spec?.hard ?? {}).filter(isQuotaResource);
    this.#known = known;
    this.#field = field;
    this.#value = value;
  }

  of(scope: string): readonly FieldError[] {
    const errors = this.#byScope.get(scope) ?? this.#errorsOf(scope);
    this.#byScope.set(scope, errors);
    const told = errors.slice(0, this.#left);
    this.#left -= told.length;
    return told;
  }

  #errorsOf(scope: string): readonly FieldError[] {
    const supported = Object.hasOwn(this.#known, scope) ? this.#known[scope] : undefined;
    const misused = supported === undefined ? [] : this.#counted.filter((name) => !supported.includes(name));
    if (misused.length === 0) return [];
    const error = fieldError.invalid(this.#field, this.#value(), 'unsupported scope applied to resource');
    return misused.map(() => error);
  }
}

function validateScopes(quota: ResourceQuota, known: Scopes): FieldError[] {
  const scopes = quota.spec?.scopes ?? [];
  const field = 'spec.scopes';
  const misuses = new Misuses(quota, known, field, () => scopes);
  const found = scopes.flatMap((scope) => [
    ...(Object.hasOwn(known, scope) ? [] : [fieldError.invalid(field, scopes, 'unsupported scope')]),
    ...misuses.of(scope),
  ]);
  return [...found, ...validateNotExclusive(scopes, scopes, field)];
}

function validateNotExclusive(scopes: readonly string[], value: unknown, field: string): FieldError[] {
  return EXCLUSIVE.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    fieldError.invalid(field, value, 'conflicting scopes'),
  );
}

function validateScopeSelector(quota: ResourceQuota, known: Scopes): FieldError[] {
  const expressions = quota.spec?.scopeSelector?.matchExpressions ?? [];
  const field = 'spec.scopeSelector.matchExpressions';
  const misuses = new Misuses(quota, known, field, () => inGoForm(quota.spec?.scopeSelector, SCOPE_SELECTOR));
  const found = expressions.flatMap((expression) => {
    const scope = expression.scopeName ?? '';
    const operator = expression.operator ?? '';
    return [
      ...(Object.hasOwn(known, scope) ? [] : [fieldError.invalid(`${field}.scopeName`, scope, 'unsupported scope')]),
      ...misuses.of(scope),
      ...(ONLY_EXISTS.includes(scope) && operator !== 'Exists'
        ? [fieldError.invalid(`${field}.operator`, operator, ONLY_EXISTS_MESSAGE)]
        : []),
      ...validateScopeOperator(operator, expression.values ?? [], field),
    ];
  });
  const scopes = expressions.map((expression) => expression.scopeName ?? '');
  // The reported value is that of the other list.
  return [...found, ...validateNotExclusive(scopes, quota.spec?.scopes ?? null, field)];
}

function validateScopeOperator(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length > 0 ? [] : [fieldError.required(`${field}.values`, why)];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [fieldError.invalid(`${field}.values`, values, why)];
    }
    default:
      return [fieldError.invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

const REQUESTED = ['cpu', 'memory', 'storage', 'ephemeral-storage'];

/** From 1.35 on creates are warned of requests that may be larger than the limits. */
function requestWarnings(
  { spec }: ResourceQuota,
  previous: ResourceQuota | undefined,
  rules: StrategyContext,
): string[] {
  const hard = spec?.hard ?? {};
  if (previous !== undefined || !isSince(rules, 35)) return [];
  return REQUESTED.flatMap((resource) => {
    const isShort = resource === 'cpu' || resource === 'memory';
    const names = isShort ? [`requests.${resource}`, resource] : [`requests.${resource}`];
    const name = names.find((each) => ownMember(hard, each) !== undefined);
    const [request, limit] = [
      name === undefined ? undefined : ownMember(hard, name),
      ownMember(hard, `limits.${resource}`),
    ];
    if (request === undefined || limit === undefined || compareAmounts(request, limit) <= 0) return [];
    return [`ResourceQuota ${name} (${request}) should be less than limits.${resource} (${limit})`];
  });
}

export const resourceQuotaRules: KindRules<ResourceQuota> = {
  warnings: requestWarnings,
  validate: validateQuota,
  validateUpdate: (next, previous) => {
    const scopes = next.spec?.scopes ?? null;
    const [now, before] = [next, previous].map((each) => new Set(each.spec?.scopes));
    return now!.symmetricDifference(before!).size === 0 ? [] : [fieldError.invalid('spec.scopes', scopes, IMMUTABLE)];
  },
  subresources: {
    status: {
      validateUpdate: ({ status }) => [
        ...validateAmounts(status?.hard, 'status.hard'),
        ...validateAmounts(status?.used, 'status.used'),
      ],
    },
  },
};

const LIMIT_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const POD_HAS_NO_DEFAULTS = "may not be specified when `type` is 'Pod'";
const AMOUNT_LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function validateLimitRange(range: LimitRange): FieldError[] {
  const types = new Set<string>();
  return (range.spec?.limits ?? []).flatMap((limit, index) => {
    const field = `spec.limits[${index}]`;
    const type = limit.type ?? '';
    const found = faultErrors(qualifiedNameFaults(type), type, `${field}.type`);
    if (found.length === 0 && !type.includes('/') && !LIMIT_TYPES.includes(type)) {
      found.push(fieldError.invalid(`${field}.type`, type, 'must be a standard limit type or fully qualified'));
    }
    if (types.has(type)) found.push(fieldError.duplicate(`${field}.type`, type));
    types.add(type);
    return [...found, ...validateLimit(limit, type, field)];
  });
}

function validateLimit(limit: LimitRangeItem, type: string, field: string): FieldError[] {
  const ofContainers = type === 'Pod' || type === 'Container';
  const found: FieldError[] = [];
  const names = new Set<string>();
  for (const list of AMOUNT_LISTS) {
    const entries = sortedEntries(limit[list]);
    if (type === 'Pod' && (list === 'default' || list === 'defaultRequest')) {
      if (entries.length > 0) found.push(fieldError.forbidden(`${field}.${list}`, POD_HAS_NO_DEFAULTS));
      continue;
    }
    if (list === 'maxLimitRequestRatio') found.push(...validateClaimLimit(limit, type, field));
    for (const [name] of entries) {
      const path = `${field}.${list}[${name}]`;
      found.push(...(ofContainers ? validateContainerResourceName(name, path) : validateResourceName(name, path)));
      names.add(name);
    }
  }
  // Defaults that a limit may not have are not compared either.
  const { default: _, defaultRequest: __, ...plain } = limit;
  const compared = type === 'Pod' ? plain : limit;
  return [...found, ...[...names].sort().flatMap((name) => validateLimitAmounts(compared, name, field))];
}

function validateClaimLimit(limit: LimitRangeItem, type: string, field: string): FieldError[] {
  if (type !== 'PersistentVolumeClaim') return [];
  if (limit.min?.['storage'] !== undefined || limit.max?.['storage'] !== undefined) return [];
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return [fieldError.required(`${field}.limits`, why)];
}

/** The amounts of one resource relative to each other: minimum, default request, default, maximum. */
function validateLimitAmounts(limit: LimitRangeItem, name: string, field: string): FieldError[] {
  const [max, min, usual, request, ratio] = AMOUNT_LISTS.map((list) => entryOf(limit[list], name));
  const pathTo = (list: string) => `${field}.${list}[${name}]`;
  const found: FieldError[] = [];
  const compare = (rule: { low?: string; high?: string; words: [string, string]; list: string; value?: string }) => {
    const { low, high, words, list, value } = rule;
    if (low === undefined || high === undefined || compareAmounts(low, high) <= 0) return;
    const why = `${words[0]} value ${low} is greater than ${words[1]} value ${high}`;
    found.push(fieldError.invalid(pathTo(list), value, why));
  };
  compare({ low: min, high: max, words: ['min', 'max'], list: 'min', value: min });
  compare({ low: min, high: request, words: ['min', 'default request'], list: 'defaultRequest', value: request });
  compare({ low: request, high: max, words: ['default request', 'max'], list: 'defaultRequest', value: request });
  compare({
    low: request,
    high: usual,
    words: ['default request', 'default limit'],
    list: 'defaultRequest',
    value: request,
  });
  // Kubernetes quotes the bound here, not the default.
  compare({ low: min, high: usual, words: ['min', 'default'], list: 'default', value: min });
  compare({ low: usual, high: max, words: ['default', 'max'], list: 'default', value: max });
  found.push(...validateRatio({ ratio, min, max }, pathTo('maxLimitRequestRatio')));
  const settled = usual === undefined || request === undefined || compareAmounts(usual, request) === 0;
  if (!settled && !mayOvercommit(name)) {
    const why = `default value ${usual} must equal to defaultRequest value ${request} in ${name}`;
    found.push(fieldError.invalid(pathTo('defaultRequest'), request, why));
  }
  return found;
}

type Bounds = { ratio: string | undefined; min: string | undefined; max: string | undefined };

function validateRatio({ ratio, min, max }: Bounds, field: string): FieldError[] {
  if (ratio === undefined) return [];
  const found: FieldError[] = [];
  if (compareAmounts(ratio, '1') < 0) found.push(fieldError.invalid(field, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return found;
  const most = thousandths(max) / thousandths(min);
  if (thousandths(ratio) / 1000 <= most) return found;
  return [...found, fieldError.invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`)];
}

function thousandths(amount: string): number {
  const { mantissa, exponent, format } = roundUpQuantity(parseQuantity(amount), -3);
  return Number(quantityValue({ mantissa, exponent: exponent + 3, format }));
}

export const limitRangeRules: KindRules<LimitRange> = {
  checks: { update: ['metadata', 'content'] },
  validate: validateLimitRange,
};
