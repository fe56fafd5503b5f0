// Status fields of a pod that a write to the pod drops before 1.33 while their gate is disabled. Writes to the status keep
// them all in these releases.

import { copyJson } from '../../../../api/json-writer.ts';
import type { Draft } from '../../../../api/object.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { Container } from './container-objects.ts';
import type { ContainerStatus } from './container-status-objects.ts';
import type { Pod, PodSpec, PodStatus } from './objects.ts';

/** The first minor release of Kubernetes 1 whose writes to the status drop such fields themselves. */
const DROPPED_IN_STATUS = 33;
/** The first one in which allocated resources have a gate of their own, whatever the spec says. */
const ALLOCATED_APART = 32;

interface GatedFields {
  readonly gate: string;
  /** Members of the status of each container. */
  readonly ofContainers?: readonly (keyof ContainerStatus)[];
  /** Members of the status. */
  readonly ofPod?: readonly (keyof PodStatus)[];
  /** Whether the spec uses the feature, so that they are kept. */
  readonly isUsed?: (spec: PodSpec) => boolean;
}

const LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;
const STATUSES = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

const FIELDS: readonly GatedFields[] = [
  {
    gate: 'InPlacePodVerticalScaling',
    ofContainers: ['resources'],
    ofPod: ['resize'],
    isUsed: (spec) => (spec.containers ?? []).some(({ resizePolicy = [] }) => resizePolicy.length > 0),
  },
  {
    gate: 'DynamicResourceAllocation',
    ofPod: ['resourceClaimStatuses'],
    isUsed: ({ resourceClaims = [] }) => resourceClaims.length > 0,
  },
  {
    gate: 'RecursiveReadOnlyMounts',
    ofContainers: ['volumeMounts'],
    isUsed: (spec) =>
      LISTS.some((list) =>
        ((spec[list] ?? []) as readonly Container[]).some(({ volumeMounts = [] }) =>
          volumeMounts.some(({ recursiveReadOnly }) => recursiveReadOnly !== undefined),
        ),
      ),
  },
  { gate: 'ResourceHealthStatus', ofContainers: ['allocatedResourcesStatus'] },
  {
    gate: 'SupplementalGroupsPolicy',
    ofContainers: ['user'],
    isUsed: ({ securityContext }) => securityContext?.supplementalGroupsPolicy !== undefined,
  },
];

/** Drops them from the status that an update of a pod keeps. Modifies `next`. */
export function dropGatedStatus(next: Draft<Pod>, { spec = {} }: Draft<Pod>, context: StrategyContext): void {
  if (isSince(context, DROPPED_IN_STATUS) || next.status === undefined) return;
  const { gateEnabled } = context;
  const disabled = FIELDS.filter(({ gate, isUsed }) => !gateEnabled(gate) && isUsed?.(spec as PodSpec) !== true);
  const ofPod = disabled.flatMap(({ ofPod = [] }) => ofPod);
  const ofContainers = disabled.flatMap(({ ofContainers = [] }) => ofContainers);
  if (dropsAllocated(disabled, context)) ofContainers.push('allocatedResources');
  // It is shared with the previous object.
  const status = copyJson(next.status);
  for (const member of ofPod) delete status[member];
  for (const list of STATUSES) {
    for (const container of status[list] ?? []) for (const member of ofContainers) delete container[member];
  }
  next.status = status;
}

function dropsAllocated(disabled: readonly GatedFields[], context: StrategyContext): boolean {
  const scaling = 'InPlacePodVerticalScaling';
  if (!isSince(context, ALLOCATED_APART)) return disabled.some(({ gate }) => gate === scaling);
  return !context.gateEnabled(scaling) || !context.gateEnabled('InPlacePodVerticalScalingAllocatedStatus');
}
