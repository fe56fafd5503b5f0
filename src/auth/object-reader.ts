// Reader of stored objects for authentication and authorization: service accounts, and the objects that tokens are
// bound to.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';

export interface ObjectReader {
  /** The object as of now, which nobody may change; `namespace` is '' for what is in none. */
  find(
    kind: { readonly group: string; readonly resource: string },
    namespace: string,
    name: string,
  ): Soon<ApiObject | undefined>;
}
