// Answers "who can do this?" as RBAC decides it: from all roles and bindings of the cluster, each subject with the
// binding and the rule that allow it.

import type { ApiObject } from '../../api/object.ts';
import { type PolicyRule, type RuleQuestion, ruleAllows, rulesOf } from '../../api/policy-rule.ts';
import { type Binding, bindingOf, type Subject } from '../../api/role-binding.ts';
import { compareText } from '../../base/compare-text.ts';

export interface RbacObjects {
  readonly roles: readonly ApiObject[];
  readonly clusterRoles: readonly ApiObject[];
  readonly roleBindings: readonly ApiObject[];
  readonly clusterRoleBindings: readonly ApiObject[];
}

export interface AccessQuestion extends RuleQuestion {
  /** '' for all namespaces, or for a cluster-scoped resource. */
  readonly namespace: string;
  /** Whether the resource is namespaced: for others, role bindings have no effect. */
  readonly isNamespaced: boolean;
}

/** One way in which a subject is allowed. */
export interface Permission {
  readonly subject: Subject;
  readonly binding: Binding;
  readonly rule: PolicyRule;
  /** The namespace of the binding; '' for all. */
  readonly within: string;
  /** The resource names of the rule, if the question names no object; empty for all. */
  readonly names: readonly string[];
}

interface Answer {
  /** By subject, those allowed in all namespaces first. */
  readonly permissions: readonly Permission[];
  /** Bindings to roles that do not exist, and that therefore grant nothing. */
  readonly dangling: readonly Binding[];
}

/**
 * Returns every subject that is allowed. A question for all namespaces also returns subjects allowed in one of them,
 * with its name; a question without an object name also returns subjects allowed for some names.
 */
export function whoMay(question: AccessQuestion, objects: RbacObjects): Answer {
  const clusterRoles = new Map(objects.clusterRoles.map((role) => [role.metadata.name, rulesOf(role)]));
  const roles = new Map(
    objects.roles.map((role) => [`${role.metadata.namespace}/${role.metadata.name}`, rulesOf(role)]),
  );
  const holds = ({ namespace }: Binding): boolean =>
    namespace === '' || (question.isNamespaced && (question.namespace === '' || question.namespace === namespace));
  const permissions: Permission[] = [];
  const dangling: Binding[] = [];
  for (const binding of [...objects.clusterRoleBindings, ...objects.roleBindings].map(bindingOf).filter(holds)) {
    const { kind, name } = binding.roleRef;
    const rules = kind === 'ClusterRole' ? clusterRoles.get(name) : roles.get(`${binding.namespace}/${name}`);
    if (rules === undefined) dangling.push(binding);
    const found = decidingRule(rules ?? [], question);
    if (found === undefined) continue;
    for (const subject of binding.subjects) {
      permissions.push({ subject, binding, ...found, within: binding.namespace });
    }
  }
  return { permissions: permissions.sort(byReach), dangling };
}

/** Returns the rule that allows it without resource names, or else the first that allows some names. */
function decidingRule(
  rules: readonly PolicyRule[],
  question: RuleQuestion,
): { readonly rule: PolicyRule; readonly names: readonly string[] } | undefined {
  const full = rules.find((rule) => ruleAllows(rule, question));
  if (full !== undefined) return { rule: full, names: [] };
  if (question.name !== '' || !question.isResourceRequest) return undefined;
  const limited = rules.find(
    (rule) => rule.resourceNames.length > 0 && ruleAllows({ ...rule, resourceNames: [] }, question),
  );
  return limited === undefined ? undefined : { rule: limited, names: limited.resourceNames };
}

function byReach(a: Permission, b: Permission): number {
  return compareText(order(a), order(b));
}

function order({ within, names, subject }: Permission): string {
  return [within === '' ? 0 : 1, names.length > 0 ? 1 : 0, subject.kind, subject.name, within].join('\0');
}
