// Workloads that would select the pods of all others, which controllers leave alone.

import type { LabelSelector } from '../../resources/builtin/meta/v1-objects.ts';

/** Whether a selector is empty or missing. */
export function selectsAll({ spec }: { readonly spec?: { readonly selector?: LabelSelector | null } }): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
