// The plugin NodeDeclaredFeatureValidator: what an update asks of a pod that runs on a node must be among the features
// that the node declares.

import { equalJson } from '../api/json-equal.ts';
import type { Json } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { Container } from '../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../resources/builtin/core/pod/objects.ts';
import { compareAmounts } from '../resources/validation/quantities.ts';
import { listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { isPodUpdate, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';

const NODES = { group: '', resource: 'nodes' };

/** What a node must declare for some updates of its pods. */
interface NodeFeature {
  readonly name: string;
  /** The minor releases of Kubernetes 1 that ask for it. */
  readonly since: number;
  readonly until?: number;
  readonly isNeeded: (next: Pod, previous: Pod) => boolean;
}

/** Sorted by name, as they are told. */
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

/** @param isOn the feature gate NodeDeclaredFeatures */
export function nodeDeclaredFeatures(objects: ObjectLookup, isOn: boolean): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    admit: (admission) => (isOn && isPodUpdate(admission, ['', 'resize']) ? judge(admission, objects) : undefined),
  };
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
    const declared: readonly Json[] = listAt(node, 'status', 'declaredFeatures');
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
