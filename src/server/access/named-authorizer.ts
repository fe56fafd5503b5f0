// An authorizer of a chain: makes decisions, and lists the rules of a user as far as it knows them.

import type { PolicyRule } from '../../api/policy-rule.ts';
import { ALWAYS_ALLOW, ALWAYS_DENY } from '../../auth/authz/always.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';
import type { UserRules } from '../../auth/authz/rbac.ts';
import type { User } from '../../auth/user.ts';

export interface NamedAuthorizer {
  readonly authorizer: Authorizer;
  readonly rulesFor: (user: User, namespace: string) => UserRules;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/** An authorizer without a configuration; undefined for other types. */
export function plainAuthorizer(type: string): NamedAuthorizer | undefined {
  if (type === 'AlwaysAllow') return { authorizer: ALWAYS_ALLOW, rulesFor: () => ({ rules: EVERYTHING, errors: [] }) };
  if (type === 'AlwaysDeny') return { authorizer: ALWAYS_DENY, rulesFor: () => ({ rules: [], errors: [] }) };
  return undefined;
}

/** The combined rules of all authorizers. */
export function unionOfRules(members: readonly NamedAuthorizer[], user: User, namespace: string): UserRules {
  const all = members.map(({ rulesFor }) => rulesFor(user, namespace));
  return {
    rules: all.flatMap(({ rules }) => rules),
    errors: all.flatMap(({ errors }) => errors),
    incomplete: all.some(({ incomplete }) => incomplete === true),
  };
}
