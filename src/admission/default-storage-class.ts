// The plugin DefaultStorageClass: claims without a storage class get the default one.

import { whenThere } from '../base/soon.ts';
import { objectIn } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { defaultClassName } from './default-class.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { CLAIMS, STORAGE_CLASSES } from './resources.ts';

const MARKS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
/** The annotation that preceded the field. */
const OLD_NAME = 'volume.beta.kubernetes.io/storage-class';

export function defaultStorageClass(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    admit(admission) {
      const { object, operation } = admission;
      if (object === undefined || operation !== 'create' || !concerns(admission, CLAIMS)) return undefined;
      const spec = objectIn(object, 'spec');
      // The empty name means no storage class.
      if (typeof spec['storageClassName'] === 'string' || object.metadata.annotations?.[OLD_NAME] !== undefined)
        return undefined;
      return whenThere(defaultClassName(objects, STORAGE_CLASSES, MARKS), (name) => {
        if (name !== undefined) spec['storageClassName'] = name;
      });
    },
  };
}
