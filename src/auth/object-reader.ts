// Lookup of stored objects for authentication and authorization: service accounts, and objects that tokens are bound
// to.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';

export interface ObjectReader {
  /** The current object, which must not be modified; `namespace` is '' for cluster-scoped objects. */
  find(
    kind: { readonly group: string; readonly resource: string },
    namespace: string,
    name: string,
  ): Soon<ApiObject | undefined>;
}
