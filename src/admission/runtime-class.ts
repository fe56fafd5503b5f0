// The plugin RuntimeClass, in two parts: sets overhead and scheduling constraints of new pods from their runtime class,
// and rejects any other overhead.

import { errors } from '../api/errors.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { objectAt, objectIn, objectsAt } from '../resources/fill-in.ts';
import { compareAmounts } from '../resources/validation/quantities.ts';
import { entriesAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, impossibleName, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { PODS } from './resources.ts';
import { mergeTolerations } from './tolerations.ts';

const NAME = 'RuntimeClass';
const CLASSES = { group: 'node.k8s.io', resource: 'runtimeclasses' };
const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const OWN_OVERHEAD = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

export function runtimeClass(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const spec = specOfNewPod(admission);
      if (spec?.['runtimeClassName'] !== undefined) return takeOver(admission, spec, objects);
    },
  };
}

/** Rejects an overhead that differs from that of the pod's runtime class. */
export function runtimeOverhead(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const spec = specOfNewPod(admission);
      if (spec?.['runtimeClassName'] !== undefined) return checkOverhead(admission, spec, objects);
      if (objectAt(spec, 'overhead') !== undefined) throw refusal(admission, OWN_OVERHEAD);
    },
  };
}

/** Undefined if the request does not create a pod. */
function specOfNewPod(admission: AdmissionRequest): JsonObject | undefined {
  const { object, operation } = admission;
  return object !== undefined && operation === 'create' && concerns(admission, PODS)
    ? objectIn(object, 'spec')
    : undefined;
}

async function takeOver(admission: AdmissionRequest, spec: JsonObject, objects: ObjectLookup): Promise<void> {
  const found = await classOf(admission, spec, objects);
  const overhead = objectAt(found, 'overhead');
  if (overhead !== undefined) setOverhead(admission, spec, overhead);
  const scheduling = objectAt(found, 'scheduling');
  if (scheduling !== undefined) setScheduling(admission, spec, scheduling);
}

async function checkOverhead(admission: AdmissionRequest, spec: JsonObject, objects: ObjectLookup): Promise<void> {
  const ofClass = objectAt(await classOf(admission, spec, objects), 'overhead');
  const ofPod = spec['overhead'];
  if (ofClass === undefined) {
    if (ofPod !== undefined) throw refusal(admission, OWN_OVERHEAD);
  } else if (!sameAmounts(ofPod, ofClass['podFixed'])) throw refusal(admission, OTHER_OVERHEAD);
}

async function classOf(admission: AdmissionRequest, spec: JsonObject, objects: ObjectLookup): Promise<ApiObject> {
  const name = textAt(spec, 'runtimeClassName');
  const impossible = impossibleName(name);
  if (impossible !== undefined) throw errors.unexplained(impossible);
  const found = await objects.find(CLASSES, '', name);
  if (found !== undefined) return found;
  throw refusal(admission, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
}

function setOverhead(admission: AdmissionRequest, spec: JsonObject, { podFixed }: JsonObject): void {
  const own = spec['overhead'];
  if (own !== undefined && !sameAmounts(own, podFixed)) throw refusal(admission, OTHER_OVERHEAD);
  if (podFixed === undefined) delete spec['overhead'];
  else spec['overhead'] = copyJson(podFixed);
}

/** Absent and empty lists are equal. */
function sameAmounts(one: Json | undefined, other: Json | undefined): boolean {
  const [left, right] = [entriesAt(one), entriesAt(other)];
  if (left.length !== right.length) return false;
  return left.every(([name, amount]) => {
    const against = textAt(other, name);
    return against !== '' && compareAmounts(String(amount), against) === 0;
  });
}

function setScheduling(admission: AdmissionRequest, spec: JsonObject, scheduling: JsonObject): void {
  const selector = objectAt(spec, 'nodeSelector') ?? {};
  for (const [label, value] of entriesAt(scheduling, 'nodeSelector')) {
    const own = Object.hasOwn(selector, label) ? selector[label] : value;
    if (own !== value) throw refusal(admission, selectorConflict(label, value, own));
    selector[label] = value;
  }
  if (Object.keys(selector).length > 0) spec['nodeSelector'] = selector;
  const tolerations = mergeTolerations(objectsAt(spec, 'tolerations'), objectsAt(scheduling, 'tolerations'));
  if (tolerations.length > 0) spec['tolerations'] = copyJson(tolerations);
}

function selectorConflict(label: string, value: Json, own: Json | undefined): string {
  const ofClass = `runtimeClass.scheduling.nodeSelector[${label}] = ${value}`;
  return `conflict: ${ofClass}; pod.spec.nodeSelector[${label}] = ${own}`;
}
