// The default roles of a release: those of the release that is served by default, and the differences of the others.

import { NAMESPACED_ROLES } from './bindings.ts';
import { CLUSTER_ROLES } from './cluster-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { ROLE_HISTORY } from './role-history.ts';
import type { ClusterRoleFacts, RoleFacts, Rule } from './rules.ts';

const CONTROLLER = 'system:controller:';
/** The oldest release whose roles are known; those before it are taken to have the same. */
const OLDEST = 29;

type Other = Pick<ClusterRoleFacts, 'rules' | 'gates'>;

/** What a release has in place of the rules of a role; undefined if the same, `none` if it has no such role. */
function otherRules(place: string, minor: number): Other | 'none' | undefined {
  const known = Math.max(minor, OLDEST);
  const span = ROLE_HISTORY[place]?.find(({ since, until }) => since <= known && known <= until);
  if (span === undefined) return undefined;
  const { rules, gates = [] } = span;
  return rules === undefined ? 'none' : { rules, gates };
}

/** The cluster roles of a minor release of Kubernetes 1, those of controllers last, under their whole names. */
export function clusterRolesIn(minor: number): ClusterRoleFacts[] {
  const declared = [...CLUSTER_ROLES, ...CONTROLLER_ROLES.map((role) => ({ ...role, name: CONTROLLER + role.name }))];
  const names = new Set(declared.map(({ name }) => name));
  const kept = declared.flatMap((role): ClusterRoleFacts[] => {
    const other = otherRules(`/${role.name}`, minor);
    if (other === 'none') return [];
    return [{ ...role, ...other }];
  });
  const added = Object.keys(ROLE_HISTORY).flatMap((place): ClusterRoleFacts[] => {
    const name = place.startsWith('/') ? place.slice(1) : '';
    const other = name === '' || names.has(name) ? undefined : otherRules(place, minor);
    return other === undefined || other === 'none' ? [] : [{ name, ...other }];
  });
  return [...kept, ...added];
}

/** The controllers with a cluster role in a minor release, by the names of their service accounts. */
export function controllersOf(roles: readonly ClusterRoleFacts[]): string[] {
  return roles.flatMap(({ name }) => (name.startsWith(CONTROLLER) ? [name.slice(CONTROLLER.length)] : []));
}

/** The roles in namespaces of a minor release of Kubernetes 1. */
export function namespacedRolesIn(minor: number): RoleFacts[] {
  return NAMESPACED_ROLES.map((role) => {
    const other = otherRules(`${role.namespace}/${role.name}`, minor);
    const subjects = role.subjects.filter(({ since = 0 }) => since <= minor);
    // None of them has a gate.
    const rules = other === undefined || other === 'none' ? role.rules : (other.rules as readonly Rule[]);
    return { ...role, subjects, rules };
  });
}
