// Short notation for bootstrap roles and subjects, and its expansion.

import type { JsonObject } from '../../api/object.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';

export type GateEnabled = (gate: FeatureGateName) => boolean;

const RBAC_GROUP = 'rbac.authorization.k8s.io';

export type Rule = JsonObject;

/** A rule that exists only while all of these gates are enabled. */
interface GatedRule {
  readonly gates: readonly FeatureGateName[];
  readonly rule: Rule;
}

/** A rule of a default role. */
export type DefaultRule = Rule | GatedRule;

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  /** The first minor release that has it in its bindings; all if undefined. */
  readonly since?: number;
}

export interface ClusterRoleFacts {
  readonly name: string;
  readonly rules: readonly DefaultRule[];
  /** The role exists only while all of these gates are enabled. */
  readonly gates?: readonly FeatureGateName[];
  /** The user-facing role (`view` …) into which this one is aggregated. */
  readonly addedTo?: string;
  /** The role aggregates others. */
  readonly aggregated?: true;
}

export interface RoleFacts {
  readonly namespace: string;
  readonly name: string;
  /** The name of its binding, if it differs from the role's. */
  readonly binding?: string;
  readonly subjects: readonly Subject[];
  readonly rules: readonly Rule[];
}

/** A rule for resources; every argument is a comma-separated list. The core group is the empty name. */
export function on(verbs: string, apiGroups: string, resources: string): Rule {
  return { verbs: verbs.split(','), apiGroups: apiGroups.split(','), resources: resources.split(',') };
}

/** A rule that exists only while a feature gate, or each of several, is enabled. */
export function behind(gates: FeatureGateName | readonly FeatureGateName[], rule: Rule): GatedRule {
  return { gates: typeof gates === 'string' ? [gates] : gates, rule };
}

/** The rules that exist. */
export function rulesInForce(rules: readonly DefaultRule[], gateEnabled: GateEnabled): Rule[] {
  return rules.flatMap((each) => {
    if (!isGated(each)) return [each];
    return each.gates.every(gateEnabled) ? [each.rule] : [];
  });
}

function isGated(rule: DefaultRule): rule is GatedRule {
  return Array.isArray(rule['gates']);
}

/** A rule for objects with these names only, a comma-separated list. */
export function only(resourceNames: string, rule: Rule): Rule {
  return { ...rule, resourceNames: resourceNames.split(',') };
}

/** A rule for non-resource paths. */
export function urls(verbs: string, paths: string): Rule {
  return { verbs: verbs.split(','), nonResourceURLs: paths.split(',') };
}

export const user = (name: string): Subject => ({ kind: 'User', name });
export const group = (name: string): Subject => ({ kind: 'Group', name });
/** A service account in kube-system. */
export const serviceAccount = (name: string, since?: number): Subject => ({
  kind: 'ServiceAccount',
  name,
  ...(since !== undefined && { since }),
});

/** A subject of a role binding. */
export function bindingSubject({ kind, name }: Subject): JsonObject {
  return kind === 'ServiceAccount' ? { kind, name, namespace: 'kube-system' } : { kind, apiGroup: RBAC_GROUP, name };
}

/** A subject of a FlowSchema. */
export function flowSubject({ kind, name }: Subject): JsonObject {
  switch (kind) {
    case 'User':
      return { kind, user: { name } };
    case 'Group':
      return { kind, group: { name } };
    case 'ServiceAccount':
      return { kind, serviceAccount: { namespace: 'kube-system', name } };
  }
}

export function roleReference(kind: 'Role' | 'ClusterRole', name: string): JsonObject {
  return { apiGroup: RBAC_GROUP, kind, name };
}
