// Strategies of pod subresources: /ephemeralcontainers adds ephemeral containers, /resize changes container resources.

import { copyJson } from '../../../../api/json-writer.ts';
import type { Draft } from '../../../../api/object.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { type KindRules, RESET_METADATA, type StrategyContext } from '../../../definition.ts';
import type { Container } from './container-objects.ts';
import { dropGatedStatus } from './earlier-status.ts';
import type { Pod, PodSpec } from './objects.ts';
import { completePodResources, keepPodResources } from './resources-defaults.ts';
import { validatePod } from './validation.ts';
import { RESIZES_AS_WHOLE, validateResizable, validateResize } from './validation-resize.ts';
import { validateEphemeralContainersUpdate } from './validation-update.ts';

/** The whole pod is validated, including its metadata. */
const WHOLE = ['metadataChange', 'metadata', 'change'] as const;

export const podSubresourceRules: KindRules<Pod> = {
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate: (next, previous, context) => {
        const { ephemeralContainers } = next.spec ?? {};
        restore(next, previous, context);
        next.spec = { ...next.spec, ephemeralContainers };
        dropGatedStatus(next, previous, context);
      },
      checks: { update: WHOLE, changeTellsEmpty: true },
      validateUpdate: (next, previous, rules) => [
        ...validatePod(next, rules),
        ...validateEphemeralContainersUpdate(next, previous, rules),
      ],
    },
    resize: {
      prepareForUpdate: (next, previous, context) => {
        const [spec = {}, old = {}] = [next.spec, previous.spec];
        if (LISTS.some((list) => (spec[list] ?? []).length !== (old[list] ?? []).length)) {
          // Added or removed containers are rejected later.
          keepPodResources(next, previous, context);
          completePodResources(spec, context);
          return;
        }
        const resized = LISTS.map((list) => [list, resizedContainers(spec[list] ?? [], old[list] ?? [])] as const);
        const { resources, volumes } = spec;
        restore(next, previous, context);
        dropGatedStatus(next, previous, context);
        const kept = next.spec ?? {};
        for (const [list, containers] of resized) if (containers.length > 0) kept[list] = containers;
        if (context.gateEnabled('InPlacePodVerticalScalingMemoryBackedVolumes')) replace(kept, 'volumes', volumes);
        if (!context.gateEnabled(RESIZES_AS_WHOLE)) return;
        replace(kept, 'resources', resources);
        keepPodResources(next, previous, context);
        completePodResources(kept, context);
      },
      checks: { update: WHOLE },
      validateUpdate: (next, previous, rules) => {
        const refused = validateResizable(next, previous, rules);
        if (refused.length > 0) return refused;
        const found = validatePod(next, rules);
        return [...found, ...validateResize(next, previous, { found, rules })];
      },
    },
  },
};

/** The first minor release of Kubernetes 1 in which these writes change metadata, and have owners. */
const CHANGES_METADATA = 33;

/** Restores everything except the metadata that writes to the status may change, and before 1.33 these as well. */
function restore(next: Draft<Pod>, previous: Draft<Pod>, context: StrategyContext): void {
  const { metadata } = next;
  for (const member of Object.keys(next) as (keyof Pod)[]) delete (next as Partial<Pod>)[member];
  const { metadata: old, ...rest } = copyJson(previous);
  Object.assign(next, rest, { metadata });
  if (!isSince(context, CHANGES_METADATA)) {
    const { resourceVersion } = metadata;
    for (const member of Object.keys(metadata)) delete metadata[member];
    Object.assign(metadata, old, { resourceVersion });
    return;
  }
  for (const member of RESET_METADATA) metadata[member] = old[member] as never;
  metadata.generation = old.generation;
}

function replace<Name extends 'resources' | 'volumes'>(
  spec: Draft<PodSpec>,
  name: Name,
  value: Draft<PodSpec>[Name] | undefined,
): void {
  if (value === undefined) delete spec[name];
  else spec[name] = value;
}

const LISTS = ['containers', 'initContainers'] as const;

/** Containers with the requested resources; other fields are ignored, except for names, which must not change. */
function resizedContainers(wanted: Draft<Container>[], old: readonly Container[]): Draft<Container>[] {
  if (wanted.some(({ name }, index) => name !== old[index]?.name)) return wanted;
  return wanted.map(({ resources, resizePolicy }, index) => {
    const container = copyJson(old[index]) as Draft<Container>;
    container.resources = resources;
    container.resizePolicy = resizePolicy;
    return container;
  });
}
