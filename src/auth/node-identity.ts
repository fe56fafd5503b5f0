// Identity of nodes: a kubelet is `system:node:<name>` and in the group of nodes.

import { NODES, type User } from './user.ts';

const PREFIX = 'system:node:';

/** The namespace of node leases. */
export const NODE_LEASES = 'kube-node-lease';

/** The node of a user, '' if the name is missing; undefined for users that are not nodes. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(PREFIX) && groups.includes(NODES) ? name.slice(PREFIX.length) : undefined;
}

/** The common name with which a node requests certificates. */
export function nodeUserName(node: string): string {
  return PREFIX + node;
}
