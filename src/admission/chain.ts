// The admission chain: plugins that see a write after decoding and before storage, in order. Each may reject the write
// by throwing, and mutating ones may change the object. Validating admission runs when the object is complete.

import type { AuditTrail } from '../api/audit-trail.ts';
import type { FieldErrors } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { RequestLife } from '../api/request-life.ts';
import type { RequestPhases } from '../api/request-phases.ts';
import type { User } from '../auth/user.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';

export type Operation = 'create' | 'update' | 'delete' | 'connect';

export interface AdmissionRequest {
  readonly request: {
    readonly definition: ResourceDefinition;
    /** The version in the path. */
    readonly version: ServedVersion;
    readonly namespace: string;
    readonly name: string;
    readonly subresource: string;
    /** Kubernetes' verb of the request: `patch`; undefined for internal requests. */
    readonly verb?: string | undefined;
    readonly user: User;
    readonly warnings: string[];
    /** The request's audit event, where there is one. */
    readonly audit?: AuditTrail | undefined;
    /** Records the phases of the request, if required. */
    readonly phases?: RequestPhases | undefined;
    /** Whether the client still waits for the response; undefined for internal requests. */
    readonly life?: RequestLife | undefined;
    /** The query parameters of the request. */
    readonly query: { text(name: string): string; all(name: string): readonly string[] };
  };
  readonly operation: Operation;
  /** The object to be stored, in the storage version; undefined for deletions. */
  readonly object: ApiObject | undefined;
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
  /** The request body if it is an object of another kind: a Scale, whatever the result. */
  readonly shown?:
    | { readonly subresource: string; readonly object: ApiObject; readonly previous: ApiObject }
    | undefined;
  /**
   * Replaces the object (or `shown`, if present) by the result of a webhook, given in a version of the resource.
   * Undefined if nothing can be changed. @throws ApiError for an invalid object
   */
  readonly replace?: Replace | undefined;
  /** DeleteOptions, which are in the body of a deletion; options of writes are in the query. */
  readonly options?: JsonObject | undefined;
}

export interface ReplaceOptions {
  /** Whether an unknown field is an error rather than dropped. Custom resources keep theirs. */
  readonly strict?: boolean;
  /** Called once the object could be read, before what must not change is restored. */
  readonly read?: () => void;
}

type Replace = (object: JsonObject, version: string, options?: ReplaceOptions) => Soon<void>;

export interface AdmissionPlugin {
  /** Kubernetes' name of the plugin: `NamespaceLifecycle`. */
  readonly name: string;
  /** @throws ApiError to reject the request */
  admit(request: AdmissionRequest): Soon<void>;
}

/** Undoes what a plugin recorded for a write that was not stored. Never fails. */
export type Undo = () => Promise<void>;

/** State of a write while its object is being processed. */
export interface PendingWrite {
  /** Registers an action that undoes something if the object is not stored. */
  undoUnlessStored(undo: Undo): void;
  /** Registers an action for when the object has been stored. */
  whenStored(done: () => void): void;
}

/** Validates a create or update that is complete and valid, right before it is stored. */
export interface ValidatingPlugin {
  readonly name: string;
  /** @throws ApiError to reject the request, without having recorded anything */
  validate(request: AdmissionRequest, write: PendingWrite): Soon<void>;
}

/** Errors for what a user may not change, which are part of validating the kind of the object. */
export type Rights = (request: AdmissionRequest) => Soon<FieldErrors>;

/** Admission of writes. */
export interface Admission {
  /** For an update, before it is validated; absent if everything may be changed. */
  readonly rights?: Rights;
  /** Mutating admission. @throws ApiError if the request is rejected */
  admit(request: AdmissionRequest): Soon<void>;
  /**
   * All of admission, for requests that store no object of their own.
   * @param complete completes and checks the object after mutating admission
   * @throws ApiError
   */
  admitWhole(request: AdmissionRequest, complete?: () => Soon<void>): Promise<void>;
  /**
   * Validating admission of an object as it will be stored.
   * @param write collects what to undo if the object is not stored
   * @throws ApiError if the request is rejected
   */
  validate(request: AdmissionRequest, write: PendingWrite): Soon<void>;
  /**
   * Whether there are webhooks or policies, which may reject one object of several: then what comes after it must not be
   * written yet. False unless given.
   */
  hasWebhooksOrPolicies?(): Soon<boolean>;
}

export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #last: ValidatingPlugin | undefined;
  readonly #judges: readonly AdmissionPlugin[];

  /**
   * @param last runs on the object as it will be stored, after the validating plugins
   * @param judges also run for requests that store nothing: deletions, connects, created subresources
   */
  constructor(plugins: readonly AdmissionPlugin[], last?: ValidatingPlugin, judges: readonly AdmissionPlugin[] = []) {
    this.#plugins = plugins;
    this.#last = last;
    this.#judges = judges;
  }

  async admitWhole(request: AdmissionRequest, complete?: () => Soon<void>): Promise<void> {
    await this.admit(request);
    await complete?.();
    await this.judge(request);
  }

  /** Validating admission of requests that store no object of their own. @throws ApiError */
  async judge(request: AdmissionRequest): Promise<void> {
    for (const judge of this.#judges) {
      await judge.admit(request);
    }
    request.request.phases?.spent('validating admission');
  }

  validate(request: AdmissionRequest, write: PendingWrite): Soon<void> {
    const { phases } = request.request;
    const done = this.#last?.validate(request, write);
    if (done === undefined || phases === undefined) return done;
    return done.finally(() => phases.spent('validating admission'));
  }

  admit(request: AdmissionRequest): Soon<void> {
    const plugins = this.#plugins;
    for (let index = 0; index < plugins.length; index++) {
      const done = (plugins[index] as AdmissionPlugin).admit(request);
      if (done !== undefined) return this.#rest(done, plugins.slice(index + 1), request);
    }
  }

  async #rest(first: Promise<void>, plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> {
    await first;
    for (const plugin of plugins) await plugin.admit(request);
    request.request.phases?.spent('mutating admission');
  }
}
