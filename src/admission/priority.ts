// The plugin Priority: sets the priority and preemption policy of a pod from its priority class, or from the default
// class. Rejects a second default class, and deletion of system classes.

import type { ApiObject, JsonObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { objectIn } from '../resources/fill-in.ts';
import { at, numberAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';

const PODS = { group: '', resource: 'pods' };
const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const OF_THE_SYSTEM = new Set(['system-node-critical', 'system-cluster-critical']);

const NAME = 'Priority';

/** Sets the priority of pods and protects system classes. */
export function priority(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      if (concerns(admission, PODS)) return admitPod(admission, objects);
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
  return whenThere(classOf(admission, name, objects), (found) => takePriority(admission, spec, found));
}

function takePriority(admission: AdmissionRequest, spec: JsonObject, found: ApiObject | undefined): void {
  if (found !== undefined) spec['priorityClassName'] = found.metadata.name;
  const computed = numberAt(found, 'value');
  const given = spec['priority'];
  if (typeof given === 'number' && given !== computed) {
    throw refusal(admission, mustNotSay(`the integer value of priority (${given})`, computed));
  }
  const policy = textAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const givenPolicy = spec['preemptionPolicy'];
  if (typeof givenPolicy === 'string' && givenPolicy !== policy) {
    throw refusal(admission, mustNotSay(`the string value of PreemptionPolicy (${givenPolicy})`, policy));
  }
  spec['priority'] = computed;
  spec['preemptionPolicy'] = policy;
}

function mustNotSay(what: string, computed: string | number): string {
  return `${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
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
