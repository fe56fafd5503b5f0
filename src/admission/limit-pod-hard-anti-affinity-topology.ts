// The plugin LimitPodHardAntiAffinityTopology: required anti-affinity may only exclude nodes, not whole zones.

import { errors } from '../api/errors.ts';
import { listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { PODS } from './resources.ts';

const HOST = 'kubernetes.io/hostname';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  admit(admission) {
    const { object, operation } = admission;
    if (object === undefined || operation === 'connect' || !concerns(admission, PODS)) return;
    for (const term of listAt(object, 'spec', 'affinity', 'podAntiAffinity', REQUIRED)) {
      const key = textAt(term, 'topologyKey');
      if (key === HOST) continue;
      const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${HOST} is allowed`;
      throw errors.forbidden({ ...PODS, name: object.metadata.name ?? '' }, why);
    }
  },
};
