// The plugin DefaultTolerationSeconds: a pod stays for five minutes on a node that is not ready or not reachable,
// unless it says otherwise.

import type { JsonObject } from '../api/object.ts';
import { objectIn, objectsAt } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';

const PODS = { group: '', resource: 'pods' };
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  admit(admission) {
    const { object, operation } = admission;
    if (object === undefined || operation === 'connect' || !concerns(admission, PODS)) return;
    const spec = objectIn(object, 'spec');
    const own = objectsAt(spec, 'tolerations');
    const added = TAINTS.filter((taint) => !own.some((toleration) => tolerates(toleration, taint)));
    if (added.length > 0) spec['tolerations'] = [...own, ...added.map(forSomeTime)];
  },
};

/** Without a key a toleration is of every taint, without an effect of every effect. */
function tolerates({ key = '', effect = '' }: JsonObject, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

function forSomeTime(key: string): JsonObject {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS };
}
