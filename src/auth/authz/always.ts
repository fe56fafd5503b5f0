// AlwaysAllow and AlwaysDeny.

import type { Authorizer } from './authorizer.ts';

export const ALWAYS_ALLOW: Authorizer = Object.freeze({ authorize: () => ({ allowed: true, reason: '' }) });

/** Has no opinion, in spite of its name: later authorizers may allow. */
export const ALWAYS_DENY: Authorizer = Object.freeze({
  authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }),
});
