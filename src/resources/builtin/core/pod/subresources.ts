// Strategies of the pod's subresources: /ephemeralcontainers adds containers to look into the pod, /resize changes what
// its containers ask for.

import { copyJson } from '../../../../api/json-writer.ts';
import type { Draft } from '../../../../api/object.ts';
import { lookup } from '../../../../base/lookup.ts';
import type { SubresourceRules } from '../../../definition.ts';
import type { Container } from './container-objects.ts';
import type { Pod } from './objects.ts';

import { validatePod } from './validation.ts';
import { validateEphemeralContainersUpdate, validateResize } from './validation-update.ts';

export const podSubresourceRules: Readonly<Record<string, SubresourceRules<Pod, Draft<Pod>>>> = lookup({
  ephemeralcontainers: {
    prepareForUpdate: (next, previous) => {
      const { ephemeralContainers } = next.spec ?? {};
      restore(next, previous);
      next.spec = { ...next.spec, ephemeralContainers };
    },
    validateUpdate: (next, previous, rules) => [
      ...validatePod(next, rules),
      ...validateEphemeralContainersUpdate(next, previous),
    ],
  },
  resize: {
    prepareForUpdate: (next, previous) => {
      const sizes = next.spec ?? {};
      restore(next, previous);
      for (const list of ['containers', 'initContainers'] as const) {
        for (const container of next.spec?.[list] ?? []) resize(container, sizes[list] ?? []);
      }
    },
    validateUpdate: (next, previous, rules) => [...validatePod(next, rules), ...validateResize(next, previous)],
  },
});

/** Puts back all but what says which pod is meant, at which version, and who owns what in it. */
function restore(next: Draft<Pod>, previous: Draft<Pod>): void {
  const { uid, resourceVersion, managedFields } = next.metadata;
  for (const member of Object.keys(next) as (keyof Pod)[]) delete (next as Partial<Pod>)[member];
  Object.assign(next, copyJson(previous));
  Object.assign(next.metadata, { uid, resourceVersion, managedFields });
}

/** Gives a container the size of the one with its name; what else is said there does not count. */
function resize(container: Draft<Container>, sizes: readonly Draft<Container>[]): void {
  const size = sizes.find(({ name }) => name === container.name);
  if (size === undefined) return;
  container.resources = size.resources;
  container.resizePolicy = size.resizePolicy;
}
