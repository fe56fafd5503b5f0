// An authorizer as one of several: beside its decisions, what it can tell of a user's rules.

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

/** One that looks at nothing; undefined for other types. */
export function plainAuthorizer(type: string): NamedAuthorizer | undefined {
  if (type === 'AlwaysAllow') return { authorizer: ALWAYS_ALLOW, rulesFor: () => ({ rules: EVERYTHING, errors: [] }) };
  if (type === 'AlwaysDeny') return { authorizer: ALWAYS_DENY, rulesFor: () => ({ rules: [], errors: [] }) };
  return undefined;
}

/** What all of them tell. */
export function unionOfRules(members: readonly NamedAuthorizer[], user: User, namespace: string): UserRules {
  const all = members.map(({ rulesFor }) => rulesFor(user, namespace));
  return {
    rules: all.flatMap(({ rules }) => rules),
    errors: all.flatMap(({ errors }) => errors),
    incomplete: all.some(({ incomplete }) => incomplete === true),
  };
}
