// Values of a scale that are not what their paths promise, in the words of Go's accessors of untyped objects.

import { goText, goTypeOf } from '../../api/go-text.ts';
import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';

/** Why the value at a path is not of a type; undefined if it is, or if it is absent. */
export function accessorFault(
  object: JsonObject,
  path: readonly string[],
  wanted: 'int64' | 'string',
): string | undefined {
  const fault = (value: Json, type: string) =>
    `.${path.join('.')} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected ${type}`;
  let here: Json | undefined = object;
  for (const name of path) {
    if (here === null) return undefined;
    if (!isObject(here)) return fault(here, 'map[string]interface{}');
    here = ownMember(here, name);
    if (here === undefined) return undefined;
  }
  return goTypeOf(here) === wanted ? undefined : fault(here, wanted);
}
