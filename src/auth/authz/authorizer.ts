// The question that authorization answers: may this user do that? Everything that can answer it stands behind this
// interface.

import type { Soon } from '../../base/soon.ts';
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
  /** What the request's selectors ask for, as far as it can be read. */
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
  /** Whether nobody else is to be asked: where it is neither allowed nor denied, there is no opinion. */
  readonly denied?: boolean;
  /** What kept an authorizer from deciding. */
  readonly error?: string;
  /** Why, for the audit and, of a refusal, for the client; may be empty. Only read by those who need it. */
  readonly reason: string;
}

export interface Authorizer {
  /** Answers at once where it can. */
  authorize(attributes: AuthorizationAttributes): Soon<Decision>;
}
