// The authorizers of this server: Node and RBAC by default, or those that options specify.

import type { CallObserver } from '../api/call-trace.ts';
import { rulesOf } from '../api/policy-rule.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import { NodeAuthorizer } from '../auth/authz/node-authorizer.ts';
import { RbacAuthorizer, type UserRules } from '../auth/authz/rbac.ts';
import { type DecisionObserver, UnionAuthorizer } from '../auth/authz/union-authorizer.ts';
import { nodeNameOf } from '../auth/node-identity.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { AuthMetrics } from '../lifecycle/server-metrics.ts';
import { isSince } from '../lifecycle/version.ts';
import type { Dial } from '../outbound/dial.ts';
import { clusterRolesIn } from '../resources/bootstrap/roles-in-release.ts';
import { rulesInForce } from '../resources/bootstrap/rules.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { type NamedAuthorizer, plainAuthorizer, unionOfRules } from './access/named-authorizer.ts';
import { nodeRelations } from './node-feed.ts';
import { authorizationModes } from './options/authorization.ts';
import type { ServerOptions } from './options.ts';
import { followRoles } from './role-feed.ts';

export interface Authorization {
  readonly authorizer: Authorizer;
  /** Authorization by RBAC only. */
  readonly rbac: RbacAuthorizer;
  /** The rules of a user in a namespace, as far as they are known. */
  readonly rulesFor: (user: User, namespace: string) => UserRules;
  stop(): void;
}

interface AuthorizationNeeds {
  readonly options: ServerOptions;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly gates: FeatureGates;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dial: Dial;
  readonly observeCall: CallObserver;
  readonly metrics: AuthMetrics;
}

/** The ClusterRole with the permissions common to all nodes. */
const NODE_ROLE = 'system:node';
const NODES_UNTOLD = 'node authorizer does not support user rule resolution';
/** Types that need neither a file nor a connection. */
const PLAIN = ['Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny'];

/** Resolves when the roles are loaded. @throws Error for an unusable file, with kube-apiserver's message */
export async function authorization(needs: AuthorizationNeeds): Promise<Authorization> {
  const { catalog, registry, options, metrics } = needs;
  const rbac = new RbacAuthorizer(await followRoles(catalog, registry));
  const nodes = nodeAuthorizer(needs);
  const own = (type: string): NamedAuthorizer | undefined => {
    if (type === 'RBAC') return { authorizer: rbac, rulesFor: (...of) => rbac.rulesFor(...of) };
    if (type === 'Node') return { authorizer: nodes, rulesFor: nodeRules };
    return plainAuthorizer(type);
  };
  const onDecision = decisionCounts(metrics);
  const told = (name: string) => toldName(catalog, name);
  const { authorizationConfig } = options;
  const modes = authorizationModes(options);
  if (authorizationConfig !== undefined || modes.some((mode) => !PLAIN.includes(mode))) {
    const { loadAuthorizerChain } = await import('./access/authorizer-chain.ts');
    return { ...(await loadAuthorizerChain({ ...needs, own, onDecision, toldName: told })), rbac };
  }
  const members = modes.map((type) => {
    const name = type.toLowerCase();
    return { ...own(type)!, name: told(name), onDecision: onDecision(type, name) };
  });
  return {
    authorizer: new UnionAuthorizer(members),
    rbac,
    rulesFor: (user, namespace) => unionOfRules(members, user, namespace),
    stop: () => {},
  };
}

/** The name of an authorizer in the reasons it gives, which are told with it from 1.37 on. */
function toldName(release: Pick<Catalog, 'minor'>, name: string): string | undefined {
  return isSince(release, 37) ? name : undefined;
}

function nodeAuthorizer({ catalog, registry, gates }: AuthorizationNeeds): NodeAuthorizer {
  const gateEnabled = (gate: FeatureGateName) => gates.enabled(gate);
  const rules = clusterRolesIn(catalog.minor).find(({ name }) => name === NODE_ROLE)?.rules ?? [];
  return new NodeAuthorizer({
    graph: nodeRelations(catalog, registry),
    rules: rulesOf({ metadata: {}, rules: rulesInForce(rules, gateEnabled) }),
    gateEnabled,
    minor: catalog.minor,
  });
}

function nodeRules(user: User): UserRules {
  if (nodeNameOf(user) === undefined) return { rules: [], errors: [] };
  return { rules: [], errors: [NODES_UNTOLD], incomplete: true };
}

/** Counters for the decisions of an authorizer, created once. */
function decisionCounts({ decisions }: AuthMetrics): (type: string, name: string) => DecisionObserver {
  return (type, name) => {
    const allowed = decisions.with({ type, name, decision: 'allowed' });
    const denied = decisions.with({ type, name, decision: 'denied' });
    return (decision) => (decision.allowed ? allowed : denied).add();
  };
}
