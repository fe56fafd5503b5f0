// Lookup of stored objects for admission plugins: service accounts, classes and other objects that a new object
// references.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';

/** Reads current objects in their storage version. They are shared and must not be modified. */
export interface ObjectLookup {
  /** `namespace` is '' for cluster-scoped objects. */
  find(kind: ResourceName, namespace: string, name: string): Soon<ApiObject | undefined>;
  /** All objects of a kind, or those of one namespace, sorted by namespace and name. */
  all(kind: ResourceName, namespace?: string): Soon<readonly ApiObject[]>;
}

export interface ResourceName {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
}
