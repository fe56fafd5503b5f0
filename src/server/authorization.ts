// Who may do what on this server: nodes what is theirs, and everybody what roles give them.

import type { Authorizer } from '../auth/authz/authorizer.ts';
import { NodeAuthorizer } from '../auth/authz/node-authorizer.ts';
import { rulesOf } from '../auth/authz/policy-rule.ts';
import { RbacAuthorizer, type UserRules } from '../auth/authz/rbac.ts';
import { UnionAuthorizer } from '../auth/authz/union-authorizer.ts';
import { nodeNameOf } from '../auth/node-identity.ts';
import type { User } from '../auth/user.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import { CLUSTER_ROLES } from '../resources/bootstrap/cluster-roles.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { nodeRelations } from './node-feed.ts';
import { followRoles } from './role-feed.ts';

export interface Authorization {
  readonly authorizer: Authorizer;
  /** What roles alone give. */
  readonly rbac: RbacAuthorizer;
  /** What a user may do in a namespace, as far as that can be told. */
  readonly rulesFor: (user: User, namespace: string) => UserRules;
}

export interface AuthorizationNeeds {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly gates: FeatureGates;
}

/** The role that says what all nodes may do alike. */
const NODE_ROLE = 'system:node';
const NODES_UNTOLD = 'node authorizer does not support user rule resolution';

/** Resolves when the roles are known. */
export async function authorization({ catalog, registry, gates }: AuthorizationNeeds): Promise<Authorization> {
  const rbac = new RbacAuthorizer(await followRoles(catalog, registry));
  const role = CLUSTER_ROLES.find(({ name }) => name === NODE_ROLE);
  const nodes = new NodeAuthorizer({
    graph: nodeRelations(catalog, registry),
    rules: rulesOf({ metadata: {}, rules: [...(role?.rules ?? [])] }),
    gateEnabled: (gate) => gates.enabled(gate),
  });
  return {
    authorizer: new UnionAuthorizer([nodes, rbac]),
    rbac,
    rulesFor: (user, namespace) => {
      const held = rbac.rulesFor(user, namespace);
      return nodeNameOf(user) === undefined ? held : { ...held, errors: [NODES_UNTOLD, ...held.errors] };
    },
  };
}
