// Which owners have to look when a pod changes: the one that controls it, before or after the change, and those that
// would adopt it if it has none.

import { labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Index, Informed, Informer } from '../informer.ts';
import { controllerOf } from '../owners.ts';
import { type Keys, keyOf } from '../reconciler.ts';

/** Pods without a controller, by namespace. */
export function podsByNamespaceOfOrphans(pods: Informer<Pod>): Index<Pod> {
  return pods.index((pod) => (controllerOf(pod) === undefined ? [pod.metadata.namespace ?? ''] : []));
}

interface Ownership<T extends Informed> {
  readonly owners: Informer<T>;
  /** The kind of the owners. */
  readonly kind: string;
  readonly keys: Keys;
  /** The selector of an owner's pods; undefined for owners that adopt none. */
  readonly selectorOf: (owner: T) => object | null | undefined;
}

/** Adds the keys of owners whose pods change. */
export function followOwned<T extends Informed>(
  pods: Pick<Informer<Pod>, 'follow'>,
  { owners, kind, keys, selectorOf }: Ownership<T>,
): void {
  const look = (pod: Pod) => {
    const owner = controllerOf(pod);
    const namespace = pod.metadata.namespace ?? '';
    if (owner !== undefined) {
      if (owner.kind === kind && owners.get(namespace, owner.name)?.metadata.uid === owner.uid)
        keys.add(`${namespace}/${owner.name}`);
      return;
    }
    for (const each of owners.list(namespace)) {
      const selector = selectorOf(each);
      if (selector !== undefined && labelSelectorOf(selector as JsonObject | null).matches(pod.metadata.labels))
        keys.add(keyOf(each));
    }
  };
  pods.follow({
    changed: (pod, previous) => {
      const before = previous === undefined ? undefined : controllerOf(previous);
      if (previous !== undefined && before !== undefined && before.uid !== controllerOf(pod)?.uid) look(previous);
      look(pod);
    },
    removed: look,
  });
}
