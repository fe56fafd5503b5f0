// The default storage class, which claims get that name none.

import { ownMember } from '../../api/own-member.ts';
import type { StorageClass } from '../../resources/builtin/storage/v1-objects.ts';

export const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';
const BETA_IS_DEFAULT = 'storageclass.beta.kubernetes.io/is-default-class';

/** The newest of the default classes, of several the first by name. */
export function defaultClass(classes: readonly StorageClass[]): string | undefined {
  const [first] = classes.filter(isDefault).sort((one, other) => {
    const [time, otherTime] = [one, other].map(({ metadata }) => metadata.creationTimestamp ?? '');
    if (time !== otherTime) return time! > otherTime! ? -1 : 1;
    return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1;
  });
  return first?.metadata.name;
}

function isDefault({ metadata: { annotations } }: StorageClass): boolean {
  return ownMember(annotations, IS_DEFAULT) === 'true' || ownMember(annotations, BETA_IS_DEFAULT) === 'true';
}
