// Who writes for a simulated node: the user of its kubelet.

import type { User } from '../../auth/user.ts';

export const KUBELET = 'kubelet';

export function nodeUser(name: string): User {
  return { name: `system:node:${name}`, uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} };
}
