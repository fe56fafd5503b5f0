// What a write to one part of a pod changes, and what it leaves: /ephemeralcontainers adds containers to look into the
// pod, /resize changes what its containers ask for.

import { copyJson } from '../../../../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import type { SubresourceRules } from '../../../definition.ts';
import { objectIn, objectsAt } from '../../../fill-in.ts';
import { isObject } from '../../../value.ts';
import { validatePod } from './validation.ts';
import { validateEphemeralContainersUpdate, validateResize } from './validation-update.ts';

export const podSubresourceRules: Readonly<Record<string, SubresourceRules>> = {
  ephemeralcontainers: {
    prepareForUpdate: (next, previous) => {
      const { ephemeralContainers } = isObject(next['spec']) ? next['spec'] : {};
      restore(next, previous);
      objectIn(next, 'spec')['ephemeralContainers'] = ephemeralContainers;
    },
    validateUpdate: (next, previous, rules) => [
      ...validatePod(next, rules),
      ...validateEphemeralContainersUpdate(next, previous),
    ],
  },
  resize: {
    prepareForUpdate: (next, previous) => {
      const sizes = isObject(next['spec']) ? next['spec'] : {};
      restore(next, previous);
      for (const list of ['containers', 'initContainers']) {
        for (const container of objectsAt(objectIn(next, 'spec'), list)) resize(container, objectsAt(sizes, list));
      }
    },
    validateUpdate: (next, previous, rules) => [...validatePod(next, rules), ...validateResize(next, previous)],
  },
};

/** Puts back all but what says which pod is meant, at which version, and who owns what in it. */
function restore(next: ApiObject, previous: ApiObject): void {
  const { uid, resourceVersion, managedFields } = next.metadata;
  for (const member of Object.keys(next)) delete next[member];
  Object.assign(next, copyJson(previous));
  Object.assign(next.metadata, { uid, resourceVersion, managedFields });
}

/** Gives a container the size of the one with its name; what else is said there does not count. */
function resize(container: JsonObject, sizes: readonly JsonObject[]): void {
  const size = sizes.find(({ name }) => name === container['name']);
  if (size === undefined) return;
  container['resources'] = size['resources'];
  container['resizePolicy'] = size['resizePolicy'];
}
