// The plugin DefaultTolerationSeconds: by default, pods tolerate a node that is not ready or unreachable for five
// minutes.

import type { JsonObject } from '../api/object.ts';
import { objectIn, objectsAt } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { PODS } from './resources.ts';

/** In seconds. */
interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

export function defaultTolerationSeconds({ notReady, unreachable }: TolerationSeconds): AdmissionPlugin {
  const taints = [
    { key: 'node.kubernetes.io/not-ready', seconds: notReady },
    { key: 'node.kubernetes.io/unreachable', seconds: unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    admit(admission) {
      const { object, operation } = admission;
      if (object === undefined || operation === 'connect' || !concerns(admission, PODS)) return;
      const spec = objectIn(object, 'spec');
      const own = objectsAt(spec, 'tolerations');
      const added = taints.filter(({ key }) => !own.some((toleration) => tolerates(toleration, key)));
      if (added.length > 0) spec['tolerations'] = [...own, ...added.map(forSomeTime)];
    },
  };
}

/** A toleration without a key matches every taint, without an effect every effect. */
function tolerates({ key = '', effect = '' }: JsonObject, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

function forSomeTime({ key, seconds }: { key: string; seconds: number }): JsonObject {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds };
}
