// The selector of the set that a pod belongs to: of its services and of the controller that owns it. Pods of a set are
// spread without being asked.

import { type LabelSelector, labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { controllerOf } from '../owners.ts';
import type { PodInfo } from './pod-info.ts';
import type { Sources } from './sources.ts';

type SetSources = Pick<Sources, 'services' | 'replicationControllers' | 'replicaSets' | 'statefulSets'>;
type MatchLabels = Readonly<Record<string, string>>;

/** Empty for a pod that belongs to no set. */
export function setSelector({ pod, namespace, labels }: PodInfo, sources: SetSources): LabelSelector {
  const matchLabels: Record<string, string> = {};
  for (const { spec } of sources.services.list(namespace)) {
    if (spec?.selector !== undefined && matchesAll(spec.selector, labels)) Object.assign(matchLabels, spec.selector);
  }
  const owner = controllerOf(pod);
  const kind = `${owner?.apiVersion} ${owner?.kind}`;
  const name = owner?.name ?? '';
  if (kind === 'v1 ReplicationController') {
    Object.assign(matchLabels, sources.replicationControllers.get(namespace, name)?.spec?.selector);
  }
  const sets = { 'apps/v1 ReplicaSet': sources.replicaSets, 'apps/v1 StatefulSet': sources.statefulSets };
  const selector = ownMember(sets, kind)?.get(namespace, name)?.spec?.selector;
  // Both have to match; a label that both name is named twice.
  const required = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const matchExpressions = [...(selector?.matchExpressions ?? []), ...required];
  return labelSelectorOf({ ...selector, matchExpressions } as unknown as JsonObject);
}

/** A service without selector labels selects everything. */
function matchesAll(selector: MatchLabels, labels: PodInfo['labels']): boolean {
  return Object.entries(selector).every(([key, value]) => ownMember(labels, key) === value);
}
