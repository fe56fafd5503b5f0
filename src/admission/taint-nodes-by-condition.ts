// The plugin TaintNodesByCondition: new nodes are tainted as not ready until their conditions are known.

import { objectIn, objectsAt } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { NODES } from './resources.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';

export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  admit(admission) {
    const { object, operation } = admission;
    if (object === undefined || operation !== 'create' || !concerns(admission, NODES)) return;
    const spec = objectIn(object, 'spec');
    const taints = objectsAt(spec, 'taints');
    if (taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule')) return;
    spec['taints'] = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  },
};
