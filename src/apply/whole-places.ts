// Atomic lists and maps of an applied value: a manager that may only set parts of an object must not touch them,
// because their other content would be lost.

import { isObject } from '../api/is-object.ts';
import type { Json } from '../api/object.ts';
import type { ValueType } from './value-type.ts';

/** The paths of such lists and maps: `.spec.selector`, `.spec.containers[0].command`. */
export function wholePlaces(type: ValueType, value: Json, path = ''): string[] {
  if (Array.isArray(value) && type.list !== undefined) {
    const { atomic, items } = type.list;
    return [
      ...(atomic ? [path] : []),
      ...value.flatMap((item, index) => wholePlaces(items, item, `${path}[${index}]`)),
    ];
  }
  if (!isObject(value) || type.map === undefined) return [];
  const found = type.map.atomic ? [path] : [];
  for (const [name, member] of Object.entries(value)) {
    const declared = type.map.declared(name);
    if (declared !== undefined) found.push(...wholePlaces(declared.type, member as Json, `${path}.${name}`));
  }
  return found;
}
