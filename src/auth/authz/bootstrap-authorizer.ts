// Authorization before any role exists: system:masters may do everything, and everybody may read the paths that the
// cluster roles system:public-info-viewer and system:discovery open on every Kubernetes server.

import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from '../user.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

/** Paths that a cluster role opens for reading to the groups it is bound to; a trailing * stands for any ending. */
interface ReadablePaths {
  readonly role: string;
  readonly groups: readonly string[];
  readonly paths: readonly string[];
}

const PUBLIC_INFO = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

const READABLE: readonly ReadablePaths[] = [
  { role: 'system:public-info-viewer', groups: [AUTHENTICATED, UNAUTHENTICATED], paths: PUBLIC_INFO },
  {
    role: 'system:discovery',
    groups: [AUTHENTICATED],
    paths: [...PUBLIC_INFO, '/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'],
  },
];

const ALLOWED: Decision = Object.freeze({ allowed: true, reason: '' });
const DENIED: Decision = Object.freeze({ allowed: false, reason: '' });

export const bootstrapAuthorizer: Authorizer = {
  authorize(attributes) {
    if (attributes.user.groups.includes(MASTERS)) return ALLOWED;
    return !attributes.isResourceRequest && attributes.verb === 'get' && mayRead(attributes) ? ALLOWED : DENIED;
  },
};

function mayRead({ user, path }: AuthorizationAttributes): boolean {
  return READABLE.some(
    ({ groups, paths }) =>
      groups.some((group) => user.groups.includes(group)) && paths.some((pattern) => matches(path, pattern)),
  );
}

function matches(path: string, pattern: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
