// The plugin LimitRanger, in two parts: applies the defaults of a namespace's limit ranges to new pods, and later
// checks complete pods and claims against them.

import type { ApiObject } from '../api/object.ts';
import { errorList } from '../base/error-list.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import { claimBreaches, podBreaches } from './limit-range-bounds.ts';
import { annotateDefaults, fillInDefaults } from './limit-range-defaults.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { CLAIMS, isOf, PODS } from './resources.ts';

const NAME = 'LimitRanger';
const LIMIT_RANGES = { group: '', resource: 'limitranges' };

interface LimitRangerOptions {
  readonly objects: ObjectLookup;
  /** Whether pods may have pod-level resources: the feature gate PodLevelResources. */
  readonly podLevelResources: boolean;
}

export function limitDefaults({ objects }: Pick<LimitRangerOptions, 'objects'>): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { object: pod } = admission;
      if (pod === undefined || !sizesPod(admission) || isLeaving(admission)) return undefined;
      const ranges = objects.all(LIMIT_RANGES, admission.request.namespace);
      // Pod-level resources that follow from those of the containers are left to readers.
      return whenThere(ranges, (found) => fillIn(admission, pod, found));
    },
  };
}

function fillIn(admission: AdmissionRequest, pod: ApiObject, limitRanges: readonly ApiObject[]): void {
  for (const limitRange of limitRanges) {
    const filled = fillInDefaults(pod, limitRange);
    // A resize only changes sizes.
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

/** The first violated limit range rejects the request, with all its violations. */
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

/** Resources of a pod's containers only change when it is created and when it is resized. */
function sizesPod(admission: AdmissionRequest): boolean {
  const { operation, request } = admission;
  if (operation === 'create') return concerns(admission, PODS);
  const { definition, subresource } = request;
  return operation === 'update' && subresource === 'resize' && isOf(PODS, definition);
}

/** Objects that are being deleted are exempt. */
function isLeaving({ previous }: AdmissionRequest): boolean {
  return previous?.metadata.deletionTimestamp !== undefined;
}
