// TypeMeta, ObjectMeta and ListMeta of every kind, declared once: an object with type and metadata, and the list of
// such objects.

import { embedded, type FieldBuilder, inline, list, struct } from '../../../schema/build.ts';
import type { StructNode } from '../../../schema/node.ts';
import { ListMeta, ObjectMeta, TypeMeta } from './v1.ts';

/** Declares a kind of `groupVersion` with type and metadata before the fields of its own. */
export function object(name: string, groupVersion: string, declare: () => Record<string, FieldBuilder>): StructNode {
  const kind = name.slice(name.lastIndexOf('.') + 1);
  return struct(name, () => ({ TypeMeta: inline(0, TypeMeta), metadata: embedded(1, ObjectMeta), ...declare() }), {
    kinds: [`${groupVersion}/${kind}`],
  });
}

/** Declares the list of a kind: `PodList` of `Pod`. */
export function objectList(item: StructNode): StructNode {
  return struct(
    `${item.name}List`,
    () => ({ TypeMeta: inline(0, TypeMeta), metadata: embedded(1, ListMeta), items: list(2, item).required() }),
    { kinds: item.kinds.map((kind) => `${kind}List`) },
  );
}
