// The authorizer interface: whether a user may perform a request.

import type { Soon } from '../../base/soon.ts';
import type { User } from '../user.ts';

/** The attributes of a request. */
export interface AuthorizationAttributes {
  readonly user: User;
  /** A Kubernetes verb (get, list, deletecollection …), or the method in lower case for non-resource requests. */
  readonly verb: string;
  /** False for paths such as /version and for discovery; then only user, verb and path count. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty for none. */
  readonly subresource: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  /** Empty if the request names no object. */
  readonly name: string;
  /** The only value of a field that the request's field selector permits; undefined if it permits several. */
  readonly pinnedField?: (field: string) => string | undefined;
  /** The requirements of the request's selectors, as far as they could be parsed. */
  readonly fieldSelector?: () => readonly SelectorRequirement[];
  readonly labelSelector?: () => readonly SelectorRequirement[];
}

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Decision {
  readonly allowed: boolean;
  /** Whether later authorizers are not called; if neither allowed nor denied, there is no opinion. */
  readonly denied?: boolean;
  /** The error that prevented a decision. */
  readonly error?: string;
  /** The reason, for the audit event and, if denied, for the client; may be empty. Computed on demand. */
  readonly reason: string;
}

export interface Authorizer {
  /** Synchronous if possible. */
  authorize(attributes: AuthorizationAttributes): Soon<Decision>;
}
