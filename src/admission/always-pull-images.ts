// The plugin AlwaysPullImages, in two parts: pull policies of new images are set to Always, so that credentials are
// checked each time, and later changes of them are rejected.

import { errors, fieldError, fieldErrorBody } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { errorList } from '../base/error-list.ts';
import { objectsAt } from '../resources/fill-in.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import { PODS } from './resources.ts';

const NAME = 'AlwaysPullImages';
const ALWAYS = 'Always';
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

export const alwaysPullImages: AdmissionPlugin = {
  name: NAME,
  admit(admission) {
    for (const { holder, member } of policiesOf(admission)) holder[member] = ALWAYS;
  },
};

export const pulledImages: AdmissionPlugin = {
  name: NAME,
  admit(admission) {
    const found = policiesOf(admission)
      .filter(({ holder, member }) => holder[member] !== ALWAYS)
      .map(({ holder, member, path }) => {
        const fault = fieldError.notSupported(path, textAt(holder, member), [ALWAYS]);
        return refusal(admission, `${path}: ${fieldErrorBody(fault)}`).message;
      });
    if (found.length > 0) throw errors.unexplained(errorList(found));
  },
};

interface PullPolicy {
  readonly holder: JsonObject;
  readonly member: string;
  readonly path: string;
}

/** The containers whose images are new in this request. */
function policiesOf(admission: AdmissionRequest): PullPolicy[] {
  const { object, previous, operation } = admission;
  if (object === undefined || !isObject(object.spec) || !concerns(admission, PODS)) return [];
  if (operation !== 'create' && operation !== 'update') return [];
  if (previous !== undefined && !bringsNewImages(object, previous)) return [];
  const { spec } = object;
  const ofContainers = LISTS.flatMap((list) =>
    objectsAt(spec, list).map((holder, index) => {
      const member = 'imagePullPolicy';
      return { holder, member, path: `spec.${list}[${index}].${member}` };
    }),
  );
  const ofVolumes = objectsAt(spec, 'volumes').flatMap(({ image }, index) =>
    isObject(image) ? [{ holder: image, member: 'pullPolicy', path: `spec.volumes[${index}].image.pullPolicy` }] : [],
  );
  return [...ofContainers, ...ofVolumes];
}

function bringsNewImages(pod: ApiObject, previous: ApiObject): boolean {
  const known = new Set(imagesOf(previous));
  return imagesOf(pod).some((image) => !known.has(image));
}

function imagesOf({ spec }: ApiObject): string[] {
  if (!isObject(spec)) return [];
  return LISTS.flatMap((list) => objectsAt(spec, list).map((container) => textAt(container, 'image')));
}
