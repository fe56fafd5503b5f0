// The short form in which the bootstrap roles and their subjects are written down, and what it stands for.

import type { JsonObject } from '../../api/object.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';

export type GateEnabled = (gate: FeatureGateName) => boolean;

const RBAC_GROUP = 'rbac.authorization.k8s.io';

export type Rule = JsonObject;

/** A rule that is there only while a feature gate is on. */
interface GatedRule {
  readonly gate: FeatureGateName;
  readonly rule: Rule;
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

export interface ClusterRoleFacts {
  readonly name: string;
  readonly rules: readonly (Rule | GatedRule)[];
  /** The role is there only while all of these gates are on. */
  readonly gates?: readonly FeatureGateName[];
  /** The role for users (`view` …) that this one's rules are added to. */
  readonly addedTo?: string;
  /** The role is the sum of the roles that are added to it. */
  readonly aggregated?: true;
}

export interface RoleFacts {
  readonly namespace: string;
  readonly name: string;
  /** The name of its binding, where it is not the role's. */
  readonly binding?: string;
  readonly subjects: readonly Subject[];
  readonly rules: readonly Rule[];
}

/** A rule about resources; every argument is a list with commas. The core group is the empty name. */
export function on(verbs: string, apiGroups: string, resources: string): Rule {
  return { verbs: verbs.split(','), apiGroups: apiGroups.split(','), resources: resources.split(',') };
}

/** A rule that is there only while a feature gate is on. */
export function behind(gate: FeatureGateName, rule: Rule): GatedRule {
  return { gate, rule };
}

/** What is there of some rules. */
export function rulesInForce(rules: readonly (Rule | GatedRule)[], gateEnabled: GateEnabled): Rule[] {
  return rules.flatMap((each) => {
    if (!isGated(each)) return [each];
    return gateEnabled(each.gate) ? [each.rule] : [];
  });
}

function isGated(rule: Rule | GatedRule): rule is GatedRule {
  return typeof rule['gate'] === 'string';
}

/** A rule for objects of these names alone, a list with commas. */
export function only(resourceNames: string, rule: Rule): Rule {
  return { ...rule, resourceNames: resourceNames.split(',') };
}

/** A rule about paths that are not resources. */
export function urls(verbs: string, paths: string): Rule {
  return { verbs: verbs.split(','), nonResourceURLs: paths.split(',') };
}

export const user = (name: string): Subject => ({ kind: 'User', name });
export const group = (name: string): Subject => ({ kind: 'Group', name });
/** A service account in kube-system. */
export const serviceAccount = (name: string): Subject => ({ kind: 'ServiceAccount', name });

/** A subject as role bindings name it. */
export function bindingSubject({ kind, name }: Subject): JsonObject {
  return kind === 'ServiceAccount' ? { kind, name, namespace: 'kube-system' } : { kind, apiGroup: RBAC_GROUP, name };
}

/** A subject as flow schemas name it. */
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
