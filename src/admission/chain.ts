// The admission chain: what looks at a write after it has been decoded and before it is stored, in order. Each step
// may refuse the write by throwing, and may change the object.

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

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const done = plugin.admit(request);
      if (done !== undefined) await done;
    }
  }
}
