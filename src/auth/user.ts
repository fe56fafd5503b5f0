// The user of a request, from authentication, for authorization, admission and audit.

export interface User {
  readonly name: string;
  /** Empty if the credentials contain none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Names with a special meaning in Kubernetes. */
export const ANONYMOUS = 'system:anonymous';
export const AUTHENTICATED = 'system:authenticated';
export const UNAUTHENTICATED = 'system:unauthenticated';
export const MASTERS = 'system:masters';
export const NODES = 'system:nodes';

/** The user of requests without credentials. */
export const anonymousUser: User = Object.freeze({
  name: ANONYMOUS,
  uid: '',
  groups: Object.freeze([UNAUTHENTICATED]),
  extra: Object.freeze({}),
});
