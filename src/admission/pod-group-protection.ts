// The plugin PodGroupProtection: adds the finalizer that keeps a PodGroup until no pod refers to it any more.

import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { POD_GROUPS } from './resources.ts';

const FINALIZER = 'scheduling.k8s.io/podgroup-protection';

/** @param isOn the feature gate GenericWorkload */
export function podGroupProtection(isOn: boolean): AdmissionPlugin {
  return {
    name: 'PodGroupProtection',
    admit(admission) {
      const { object, operation } = admission;
      if (!isOn || object === undefined || operation !== 'create' || !concerns(admission, POD_GROUPS)) return;
      const finalizers = object.metadata.finalizers ?? [];
      if (!finalizers.includes(FINALIZER)) object.metadata.finalizers = [...finalizers, FINALIZER];
    },
  };
}
