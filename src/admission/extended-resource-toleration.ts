// The plugin ExtendedResourceToleration: pods that request a vendor's resource tolerate taints with the name of that
// resource.

import { isObject } from '../api/is-object.ts';
import type { JsonObject } from '../api/object.ts';
import { objectsAt } from '../resources/fill-in.ts';
import { isExtendedResource } from '../resources/validation/quantities.ts';
import { entriesAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { PODS } from './resources.ts';

export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  admit(admission) {
    const { object, operation } = admission;
    if (operation !== 'create' && operation !== 'update') return;
    if (!isObject(object?.spec) || !concerns(admission, PODS)) return;
    const { spec } = object;
    const asked = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].flatMap((container) =>
      entriesAt(container, 'resources', 'requests').map(([name]) => name),
    );
    const names = [...new Set(asked)].filter(isExtendedResource).sort();
    if (names.length === 0) return;
    const tolerations = objectsAt(spec, 'tolerations');
    for (const name of names) addOrReplace(tolerations, name);
    spec['tolerations'] = tolerations;
  },
};

/** Replaces an equal toleration, whatever its duration; otherwise it is appended. */
function addOrReplace(tolerations: JsonObject[], key: string): void {
  const added = { key, operator: 'Exists', effect: 'NoSchedule' };
  const isSame = (other: JsonObject): boolean =>
    ['key', 'operator', 'effect'].every((member) => other[member] === added[member as keyof typeof added]) &&
    textAt(other, 'value') === '';
  const index = tolerations.findIndex(isSame);
  if (index >= 0) tolerations[index] = added;
  else tolerations.push(added);
}
