// Conditions of pods whose resources are being changed while they run.

import { timestamp } from '../../api/timestamp.ts';
import type { PodCondition } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition } from '../conditions.ts';
import type { PodRun } from './pod-run.ts';

interface ResizeFacts {
  /** Only in releases that report it. */
  readonly observedGeneration?: number;
  readonly nowMs: number;
  readonly before: readonly PodCondition[] | undefined;
}

export function resizeConditions(
  { resize, ended }: PodRun,
  { observedGeneration, nowMs, before }: ResizeFacts,
): PodCondition[] {
  if (ended) return [];
  const conditions: PodCondition[] = [];
  const add = (type: string, generation: number, cause: { readonly reason?: string; readonly message?: string }) => {
    const earlier = findCondition(before, type);
    conditions.push({
      type,
      ...(observedGeneration === undefined ? {} : { observedGeneration: generation }),
      status: 'True',
      lastProbeTime: earlier === undefined ? timestamp(nowMs) : (earlier.lastProbeTime ?? null),
      lastTransitionTime: earlier?.lastTransitionTime ?? timestamp(nowMs),
      ...cause,
    });
  };
  const { pending, inProgress } = resize;
  if (pending !== undefined)
    add('PodResizePending', pending.generation, { reason: pending.reason, message: pending.message });
  if (inProgress !== undefined) add('PodResizeInProgress', inProgress.generation, {});
  return conditions;
}
