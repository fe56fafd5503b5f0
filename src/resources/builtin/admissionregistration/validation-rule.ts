// Validation of the rules by which webhooks and policies match requests.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { pathSegmentFaults, qualifiedNameFaults } from '../../../api/names.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import {
  faultErrors,
  validateChoice,
  validateItems,
  validateItemsInOneTurn,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import type { AdmissionExpressions } from './expressions.ts';
import type { MatchCondition, MatchResources, NamedRuleWithOperations, RuleWithOperations } from './v1-objects.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MAX_CONDITIONS = 64;

export const FAILURE_POLICIES: readonly string[] = Object.freeze(['Fail', 'Ignore']);
export const MATCH_POLICIES: readonly string[] = Object.freeze(['Equivalent', 'Exact']);

/** A list of names, or a single wildcard. */
function validateWildcardList(items: readonly string[], field: string, others: string): FieldError[] {
  if (items.length === 0) return [fieldError.required(field)];
  if (items.length === 1 || !items.includes('*')) return [];
  return [fieldError.invalid(field, items, `if '*' is present, must not specify other ${others}`)];
}

/** Operations, groups, versions, resources and scope. */
export function validateOperationsRule(rule: RuleWithOperations, field: string): FieldError[] {
  const { operations = [], apiGroups: groups = [], apiVersions: versions = [], scope } = rule;
  return [
    ...validateWildcardList(operations, `${field}.operations`, 'operations'),
    ...validateItems(operations, `${field}.operations`, (operation, here) =>
      validateChoice(operation, OPERATIONS, here),
    ),
    ...validateWildcardList(groups, `${field}.apiGroups`, 'API groups'),
    ...validateWildcardList(versions, `${field}.apiVersions`, 'API versions'),
    ...validateItems(versions, `${field}.apiVersions`, (version, here) =>
      version === '' ? [fieldError.required(here)] : [],
    ),
    ...validateResources(rule.resources ?? [], `${field}.resources`),
    ...(scope !== undefined ? validateChoice(scope, SCOPES, `${field}.scope`) : []),
  ];
}

/** Resources with or without subresources; a wildcard must not make another entry redundant. */
function validateResources(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [fieldError.required(field)];
  const everySubresourceOf = new Set<string>();
  const onEveryResource = new Set<string>();
  const found: FieldError[] = [];
  for (const [index, entry] of resources.entries()) {
    const here = `${field}[${index}]`;
    const slash = entry.indexOf('/');
    if (entry === '') found.push(fieldError.required(here));
    if (slash < 0) continue;
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    const refuse = (other: string) =>
      found.push(fieldError.invalid(here, entry, `if '${other}' is present, must not specify ${entry}`));
    if (everySubresourceOf.has(resource)) refuse(`${resource}/*`);
    if (onEveryResource.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === '*') everySubresourceOf.add(resource);
    if (resource === '*') onEveryResource.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    const why = "if '*/*' is present, must not specify other resources";
    found.push(fieldError.invalid(field, resources, why));
  }
  // Of several, kube-apiserver only checks the last one.
  const whole = resources.findLast((entry) => entry !== '' && !entry.includes('/'));
  if (resources.includes('*') && whole !== '*') {
    const why = "if '*' is present, must not specify other resources without subresources";
    found.push(fieldError.invalid(field, resources, why));
  }
  return found;
}

/** A rule that may also list object names. */
function validateNamedRule(rule: NamedRuleWithOperations, field: string): FieldError[] {
  const names = rule.resourceNames ?? [];
  const places = firstPlaces(names);
  const found = names.flatMap((name, index) => {
    const here = `${field}.resourceNames[${index}]`;
    const faults = faultErrors(pathSegmentFaults(name), name, here);
    return places.get(name) !== index ? [...faults, fieldError.duplicate(here, name)] : faults;
  });
  return [...found, ...validateOperationsRule(rule, field)];
}

/** The match criteria of a policy or binding. */
export function validateMatchResources(resources: MatchResources | undefined, field: string): FieldError[] {
  if (resources === undefined) return [];
  const policy = resources.matchPolicy;
  return [
    ...(policy !== undefined
      ? validateChoice(policy, MATCH_POLICIES, `${field}.matchPolicy`)
      : [fieldError.required(`${field}.matchPolicy`)]),
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap((member) => {
      const selector = resources[member];
      if (selector === undefined) return [fieldError.required(`${field}.${member}`)];
      return validateLabelSelector(selector, `${field}.${member}`);
    }),
    ...(['resourceRules', 'excludeResourceRules'] as const).flatMap((member) =>
      validateItems(resources[member] ?? [], `${field}.${member}`, validateNamedRule),
    ),
  ];
}

/** The match conditions of a webhook or policy. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  field: string,
  expressions: AdmissionExpressions,
): FieldError[] {
  const names = new Set<string>();
  const found = validateItemsInOneTurn(conditions, field, (condition, here, index) => {
    const name = condition.name ?? '';
    const expression = (condition.expression ?? '').trim();
    const errors: FieldError[] = [];
    if (expression === '') errors.push(fieldError.required(`${here}.expression`));
    // Those of too many conditions are not compiled, so that a request costs no more than a valid one.
    else if (index < MAX_CONDITIONS) errors.push(...expressions.condition(expression, `${here}.expression`));
    if (name === '') return [...errors, fieldError.required(`${here}.name`)];
    errors.push(...faultErrors(qualifiedNameFaults(name), name, `${here}.name`));
    if (names.has(name)) errors.push(fieldError.duplicate(`${here}.name`, name));
    names.add(name);
    return errors;
  });
  return [...validateMostItems(conditions, MAX_CONDITIONS, field), ...found];
}
