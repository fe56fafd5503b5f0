// Which changes may help a pod that a filter has rejected. If in doubt, it is tried again; a change that cannot help must
// not wake all pods that wait.

import { equalJson } from '../../api/json-equal.ts';
import type { Json } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { matchesRequired } from '../node-selection.ts';
import { untolerated } from '../taints.ts';
import { offeredAmounts } from './amounts.ts';
import type { ClusterChange } from './cluster-change.ts';
import type { FilterName } from './filter.ts';
import { type AffinityTerm, type PodInfo, termMatches } from './pod-info.ts';

type NodeChange = Extract<ClusterChange, { readonly of: 'node' }>;
type PodChange = Extract<ClusterChange, { readonly of: 'pod' }>;

const INTERESTED: Readonly<Record<ClusterChange['of'], readonly FilterName[]>> = Object.freeze({
  node: [
    ...(['NodeUnschedulable', 'TaintToleration', 'NodeAffinity', 'NodePorts', 'NodeResourcesFit'] as const),
    ...(['VolumeRestrictions', 'VolumeBinding', 'VolumeZone'] as const),
    ...(['PodTopologySpread', 'InterPodAffinity', 'DynamicResources'] as const),
  ],
  'gone node': ['PodTopologySpread'],
  pod: ['NodeResourcesFit', 'PodTopologySpread', 'InterPodAffinity'],
  'gone pod': [
    ...(['NodePorts', 'NodeResourcesFit', 'VolumeRestrictions', 'NodeVolumeLimits'] as const),
    ...(['PodTopologySpread', 'InterPodAffinity'] as const),
  ],
  persistentvolumeclaims: ['VolumeRestrictions', 'NodeVolumeLimits', 'VolumeBinding', 'VolumeZone'],
  persistentvolumes: ['VolumeBinding', 'VolumeZone'],
  storageclasses: ['VolumeBinding', 'VolumeZone'],
  csinodes: ['NodeVolumeLimits', 'VolumeBinding'],
  csidrivers: ['VolumeBinding'],
  csistoragecapacities: ['VolumeBinding'],
  volumeattachments: ['NodeVolumeLimits'],
  resourceclaims: ['DynamicResources'],
  resourceslices: ['DynamicResources'],
  deviceclasses: ['DynamicResources'],
});

/** The filters whose rejections a change may lift. */
export function interested(change: ClusterChange): readonly FilterName[] {
  if (change.of === 'node' && !isNodeChange(change)) return [];
  if (change.of === 'pod' && !isPodChange(change)) return [];
  return INTERESTED[change.of];
}

/** Whether a change may help a pod that a filter has rejected, given that the filter is interested in it. */
export function mayHelp(filter: FilterName, waiting: PodInfo, change: ClusterChange): boolean {
  if (!INTERESTED[change.of].includes(filter)) return false;
  switch (change.of) {
    case 'node':
      return nodeMayHelp(filter, waiting, change);
    case 'pod':
      return comingMayHelp(filter, waiting, change);
    case 'gone pod':
      return leavingMayHelp(filter, waiting, change.pod);
    case 'persistentvolumeclaims':
      // What these two object to is no other once the claim is there.
      if (change.before !== undefined && (filter === 'VolumeRestrictions' || filter === 'NodeVolumeLimits'))
        return false;
      return isOwnClaim(waiting, change.object.metadata);
    case 'storageclasses':
      return change.before === undefined || filter !== 'VolumeZone';
    case 'resourceclaims':
      return change.object.metadata.namespace === waiting.namespace || hasLost(change, 'allocation');
    default:
      return true;
  }
}

function hasLost({ object, before }: Extract<ClusterChange, { readonly object: unknown }>, member: string): boolean {
  const statusOf = (of: unknown) => (of as { readonly status?: Readonly<Record<string, unknown>> } | undefined)?.status;
  return ownMember(statusOf(before), member) !== undefined && ownMember(statusOf(object), member) === undefined;
}

/** Most changes of nodes are signs of life and the like. */
function isNodeChange({ node, before }: NodeChange): boolean {
  return before === undefined || partsOf(node).some((part, index) => !equalJson(part, partsOf(before)[index]));
}

function partsOf({ metadata, spec, status }: Node): (Json | undefined)[] {
  return [metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable].map(
    (part) => part as Json | undefined,
  );
}

/** A pod on a node counts with its labels and its requests. */
function isPodChange({ pod, before }: PodChange): boolean {
  if (before === undefined) return true;
  const isSmaller = before.requests.entries().some(([name, amount]) => amount > (pod.requests.get(name) ?? 0));
  return isSmaller || !equalJson(before.labels as Json | undefined, pod.labels as Json | undefined);
}

function nodeMayHelp(filter: FilterName, waiting: PodInfo, { node, before }: NodeChange): boolean {
  const { pod } = waiting;
  const isNew = before === undefined;
  switch (filter) {
    case 'NodeUnschedulable':
      return node.spec?.unschedulable !== true && (isNew || before.spec?.unschedulable === true);
    case 'TaintToleration':
      return !isKeptAway(pod, node) && (isNew || isKeptAway(pod, before));
    case 'NodeAffinity':
      return matchesRequired(pod, node) && (isNew || !matchesRequired(pod, before));
    case 'NodeResourcesFit':
      return offersMore(waiting, { node, before });
    case 'NodePorts':
    case 'VolumeRestrictions':
    case 'DynamicResources':
      return isNew;
    case 'PodTopologySpread':
      return true;
    default:
      return isNew || !equalJson(before.metadata.labels as Json | undefined, node.metadata.labels as Json | undefined);
  }
}

function isKeptAway({ spec }: Pod, node: Node): boolean {
  return untolerated(node.spec?.taints, spec?.tolerations) !== undefined;
}

/** Whether the node would do if it were empty, and offers more of something that the pod needs. */
function offersMore({ requests }: PodInfo, { node, before }: Omit<NodeChange, 'of'>): boolean {
  const offered = offeredAmounts(node.status?.allocatable);
  const earlier = before === undefined ? undefined : offeredAmounts(before.status?.allocatable);
  const needed = [...requests].filter(([, amount]) => amount > 0);
  if ((offered.get('pods') ?? 0) < 1 || needed.some(([name, amount]) => amount > (offered.get(name) ?? 0)))
    return false;
  if (earlier === undefined) return true;
  return ['pods', ...needed.map(([name]) => name)].some((name) => (offered.get(name) ?? 0) > (earlier.get(name) ?? 0));
}

/** Whether it may help that a pod has come to a node, or needs less there, or has other labels. */
function comingMayHelp(filter: FilterName, waiting: PodInfo, { pod, before }: PodChange): boolean {
  switch (filter) {
    case 'NodeResourcesFit':
      return before !== undefined;
    case 'PodTopologySpread':
      return waiting.namespace === pod.namespace;
    default: {
      const { affinity, antiAffinity } = waiting;
      const isAbout = (term: AffinityTerm, of: PodInfo | undefined) =>
        of !== undefined && termMatches(term, of, undefined);
      const isWanted = affinity.required.some((term) => isAbout(term, pod) && !isAbout(term, before));
      return isWanted || antiAffinity.required.some((term) => isAbout(term, before) && !isAbout(term, pod));
    }
  }
}

function leavingMayHelp(filter: FilterName, waiting: PodInfo, other: PodInfo): boolean {
  switch (filter) {
    case 'NodePorts':
      return waiting.ports.some(({ port }) => other.ports.some((each) => each.port === port));
    case 'VolumeRestrictions':
      return waiting.namespace === other.namespace;
    case 'PodTopologySpread':
      return waiting.namespace === other.namespace;
    case 'InterPodAffinity':
      return (
        waiting.antiAffinity.required.some((term) => termMatches(term, other, undefined)) ||
        other.antiAffinity.required.some((term) => termMatches(term, waiting, undefined))
      );
    default:
      return true;
  }
}

function isOwnClaim({ namespace, pod }: PodInfo, claim: PodInfo['pod']['metadata']): boolean {
  if (claim.namespace !== namespace) return false;
  return (pod.spec?.volumes ?? []).some(
    ({ name, persistentVolumeClaim, ephemeral }) =>
      persistentVolumeClaim?.claimName === claim.name ||
      (ephemeral !== undefined && `${pod.metadata.name}-${name}` === claim.name),
  );
}
