// Selectors of pods that take values from the pod's own labels: what matchLabelKeys and mismatchLabelKeys name becomes
// part of the selector beside them when the pod is created. From KEP-3633 and KEP-3243.

import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import type { BehaviourContext } from '../../../definition.ts';
import { objectAt, objectsAt } from '../../../fill-in.ts';
import { isObject, listAt } from '../../../value.ts';

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const SPREAD_GATES = ['MatchLabelKeysInPodTopologySpread', 'MatchLabelKeysInPodTopologySpreadSelectorMerge'];

/** Adds the requirements that the pod's labels make of the keys. Changes its argument. */
export function mergeLabelKeys(pod: ApiObject, { gateEnabled }: BehaviourContext): void {
  const spec = objectAt(pod, 'spec');
  const labels = pod.metadata.labels ?? {};
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const affinity = objectAt(objectAt(spec, 'affinity'), kind);
    for (const { podAffinityTerm } of objectsAt(affinity, PREFERRED)) {
      if (isObject(podAffinityTerm)) mergeTerm(podAffinityTerm, labels);
    }
    for (const term of objectsAt(affinity, REQUIRED)) mergeTerm(term, labels);
  }
  if (!SPREAD_GATES.every(gateEnabled)) return;
  for (const constraint of objectsAt(spec, 'topologySpreadConstraints')) {
    addRequirements(constraint, labels, { keys: 'matchLabelKeys', operator: 'In' });
  }
}

function mergeTerm(term: JsonObject, labels: Readonly<Record<string, string>>): void {
  addRequirements(term, labels, { keys: 'matchLabelKeys', operator: 'In' });
  addRequirements(term, labels, { keys: 'mismatchLabelKeys', operator: 'NotIn' });
}

/** A selector that is not there selects nothing, and stays so. */
function addRequirements(
  term: JsonObject,
  labels: Readonly<Record<string, string>>,
  { keys, operator }: { keys: string; operator: string },
): void {
  const selector = objectAt(term, 'labelSelector');
  if (selector === undefined) return;
  const added: JsonObject[] = [];
  for (const key of listAt(term, keys) as string[]) {
    const value = labels[key];
    if (value !== undefined) added.push({ key, operator, values: [value] });
  }
  if (added.length > 0) selector['matchExpressions'] = [...listAt(selector, 'matchExpressions'), ...added];
}
