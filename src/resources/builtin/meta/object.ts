// TypeMeta, ObjectMeta and ListMeta, declared once: builders for a kind with type and metadata, and for its list.

import { embedded, type FieldBuilder, inline, list, struct } from '../../../schema/build.ts';
import type { Span } from '../../../schema/declared-struct.ts';
import type { StructNode } from '../../../schema/node.ts';
import { ListMeta, ObjectMeta, TypeMeta } from './v1.ts';

/** Declares a kind of `groupVersion` with type, metadata and its own fields, and the releases that have it. */
export function object(
  name: string,
  groupVersion: string,
  declare: () => Record<string, FieldBuilder>,
  span: Span = {},
): StructNode {
  const kind = name.slice(name.lastIndexOf('.') + 1);
  return struct(name, () => ({ TypeMeta: inline(0, TypeMeta), metadata: embedded(1, ObjectMeta), ...declare() }), {
    ...span,
    kinds: [`${groupVersion}/${kind}`],
  });
}

/** Declares the list of a kind: `PodList` for `Pod`. */
export function objectList(item: StructNode): StructNode {
  return struct(
    `${item.name}List`,
    () => ({ TypeMeta: inline(0, TypeMeta), metadata: embedded(1, ListMeta), items: list(2, item).required() }),
    { since: item.since, until: item.until, kinds: item.kinds.map((kind) => `${kind}List`) },
  );
}
