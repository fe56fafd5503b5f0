// The plugin NodeDeclaredFeatureValidator: what an update asks of a pod that runs on a node must be among the features
// that the node declares, and so must be what devices take of their nodes.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { isSince } from '../lifecycle/version.ts';
import type { Container } from '../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../resources/builtin/core/pod/objects.ts';
import { compareAmounts } from '../resources/validation/quantities.ts';
import { at, entriesAt, listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, isPodUpdate, refusal } from './concerns.ts';
import { selectsNode } from './node-selection.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { NODES } from './resources.ts';

/** What a node must declare for some updates of its pods. */
interface NodeFeature {
  readonly name: string;
  /** The minor releases of Kubernetes 1 that ask for it. */
  readonly since: number;
  readonly until?: number;
  readonly isNeeded: (next: Pod, previous: Pod) => boolean;
}

/** Sorted by name: the order in which missing features are reported. */
const FEATURES: readonly NodeFeature[] = [
  { name: 'GuaranteedQoSPodCPUResize', since: 35, until: 35, isNeeded: changesGuaranteedCpu },
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    since: 35,
    isNeeded: (next, previous) => !equalJson(next.spec?.resources, previous.spec?.resources),
  },
  { name: 'InPlacePodVerticalScalingInitContainers', since: 36, isNeeded: changesInitContainer },
  { name: 'InPlacePodVerticalScalingMemoryBackedVolumes', since: 37, isNeeded: changesMemoryVolume },
];

/** From 1.37 on devices take resources of nodes that declare it, behind the gate of that name. */
const NODE_RESOURCES = 'DRANodeAllocatableResources';
const SLICES = { group: 'resource.k8s.io', resource: 'resourceslices' };

interface Needs {
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  /** Many nodes are asked in turns. */
  readonly turns: ShortTurns;
}

export function nodeDeclaredFeatures(objects: ObjectLookup, { gateEnabled, turns }: Needs): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    admit(admission) {
      if (!gateEnabled('NodeDeclaredFeatures')) return undefined;
      if (isPodUpdate(admission, ['', 'resize'])) return judge(admission, objects);
      const { operation, request } = admission;
      if (operation === 'delete' || !concerns(admission, SLICES)) return undefined;
      const isAsked = isSince(request.definition, 37) && gateEnabled(NODE_RESOURCES);
      return isAsked ? judgeDevices(admission, objects, turns) : undefined;
    },
  };
}

/** Every node with a device that takes its resources declares that it lets them. */
async function judgeDevices(admission: AdmissionRequest, objects: ObjectLookup, turns: ShortTurns): Promise<void> {
  const { object } = admission;
  const taking = listAt(object, 'spec', 'devices').filter(
    (each) => entriesAt(each, 'nodeAllocatableResources').length > 0,
  );
  const perDevice = at(object, 'spec', 'perDeviceNodeSelection') === true;
  const turn = turns.begin({ taskName: 'asking nodes of devices' });
  // Without a place of its own, each device has that of the slice.
  for (const device of perDevice ? taking : taking.slice(0, 1)) {
    const place = perDevice ? device : at(object, 'spec');
    for (const node of await nodesOf(place, textAt(device, 'name'), { admission, objects })) {
      await turn.over();
      if (!isSelected(place, node) || declaredBy(node).includes(NODE_RESOURCES)) continue;
      throw refusal(admission, `node ${goQuote(node.metadata.name ?? '')} does not support ${NODE_RESOURCES} feature`);
    }
  }
}

/** The node of a place, or all that it may select. */
async function nodesOf(
  place: Json | undefined,
  device: string,
  { admission, objects }: { readonly admission: AdmissionRequest; readonly objects: ObjectLookup },
): Promise<readonly ApiObject[]> {
  const name = textAt(place, 'nodeName');
  if (name !== '') {
    const found = await objects.find(NODES, '', name);
    if (found !== undefined) return [found];
    throw refusal(admission, `node ${goQuote(name)} not found for device ${goQuote(device)}`);
  }
  if (at(place, 'nodeSelector') !== undefined || at(place, 'allNodes') === true) return await objects.all(NODES);
  const why = 'has NodeAllocatableResources but does not map to any nodes';
  throw refusal(admission, `device ${goQuote(device)} in ResourceSlice ${why}`);
}

function isSelected(place: Json | undefined, node: ApiObject): boolean {
  const selector = at(place, 'nodeSelector');
  return textAt(place, 'nodeName') !== '' || selector === undefined || selectsNode(selector, node);
}

function declaredBy(node: ApiObject): readonly Json[] {
  return listAt(node, 'status', 'declaredFeatures');
}

function judge(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const { object, previous, request } = admission;
  if (object === undefined || previous === undefined) return undefined;
  const { minor } = request.definition;
  const needed = FEATURES.filter(
    ({ since, until = minor, isNeeded }) => since <= minor && minor <= until && isNeeded(object, previous),
  );
  if (needed.length === 0) return undefined;
  const name = textAt(object, 'spec', 'nodeName');
  return whenThere(objects.find(NODES, '', name), (node) => {
    if (node === undefined) throw refusal(admission, `node ${goQuote(name)} not found`);
    const declared = declaredBy(node);
    const lacking = needed.filter((feature) => !declared.includes(feature.name));
    if (lacking.length === 0) return;
    const names = lacking.map((feature) => feature.name).join(', ');
    throw refusal(admission, `pod update requires features ${names} which are not available on node ${goQuote(name)}`);
  });
}

function changesGuaranteedCpu(next: Pod, previous: Pod): boolean {
  if (previous.status?.qosClass !== 'Guaranteed') return false;
  const cpuOf = (container: Container | undefined) => container?.resources?.requests?.['cpu'] ?? '0';
  return (previous.spec?.containers ?? []).some(
    (each, index) => compareAmounts(cpuOf(each), cpuOf(next.spec?.containers?.[index])) !== 0,
  );
}

function changesInitContainer(next: Pod, previous: Pod): boolean {
  return (previous.spec?.initContainers ?? []).some(({ restartPolicy, resources }, index) => {
    return restartPolicy !== 'Always' && !equalJson(resources, next.spec?.initContainers?.[index]?.resources);
  });
}

/** Volumes that are added, removed or renamed are refused before. */
function changesMemoryVolume(next: Pod, previous: Pod): boolean {
  const [volumes, old] = [next.spec?.volumes ?? [], previous.spec?.volumes ?? []];
  if (volumes.length !== old.length) return false;
  return volumes.some(({ name, emptyDir }, index) => {
    const [size, before] = [emptyDir?.sizeLimit, old[index]?.emptyDir?.sizeLimit];
    if (name !== old[index]?.name || emptyDir?.medium !== 'Memory') return false;
    return size !== undefined && before !== undefined && compareAmounts(size, before) !== 0;
  });
}
