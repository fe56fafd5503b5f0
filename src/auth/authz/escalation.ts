// Nobody hands on rights that they do not hold: what is asked before a role is written or bound.

import { type PolicyRule, ruleText } from '../../api/policy-rule.ts';
import type { RoleRef } from '../../api/role-binding.ts';
import { goQuote, goQuoteList } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import { MASTERS, type User } from '../user.ts';
import type { RbacAuthorizer } from './rbac.ts';
import { missingRights } from './rule-cover.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Where a role or binding is written; `namespace` is '' at the scope of the cluster. */
export interface RoleWrite {
  readonly user: User;
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  readonly namespace: string;
  readonly name: string;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/**
 * Why a user may not write a role with these rules; undefined when they may.
 * @param aggregates whether the role takes over rules of others, which may be any
 */
export function roleRefusal(
  rbac: RbacAuthorizer,
  write: RoleWrite,
  { rules, aggregates }: { rules: readonly PolicyRule[]; aggregates: boolean },
): string | undefined {
  if (mayDoAnything(write.user) || mayUse(rbac, write, { verb: 'escalate', ...write })) return undefined;
  const refused = grantRefusal(rbac, write, rules);
  if (refused !== undefined || !aggregates) return refused;
  if (grantRefusal(rbac, write, EVERYTHING) === undefined) return undefined;
  return 'must have cluster-admin privileges to use an aggregationRule';
}

/** Why a user may not bind a role; undefined when they may, and a word of its own where there is no such role. */
export function bindingRefusal(
  rbac: RbacAuthorizer,
  write: RoleWrite,
  roleRef: RoleRef,
): { readonly refused: string } | 'no such role' | 'no such kind' | undefined {
  if (mayDoAnything(write.user)) return undefined;
  const resource = ROLE_RESOURCES[roleRef.kind];
  if (resource === undefined) return 'no such kind';
  if (mayUse(rbac, write, { verb: 'bind', resource, name: roleRef.name })) return undefined;
  const rules = rbac.roleRules(roleRef, write.namespace);
  if (rules === undefined) return 'no such role';
  const refused = grantRefusal(rbac, write, rules);
  return refused === undefined ? undefined : { refused };
}

const ROLE_RESOURCES: Readonly<Record<string, string>> = lookup({ ClusterRole: 'clusterroles', Role: 'roles' });

function mayDoAnything(user: User): boolean {
  return user.groups.includes(MASTERS);
}

interface RoleUse {
  readonly verb: 'bind' | 'escalate';
  readonly resource: string;
  readonly name: string;
}

function mayUse(rbac: RbacAuthorizer, { user, namespace }: RoleWrite, { verb, resource, name }: RoleUse): boolean {
  return rbac.authorize({
    user,
    verb,
    isResourceRequest: true,
    path: '',
    group: RBAC_GROUP,
    version: '*',
    resource,
    subresource: '',
    namespace,
    name,
  }).allowed;
}

function grantRefusal(
  rbac: RbacAuthorizer,
  { user, namespace }: RoleWrite,
  rules: readonly PolicyRule[],
): string | undefined {
  const held = rbac.rulesFor(user, namespace);
  const missing = missingRights(held.rules, rules);
  if (missing.length === 0) return undefined;
  const texts = [...new Set(missing.map(ruleText))].sort();
  const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
  const unknown = held.errors.length === 0 ? '' : `; resolution errors: [${held.errors.join(' ')}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}${unknown}`;
}
