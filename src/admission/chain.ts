// The admission chain: what looks at a write after it has been decoded and before it is stored, in order. Each step
// may refuse the write by throwing, and may change the object. One more has its say when the object is complete.

import type { ApiObject } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

export type Operation = 'create' | 'update' | 'delete' | 'connect';

export interface AdmissionRequest {
  readonly request: {
    readonly definition: ResourceDefinition;
    readonly namespace: string;
    readonly name: string;
    readonly subresource: string;
    readonly user: User;
    readonly warnings: string[];
  };
  readonly operation: Operation;
  /** The object as it is to be stored, in the storage version; undefined for deletions. */
  readonly object: ApiObject | undefined;
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
}

export interface AdmissionPlugin {
  /** Kubernetes' name of the plugin: `NamespaceLifecycle`. */
  readonly name: string;
  /** @throws ApiError to refuse */
  admit(request: AdmissionRequest): void | Promise<void>;
}

/** Takes back what a plugin noted of a write that was not stored in the end. Never fails. */
export type Undo = () => Promise<void>;

/** Looks at a creation or an update that is complete and valid, right before it is stored. */
export interface ValidatingPlugin {
  readonly name: string;
  /** @throws ApiError to refuse, having noted nothing */
  validate(request: AdmissionRequest): Promise<Undo | undefined> | undefined;
}

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #last: ValidatingPlugin | undefined;

  /** @param last has its say when the object is as it will be stored */
  constructor(plugins: readonly AdmissionPlugin[], last?: ValidatingPlugin) {
    this.#plugins = plugins;
    this.#last = last;
  }

  /**
   * Undefined, which costs nothing, where nobody minds; else resolves to what is to be done should the object not be
   * stored.
   * @throws ApiError where the write is refused
   */
  validate(request: AdmissionRequest): Promise<Undo | undefined> | undefined {
    return this.#last?.validate(request);
  }

  async admit(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const done = plugin.admit(request);
      if (done !== undefined) await done;
    }
  }
}
