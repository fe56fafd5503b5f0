// What plugins ask of the objects that are stored already: the accounts, classes and the like that a new object names.

import type { ApiObject } from '../api/object.ts';

/** Reads objects as of now, in their storage version. They belong to many readers: nobody changes them. */
export interface ObjectLookup {
  /** `namespace` is '' for what is not in one. */
  find(kind: ResourceName, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** All objects of a kind, or those of one namespace, by namespace and name. */
  all(kind: ResourceName, namespace?: string): Promise<ApiObject[]>;
}

export interface ResourceName {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
}
