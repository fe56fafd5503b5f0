// Selection of the default storage or ingress class: an annotation says so. Of several the newest counts.

import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { ObjectLookup, ResourceName } from './object-lookup.ts';

/** The name of the default class; undefined where there is none. */
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
