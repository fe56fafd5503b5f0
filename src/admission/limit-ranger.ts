// The plugin LimitRanger, in two parts: what the limit ranges of a namespace fill into new pods, and once nothing else
// changes a pod or a claim any more, whether it keeps within them.

import type { ApiObject, Draft } from '../api/object.ts';
import { errorList } from '../base/error-list.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { PodSpec } from '../resources/builtin/core/pod/objects.ts';
import { podResourcesDefaults } from '../resources/builtin/core/pod/resources-defaults.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import { claimBreaches, podBreaches } from './limit-range-bounds.ts';
import { annotateDefaults, fillInDefaults } from './limit-range-defaults.ts';
import type { ObjectLookup } from './object-lookup.ts';

const NAME = 'LimitRanger';
const PODS = { group: '', resource: 'pods' };
const CLAIMS = { group: '', resource: 'persistentvolumeclaims' };
const LIMIT_RANGES = { group: '', resource: 'limitranges' };

interface LimitRangerOptions {
  readonly objects: ObjectLookup;
  /** Whether pods may say what they need as a whole: the feature gate PodLevelResources. */
  readonly podLevelResources: boolean;
}

export function limitDefaults({ objects, podLevelResources }: LimitRangerOptions): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { object: pod } = admission;
      if (pod === undefined || !sizesPod(admission) || isLeaving(admission)) return undefined;
      const ranges = objects.all(LIMIT_RANGES, admission.request.namespace);
      return whenThere(ranges, (found) => {
        fillIn(admission, pod, found);
        // What a pod requests as a whole follows from its containers.
        if (podLevelResources && found.length > 0) podResourcesDefaults(pod.spec as Draft<PodSpec>);
      });
    },
  };
}

function fillIn(admission: AdmissionRequest, pod: ApiObject, limitRanges: readonly ApiObject[]): void {
  for (const limitRange of limitRanges) {
    const filled = fillInDefaults(pod, limitRange);
    // A resize changes sizes alone.
    if (filled.length > 0 && admission.operation === 'create') annotateDefaults(pod, filled);
  }
}

export function limitBounds(options: LimitRangerOptions): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { object } = admission;
      if (object === undefined || isLeaving(admission)) return undefined;
      if (sizesPod(admission)) {
        return check(admission, options, (range) => podBreaches(object, range, options.podLevelResources));
      }
      if (admission.operation === 'connect' || !concerns(admission, CLAIMS)) return undefined;
      return check(admission, options, (range) => claimBreaches(object, range));
    },
  };
}

/** The first limit range that is not kept to refuses, with all that it finds. */
function check(
  admission: AdmissionRequest,
  { objects }: LimitRangerOptions,
  breachesOf: (limitRange: ApiObject) => string[],
): Soon<void> {
  return whenThere(objects.all(LIMIT_RANGES, admission.request.namespace), (limitRanges) => {
    for (const limitRange of limitRanges) {
      const found = breachesOf(limitRange);
      if (found.length > 0) throw refusal(admission, errorList(found));
    }
  });
}

/** What a pod's containers ask for is said when it is created and when it is resized, and changes by no other write. */
function sizesPod(admission: AdmissionRequest): boolean {
  const { operation, request } = admission;
  if (operation === 'create') return concerns(admission, PODS);
  const { definition, subresource } = request;
  return operation === 'update' && subresource === 'resize' && definition.resource === PODS.resource;
}

/** What is being deleted already is let go. */
function isLeaving({ previous }: AdmissionRequest): boolean {
  return previous?.metadata.deletionTimestamp !== undefined;
}
