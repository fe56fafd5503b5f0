// The admission chain: what looks at a write after it has been decoded and before it is stored, in order. Each step
// may refuse the write by throwing, and may change the object. One more has its say when the object is complete.

import type { AuditTrail } from '../api/audit-trail.ts';
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
    readonly user: User;
    readonly warnings: string[];
    /** The request's audit event, where there is one. */
    readonly audit?: AuditTrail | undefined;
    /** Told what the request's time goes to, where somebody wants to know. */
    readonly phases?: RequestPhases | undefined;
    /** Whether anybody waits for the answer; undefined for work of the server's own. */
    readonly life?: RequestLife | undefined;
    /** The parameters of the request's query. */
    readonly query: { text(name: string): string; all(name: string): readonly string[] };
  };
  readonly operation: Operation;
  /** The object as it is to be stored, in the storage version; undefined for deletions. */
  readonly object: ApiObject | undefined;
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
  /** What the client asked to write where that is an object of another kind: a Scale, whatever comes of it. */
  readonly shown?:
    | { readonly subresource: string; readonly object: ApiObject; readonly previous: ApiObject }
    | undefined;
  /**
   * Puts what a webhook made of the object (of `shown`, where that is there) in its place, given in a version of the
   * resource. Undefined where nothing can be changed. @throws ApiError for what can't be such an object
   */
  readonly replace?: Replace | undefined;
  /** The options of a deletion, which come in its body; those of writes are in the query. */
  readonly options?: JsonObject | undefined;
}

export interface ReplaceOptions {
  /** Whether a field that the type does not have is an error, and not dropped. Custom resources keep theirs. */
  readonly strict?: boolean;
}

type Replace = (object: JsonObject, version: string, options?: ReplaceOptions) => Soon<void>;

export interface AdmissionPlugin {
  /** Kubernetes' name of the plugin: `NamespaceLifecycle`. */
  readonly name: string;
  /** @throws ApiError to refuse */
  admit(request: AdmissionRequest): Soon<void>;
}

/** Takes back what a plugin noted of a write that was not stored in the end. Never fails. */
export type Undo = () => Promise<void>;

/** What a write remembers while its object is on the way to the store. */
export interface PendingWrite {
  /** Something is to be undone should the object not be stored. */
  undoUnlessStored(undo: Undo): void;
}

/** Looks at a creation or an update that is complete and valid, right before it is stored. */
export interface ValidatingPlugin {
  readonly name: string;
  /** @throws ApiError to refuse, having noted nothing */
  validate(request: AdmissionRequest, write: PendingWrite): Soon<void>;
}

/** What has its say on writes. */
export interface Admission {
  /** Mutating admission. @throws ApiError where the write is refused */
  admit(request: AdmissionRequest): Soon<void>;
  /** For requests that store no object of their own: all that admission has to say of them. @throws ApiError */
  admitWhole(request: AdmissionRequest): Promise<void>;
  /**
   * Validating admission, of an object as it is to be stored.
   * @param write is told what to undo should the object not be stored
   * @throws ApiError where the write is refused
   */
  validate(request: AdmissionRequest, write: PendingWrite): Soon<void>;
}

export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #last: ValidatingPlugin | undefined;
  readonly #judges: readonly AdmissionPlugin[];

  /**
   * @param last has its say when the object is as it will be stored, and asks the judges first
   * @param judges are asked about what is not stored, too: deletions, connections, subresources that are created
   */
  constructor(plugins: readonly AdmissionPlugin[], last?: ValidatingPlugin, judges: readonly AdmissionPlugin[] = []) {
    this.#plugins = plugins;
    this.#last = last;
    this.#judges = judges;
  }

  async admitWhole(request: AdmissionRequest): Promise<void> {
    await this.admit(request);
    for (const judge of this.#judges) {
      const done = judge.admit(request);
      if (done !== undefined) await done;
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
