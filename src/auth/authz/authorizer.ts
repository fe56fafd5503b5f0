// The question that authorization answers: may this user do that? Everything that can answer it stands behind this
// interface.

import type { User } from '../user.ts';

/** What a request wants to do. */
export interface AuthorizationAttributes {
  readonly user: User;
  /** A verb of Kubernetes (get, list, deletecollection …), or the method in lower case where no resource is meant. */
  readonly verb: string;
  /** False for paths such as /version and for discovery; then only user, verb and path count. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty where none is meant. */
  readonly subresource: string;
  /** Empty at the scope of the cluster. */
  readonly namespace: string;
  /** Empty where the request names no object. */
  readonly name: string;
  /** The only value of a field that the request's field selector lets through; undefined where it lets through more. */
  readonly pinnedField?: (field: string) => string | undefined;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why, for the audit and, of a refusal, for the client; may be empty. Only read by those who need it. */
  readonly reason: string;
}

export interface Authorizer {
  /** Answers at once where it can. */
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
}
