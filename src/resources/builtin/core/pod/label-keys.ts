// Selectors that take values from the pod's own labels: matchLabelKeys and mismatchLabelKeys are merged into the
// selector when a pod is created. See KEP-3633 and KEP-3243.

import type { Draft } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { LabelSelectorRequirement } from '../../meta/v1-objects.ts';
import type { Pod } from './objects.ts';
import type { PodAffinityTerm, TopologySpreadConstraint } from './scheduling-objects.ts';

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const SPREAD_GATES = ['MatchLabelKeysInPodTopologySpread', 'MatchLabelKeysInPodTopologySpreadSelectorMerge'];

/** Adds the requirements derived from the pod's labels. Modifies its argument. */
export function mergeLabelKeys(pod: Draft<Pod>, { gateEnabled }: StrategyContext): void {
  const spec = pod.spec;
  const labels = pod.metadata.labels ?? {};
  const kinds = gateEnabled('MatchLabelKeysInPodAffinity') ? (['podAffinity', 'podAntiAffinity'] as const) : [];
  for (const kind of kinds) {
    const affinity = spec?.affinity?.[kind];
    for (const { podAffinityTerm } of affinity?.[PREFERRED] ?? []) {
      if (podAffinityTerm !== undefined) mergeTerm(podAffinityTerm, labels);
    }
    for (const term of affinity?.[REQUIRED] ?? []) mergeTerm(term, labels);
  }
  if (!SPREAD_GATES.every(gateEnabled)) return;
  for (const constraint of spec?.topologySpreadConstraints ?? []) {
    addRequirements(constraint, labels, { keys: constraint.matchLabelKeys, operator: 'In' });
  }
}

function mergeTerm(term: Draft<PodAffinityTerm>, labels: Readonly<Record<string, string>>): void {
  addRequirements(term, labels, { keys: term.matchLabelKeys, operator: 'In' });
  addRequirements(term, labels, { keys: term.mismatchLabelKeys, operator: 'NotIn' });
}

/** An absent selector matches nothing, and remains absent. */
function addRequirements(
  term: Draft<PodAffinityTerm | TopologySpreadConstraint>,
  labels: Readonly<Record<string, string>>,
  { keys, operator }: { keys: readonly string[] | undefined; operator: string },
): void {
  const selector = term.labelSelector;
  if (selector === undefined) return;
  const added: Draft<LabelSelectorRequirement>[] = [];
  for (const key of keys ?? []) {
    const value = ownMember(labels, key);
    if (value !== undefined) added.push({ key, operator, values: [value] });
  }
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}
