// Lookup of stored objects for admission plugins: the accounts, classes and the like that a new object names.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';

/** Reads objects as of now, in their storage version. They belong to many readers: nobody changes them. */
export interface ObjectLookup {
  /** `namespace` is '' for what is not in one. */
  find(kind: ResourceName, namespace: string, name: string): Soon<ApiObject | undefined>;
  /** All objects of a kind, or those of one namespace, by namespace and name. */
  all(kind: ResourceName, namespace?: string): Soon<readonly ApiObject[]>;
}

export interface ResourceName {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
}
