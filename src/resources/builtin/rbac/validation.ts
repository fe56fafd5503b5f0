// Validation of roles and bindings. Updates are validated twice, as in Kubernetes, so their errors are repeated.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems, validateRequired } from '../../validation/field-rules.ts';
import { inGoForm, ROLE_REF } from '../../validation/go-form.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { compiledSelector, validateLabelSelector } from '../../validation/label-selector.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from './v1-objects.ts';

const GROUP = 'rbac.authorization.k8s.io';

function validateRule(rule: PolicyRule, field: string, namespaced: boolean): FieldError[] {
  const { nonResourceURLs: urls = [], apiGroups: groups = [], resources = [], resourceNames: names = [] } = rule;
  const found =
    (rule.verbs ?? []).length > 0
      ? []
      : [fieldError.required(`${field}.verbs`, 'verbs must contain at least one value')];
  if (urls.length > 0) {
    const refuse = (why: string) => found.push(fieldError.invalid(`${field}.nonResourceURLs`, urls, why));
    if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (groups.length + resources.length + names.length > 0) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return found;
  }
  if (groups.length === 0) {
    found.push(fieldError.required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    found.push(fieldError.required(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
  return found;
}

function validateRules(role: Role | ClusterRole, namespaced: boolean): FieldError[] {
  return validateItems(role.rules ?? [], 'rules', (rule, field) => validateRule(rule, field, namespaced));
}

function validateClusterRole(role: ClusterRole): FieldError[] {
  const found = validateRules(role, false);
  const aggregation = role.aggregationRule;
  if (aggregation === undefined) return found;
  const selectors = aggregation.clusterRoleSelectors ?? [];
  const here = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0) {
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [...found, fieldError.required(here, why)];
  }
  const ofSelectors = validateItems(selectors, here, (selector, field) => {
    const errors = keepableValues('selectors', validateLabelSelector(selector, field));
    if (errors.length === 0 && compiledSelector(selector) !== undefined) return [];
    return [...errors, fieldError.invalid(field, null, 'invalid label selector.')];
  });
  return [...found, ...ofSelectors];
}

function validateBinding(binding: RoleBinding | ClusterRoleBinding, namespaced: boolean): FieldError[] {
  const { apiGroup: group = '', kind = '', name = '' } = binding.roleRef ?? {};
  return [
    ...validateChoice(group, [GROUP], 'roleRef.apiGroup'),
    ...validateChoice(kind, namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'], 'roleRef.kind'),
    ...(name === ''
      ? [fieldError.required('roleRef.name')]
      : faultErrors(pathSegmentFaults(name), name, 'roleRef.name')),
    ...validateItems(binding.subjects ?? [], 'subjects', (subject, field) =>
      validateSubject(subject, field, namespaced),
    ),
  ];
}

function validateSubject(subject: Subject, field: string, namespaced: boolean): FieldError[] {
  const [kind, name, group] = [subject.kind ?? '', subject.name ?? '', subject.apiGroup ?? ''];
  const found = validateRequired(name, `${field}.name`);
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') found.push(...faultErrors(subdomainFaults(name), name, `${field}.name`));
      found.push(...validateChoice(group, [''], `${field}.apiGroup`));
      if (namespaced) return found;
      return [...found, ...validateRequired(subject.namespace ?? '', `${field}.namespace`)];
    case 'User':
    case 'Group':
      return [...found, ...validateChoice(group, [GROUP], `${field}.apiGroup`)];
    default:
      return [...found, ...validateChoice(kind, ['ServiceAccount', 'User', 'Group'], `${field}.kind`)];
  }
}

function validateSameRole(
  next: RoleBinding | ClusterRoleBinding,
  previous: RoleBinding | ClusterRoleBinding,
): FieldError[] {
  if (equalJson(next.roleRef, previous.roleRef)) return [];
  return [fieldError.invalid('roleRef', inGoForm(next.roleRef, ROLE_REF), 'cannot change roleRef')];
}

/** The first minor release of Kubernetes 1 that validates an update once. */
const VALIDATED_ONCE = 35;

function rules<T>(validate: (object: T) => FieldError[]): KindRules<T> {
  return {
    checks: {
      update: ['metadata', 'content', 'metadata', 'content', 'metadataChange'],
      later: { since: VALIDATED_ONCE, update: ['metadata', 'content', 'metadataChange'] },
    },
    validate,
  };
}

function bindingRules(namespaced: boolean): KindRules<RoleBinding | ClusterRoleBinding> {
  return {
    checks: {
      update: ['metadata', 'content', 'metadata', 'content', 'metadataChange', 'change'],
      later: { since: VALIDATED_ONCE, update: ['metadata', 'content', 'metadataChange', 'change'] },
    },
    validate: (binding) => validateBinding(binding, namespaced),
    validateUpdate: validateSameRole,
  };
}

export const roleRules = rules((role: Role) => validateRules(role, true));
export const clusterRoleRules = rules(validateClusterRole);
export const roleBindingRules = bindingRules(true);
export const clusterRoleBindingRules = bindingRules(false);
