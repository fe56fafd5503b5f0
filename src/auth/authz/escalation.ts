// RBAC escalation prevention: nobody can grant permissions that they do not have.

import { type PolicyRule, ruleText } from '../../api/policy-rule.ts';
import type { RoleRef } from '../../api/role-binding.ts';
import { goQuote, goQuoteList } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import type { ShortTurns } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import { MASTERS, type User } from '../user.ts';
import type { Authorizer } from './authorizer.ts';
import type { RbacAuthorizer } from './rbac.ts';
import { missingRights } from './rule-cover.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** The location of a role or binding; `namespace` is '' for cluster scope. */
export interface RoleWrite {
  readonly user: User;
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  readonly namespace: string;
  readonly name: string;
  /** The name in the request's path, which a create does not have: used in checks of the verb escalate. */
  readonly nameInPath: string;
}

/** The authorizer for `escalate` and `bind`, and the rules of users. */
export interface RoleGuards {
  /** The whole chain: any authorizer may permit either verb. */
  readonly authorizer: Authorizer;
  /** Only RBAC can list a user's permissions. */
  readonly rbac: RbacAuthorizer;
  /** Long rules are compared in turns. */
  readonly turns: ShortTurns;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/**
 * Why a user may not write a role with these rules; undefined if allowed.
 * @param aggregates whether the role aggregates others, whose rules are unknown
 */
export async function roleRefusal(
  guards: RoleGuards,
  write: RoleWrite,
  { rules, aggregates }: { rules: readonly PolicyRule[]; aggregates: boolean },
): Promise<string | undefined> {
  const { user, resource, nameInPath: name } = write;
  if (mayDoAnything(user) || (await mayUse(guards, write, { verb: 'escalate', resource, name }))) return undefined;
  const refused = await grantRefusal(guards, write, rules);
  if (refused !== undefined || !aggregates) return refused;
  if ((await grantRefusal(guards, write, EVERYTHING)) === undefined) return undefined;
  return 'must have cluster-admin privileges to use the aggregationRule';
}

/** Why a user may not bind a role, with a specific reason if the role does not exist; undefined if allowed. */
export async function bindingRefusal(
  guards: RoleGuards,
  write: RoleWrite,
  roleRef: RoleRef,
): Promise<{ readonly refused: string } | 'no such role' | 'no such kind' | undefined> {
  if (mayDoAnything(write.user)) return undefined;
  const resource = ROLE_RESOURCES[roleRef.kind];
  if (resource === undefined) return 'no such kind';
  if (await mayUse(guards, write, { verb: 'bind', resource, name: roleRef.name })) return undefined;
  const rules = guards.rbac.roleRules(roleRef, write.namespace);
  if (rules === undefined) return 'no such role';
  const refused = await grantRefusal(guards, write, rules);
  return refused === undefined ? undefined : { refused };
}

/** The resources of roles by their kind. */
export const ROLE_RESOURCES: Readonly<Record<string, string>> = lookup({ ClusterRole: 'clusterroles', Role: 'roles' });

function mayDoAnything(user: User): boolean {
  return user.groups.includes(MASTERS);
}

interface RoleUse {
  readonly verb: 'bind' | 'escalate';
  readonly resource: string;
  readonly name: string;
}

async function mayUse(
  { authorizer }: RoleGuards,
  { user, namespace }: RoleWrite,
  { verb, resource, name }: RoleUse,
): Promise<boolean> {
  const decision = await authorizer.authorize({
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
  });
  return decision.allowed;
}

async function grantRefusal(
  { rbac, turns }: RoleGuards,
  { user, namespace }: RoleWrite,
  rules: readonly PolicyRule[],
): Promise<string | undefined> {
  const held = rbac.rulesFor(user, namespace);
  const turn = turns.begin({ taskName: 'comparing RBAC rules' });
  const missing = await inTurns(missingRights(held.rules, rules), turn);
  if (missing.rules.length === 0 && !missing.cut) return undefined;
  const texts = [...new Set(missing.rules.map(ruleText))].sort();
  if (missing.cut) texts.push('and more: not all permissions were compared');
  const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
  const unknown = held.errors.length === 0 ? '' : `; resolution errors: [${held.errors.join(' ')}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}${unknown}`;
}
