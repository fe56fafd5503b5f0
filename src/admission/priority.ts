// The plugin Priority: sets the priority and preemption policy of a pod or a group of pods from its priority class, or from
// the default class. Rejects a second default class, and deletion of system classes.

import type { ApiObject, JsonObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { objectIn } from '../resources/fill-in.ts';
import { at, numberAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { PODS } from './resources.ts';

const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const OF_THE_SYSTEM = new Set(['system-node-critical', 'system-cluster-critical']);

const NAME = 'Priority';

type GateEnabled = (gate: FeatureGateName) => boolean;

/** A kind whose objects get a priority when they are created. */
interface Group {
  readonly group: string;
  readonly resource: string;
  /** What messages call it. */
  readonly words: string;
  /** The gate by minor release of Kubernetes 1. */
  readonly gate: (minor: number) => FeatureGateName;
}

const GROUPS: readonly Group[] = [
  {
    group: 'scheduling.k8s.io',
    resource: 'podgroups',
    words: 'pod group',
    gate: (minor) => (minor < 37 ? 'WorkloadAwarePreemption' : 'GenericWorkload'),
  },
  {
    group: 'scheduling.k8s.io',
    resource: 'compositepodgroups',
    words: 'composite pod group',
    gate: () => 'CompositePodGroup',
  },
];

/** Sets the priority of pods and groups of pods, and protects system classes. */
export function priority(objects: ObjectLookup, gateEnabled: GateEnabled): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      if (concerns(admission, PODS)) return admitPod(admission, objects);
      const group = GROUPS.find((each) => concerns(admission, each));
      if (group !== undefined) return admitGroup(admission, { group, objects, gateEnabled });
      if (!concerns(admission, CLASSES)) return undefined;
      if (admission.operation === 'delete' && OF_THE_SYSTEM.has(admission.request.name)) {
        throw refusal(admission, 'this is a system priority class and cannot be deleted');
      }
    },
  };
}

/** The validating part of the plugin: rejects a second default class. */
export function onlyDefaultClass(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: NAME,
    admit: (admission) => (concerns(admission, CLASSES) ? refuseSecondDefault(admission, objects) : undefined),
  };
}

function admitPod(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const { operation, object, previous } = admission;
  if (object === undefined) return undefined;
  if (operation === 'create') return settlePriority(admission, object, objects);
  if (operation === 'update' && previous !== undefined) keepPriority(object, previous);
}

const KEPT = ['priority', 'preemptionPolicy'];

/** Values set at creation are kept if a client omits them. */
function keepPriority(pod: ApiObject, previous: ApiObject): void {
  const spec = objectIn(pod, 'spec');
  for (const member of KEPT) {
    const old = at(previous, 'spec', member);
    if (old !== undefined) spec[member] ??= old;
  }
}

function settlePriority(admission: AdmissionRequest, pod: ApiObject, objects: ObjectLookup): Soon<void> {
  const spec = objectIn(pod, 'spec');
  const name = textAt(spec, 'priorityClassName');
  return whenThere(classOf(admission, name, objects), (found) => {
    if (found !== undefined) spec['priorityClassName'] = found.metadata.name;
    const computed = numberAt(found, 'value');
    const given = spec['priority'];
    if (typeof given === 'number' && given !== computed) {
      throw refusal(admission, mustNotSay(`the integer value of priority (${given})`, 'pod', computed));
    }
    takePolicy(admission, { spec, found, words: 'pod' });
    spec['priority'] = computed;
  });
}

interface GroupScope {
  readonly group: Group;
  readonly objects: ObjectLookup;
  readonly gateEnabled: GateEnabled;
}

function admitGroup(admission: AdmissionRequest, { group, objects, gateEnabled }: GroupScope): Soon<void> {
  const { operation, object, request } = admission;
  if (object === undefined || operation !== 'create' || !gateEnabled(group.gate(request.definition.minor))) return;
  const { words } = group;
  const spec = objectIn(object, 'spec');
  return whenThere(classOf(admission, textAt(spec, 'priorityClassName'), objects), (found) => {
    const computed = numberAt(found, 'value');
    const given = spec['priority'];
    if (typeof given === 'number' && given !== computed) {
      const why = `priority set in the ${words} (${given}) must match the priority computed (${computed}) based on the priority class set in the spec`;
      throw refusal(admission, why);
    }
    spec['priority'] = computed;
    if (found !== undefined) spec['priorityClassName'] = found.metadata.name;
    if (gateEnabled('PodGroupPreemptionPolicy')) takePolicy(admission, { spec, found, words });
  });
}

interface PolicyPlace {
  readonly spec: JsonObject;
  /** The class. */
  readonly found: ApiObject | undefined;
  readonly words: string;
}

function takePolicy(admission: AdmissionRequest, { spec, found, words }: PolicyPlace): void {
  const policy = textAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const given = spec['preemptionPolicy'];
  if (typeof given === 'string' && given !== policy) {
    throw refusal(admission, mustNotSay(`the string value of PreemptionPolicy (${given})`, words, policy));
  }
  spec['preemptionPolicy'] = policy;
}

function mustNotSay(what: string, words: string, computed: string | number): string {
  return `${what} must not be provided in ${words} spec; priority admission controller computed ${computed} from the given PriorityClass name`;
}

function classOf(admission: AdmissionRequest, name: string, objects: ObjectLookup): Soon<ApiObject | undefined> {
  if (name === '') return defaultClass(objects);
  return whenThere(objects.find(CLASSES, '', name), (found) => {
    if (found === undefined) throw refusal(admission, `no PriorityClass with name ${name} was found`);
    return found;
  });
}

/** If there are several defaults, the lowest. */
function defaultClass(objects: ObjectLookup): Soon<ApiObject | undefined> {
  return whenThere(objects.all(CLASSES), (classes) => {
    let lowest: ApiObject | undefined;
    for (const each of classes) {
      if (each['globalDefault'] !== true) continue;
      if (lowest === undefined || numberAt(each, 'value') < numberAt(lowest, 'value')) lowest = each;
    }
    return lowest;
  });
}

function refuseSecondDefault(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const { operation, object } = admission;
  if (object === undefined || object['globalDefault'] !== true) return undefined;
  return whenThere(defaultClass(objects), (standing) => {
    const name = standing?.metadata.name;
    if (name === undefined || (operation === 'update' && name === object.metadata.name)) return;
    throw refusal(admission, `PriorityClass ${name} is already marked as default. Only one default can exist`);
  });
}
