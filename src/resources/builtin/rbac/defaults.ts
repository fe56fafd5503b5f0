// Which group the roles and subjects of a binding belong to when it does not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillInEmpty, objectIn, objectsAt } from '../../fill-in.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Of role bindings and cluster role bindings. Service accounts belong to the core group. */
export function bindingDefaults(binding: JsonObject): void {
  fillInEmpty(objectIn(binding, 'roleRef'), { apiGroup: RBAC });
  for (const subject of objectsAt(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillInEmpty(subject, { apiGroup: RBAC });
  }
}
