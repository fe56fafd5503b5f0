// The plugin DefaultIngressClass: ingresses without an ingress class get the default one.

import { whenThere } from '../base/soon.ts';
import { objectIn } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { defaultClassName } from './default-class.ts';
import type { ObjectLookup } from './object-lookup.ts';

const INGRESSES = { group: 'networking.k8s.io', resource: 'ingresses' };
const CLASSES = { group: 'networking.k8s.io', resource: 'ingressclasses' };
const MARKS = ['ingressclass.kubernetes.io/is-default-class'];
/** The annotation that preceded the field. */
const OLD_NAME = 'kubernetes.io/ingress.class';

export function defaultIngressClass(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    admit(admission) {
      const { object, operation } = admission;
      if (object === undefined || operation !== 'create' || !concerns(admission, INGRESSES)) return undefined;
      const spec = objectIn(object, 'spec');
      if (typeof spec['ingressClassName'] === 'string') return undefined;
      if ((object.metadata.annotations?.[OLD_NAME] ?? '') !== '') return undefined;
      return whenThere(defaultClassName(objects, CLASSES, MARKS), (name) => {
        if (name !== undefined) spec['ingressClassName'] = name;
      });
    },
  };
}
