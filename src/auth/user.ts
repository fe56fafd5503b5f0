// User of a request, as authentication established it and as authorization, admission and the audit see it.

export interface User {
  readonly name: string;
  /** Empty where the credentials carry none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The names that Kubernetes gives a meaning of their own. */
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
