// A strategic merge patch after it has been merged, as messages quote it: Kubernetes removes the directives that it has
// followed from the patch.

import { isObject } from '../api/is-object.ts';
import type { JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';

const SET_ELEMENT_ORDER = '$setElementOrder/';

/**
 * The patch without the directives of its maps; the lists that an order was given for are gone, too.
 *
 * @param document that was patched: maps that it does not have are taken as they are
 */
export function spentPatch(patch: JsonObject, document: JsonObject): JsonObject {
  const { $patch: directive, ...rest } = patch;
  if (directive !== undefined) return directive === 'replace' ? rest : patch;
  const spent: JsonObject = {};
  for (const [name, value] of Object.entries(patch)) {
    const isOrdered = Object.hasOwn(patch, SET_ELEMENT_ORDER + name);
    if (name === '$retainKeys' || name.startsWith(SET_ELEMENT_ORDER) || isOrdered) continue;
    const current = ownMember(document, name);
    spent[name] = isObject(value) && isObject(current) ? spentPatch(value, current) : value;
  }
  return spent;
}
