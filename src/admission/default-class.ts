// Selection of the default StorageClass or IngressClass, which an annotation marks. If there are several, the newest is
// used.

import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { ObjectLookup, ResourceName } from './object-lookup.ts';

/** The name of the default class; undefined if there is none. */
export function defaultClassName(
  objects: ObjectLookup,
  kind: ResourceName,
  annotations: readonly string[],
): Soon<string | undefined> {
  return whenThere(objects.all(kind), (classes) => {
    const marked = classes.filter((each) =>
      annotations.some((annotation) => each.metadata.annotations?.[annotation] === 'true'),
    );
    return marked.sort(newestFirst)[0]?.metadata.name;
  });
}

function newestFirst({ metadata: one }: ApiObject, { metadata: other }: ApiObject): number {
  const [born, otherBorn] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  if (born !== otherBorn) return born > otherBorn ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
