// Validation of workload status: counts must not be negative, and none may exceed the total.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { validateCounts, validateNotDecremented, validateParts } from '../../validation/counts.ts';

type Counts<M extends string> = { readonly [Member in M]?: number | bigint };

interface StatusRules<M extends string> {
  readonly counts: readonly M[];
  /** Those that count some of `replicas`. */
  readonly parts: readonly NoInfer<M>[];
  /** The name of the ready count in the error for too many available pods. */
  readonly ready?: string;
  /** Whether revision name collisions are counted. */
  readonly collisions?: true;
}

interface HasStatus<M extends string> {
  readonly status?: Counts<M | 'replicas' | 'readyReplicas' | 'availableReplicas' | 'collisionCount'>;
}

function statusRule<M extends string>({ counts, parts, ready, collisions }: StatusRules<M>) {
  return ({ status }: HasStatus<M>, { status: old }: HasStatus<M>): FieldError[] => {
    const found = [
      ...validateCounts(status, counts, 'status'),
      ...validateParts(status, parts, { whole: 'replicas', field: 'status' }),
    ];
    if (ready !== undefined) found.push(...validateAvailable(status, ready));
    if (collisions === undefined) return found;
    return [...found, ...validateNotDecremented(status, old, { member: 'collisionCount', field: 'status' })];
  };
}

/** Available pods have been ready for a while. */
function validateAvailable(
  status: Counts<'readyReplicas' | 'availableReplicas'> | undefined,
  ready: string,
): FieldError[] {
  const available = status?.availableReplicas ?? 0;
  if (available <= (status?.readyReplicas ?? 0)) return [];
  return [fieldError.invalid('status.availableReplicas', available, `cannot be greater than ${ready}`)];
}

export const validateDeploymentStatus = statusRule({
  counts: [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ],
  parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
  collisions: true,
});

/** Replica sets and replication controllers. */
export const validateReplicaSetStatus = statusRule({
  counts: [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'terminatingReplicas',
    'observedGeneration',
  ],
  parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
});

export const validateStatefulSetStatus = statusRule({
  counts: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  ready: 'status.readyReplicas',
  collisions: true,
});

export const validateDaemonSetStatus = statusRule({
  counts: [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ],
  parts: [],
  collisions: true,
});
