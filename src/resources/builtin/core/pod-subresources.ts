// What a write to one part of a pod changes, and what it leaves: /ephemeralcontainers adds containers to look into the
// pod, /resize changes what its containers ask for.

import type { ApiObject, JsonObject } from '../../../api/object.ts';
import type { SubresourceRules } from '../../definition.ts';
import { objectIn, objectsAt } from '../../fill-in.ts';
import { isObject } from '../../value.ts';
import { validatePod } from './pod-validation.ts';
import { validateEphemeralContainersUpdate, validateResize } from './pod-validation-update.ts';

export const podSubresourceRules: Readonly<Record<string, SubresourceRules>> = {
  ephemeralcontainers: {
    prepareForUpdate: (next, previous) => {
      const { ephemeralContainers } = isObject(next['spec']) ? next['spec'] : {};
      restore(next, previous);
      const { ephemeralContainers: _, ...spec } = objectIn(next, 'spec');
      next['spec'] = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers };
    },
    validateUpdate: (next, previous) => [...validatePod(next), ...validateEphemeralContainersUpdate(next, previous)],
  },
  resize: {
    prepareForUpdate: (next, previous) => {
      const sizes = isObject(next['spec']) ? next['spec'] : {};
      restore(next, previous);
      const spec: JsonObject = { ...objectIn(next, 'spec') };
      for (const list of ['containers', 'initContainers']) {
        if (Array.isArray(spec[list])) spec[list] = resized(objectsAt(spec, list), objectsAt(sizes, list));
      }
      next['spec'] = spec;
    },
    validateUpdate: (next, previous) => [...validatePod(next), ...validateResize(next, previous)],
  },
};

/** Puts back all but what says which pod is meant, at which version, and who owns what in it. Shares, copies nothing. */
function restore(next: ApiObject, previous: ApiObject): void {
  const { uid, resourceVersion, managedFields } = next.metadata;
  for (const member of Object.keys(next)) delete next[member];
  Object.assign(next, previous);
  next.metadata = { ...previous.metadata, uid, resourceVersion, managedFields };
}

/** Containers as they are, with the sizes of those that have the same name; what else is said of them does not count. */
function resized(containers: readonly JsonObject[], sizes: readonly JsonObject[]): JsonObject[] {
  return containers.map((container) => {
    const size = sizes.find(({ name }) => name === container['name']);
    if (size === undefined) return container;
    const { resources: _, resizePolicy: __, ...rest } = container;
    const { resources, resizePolicy } = size;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}
