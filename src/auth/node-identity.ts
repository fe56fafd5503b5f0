// Identity of nodes: a kubelet that calls itself `system:node:<name>` and belongs to the group of nodes.

import { NODES, type User } from './user.ts';

const PREFIX = 'system:node:';

/** The namespace in which nodes show that they live. */
export const NODE_LEASES = 'kube-node-lease';

/** The name of the node that a user is, '' where it tells none; undefined for users that are not nodes. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(PREFIX) && groups.includes(NODES) ? name.slice(PREFIX.length) : undefined;
}

/** The name under which a node asks for its certificates. */
export function nodeUserName(node: string): string {
  return PREFIX + node;
}
