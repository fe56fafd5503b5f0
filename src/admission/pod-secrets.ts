// Secrets that a pod names, wherever in it: mirror pods, which a node runs by itself, have none.

import type { ApiObject, Json } from '../api/object.ts';
import { at, listAt, textAt } from '../resources/value.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
/** Places of a volume's secret; of several sources the first in Kubernetes' order counts. */
const OF_VOLUMES: readonly (readonly string[])[] = [
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['projected'],
  ['rbd', 'secretRef', 'name'],
  ['secret', 'secretName'],
  ['scaleIO', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
];

/** Whether a pod names a secret; an empty name is none. */
export function namesSecret(pod: ApiObject): boolean {
  return (
    listAt(pod, 'spec', 'imagePullSecrets').some((each) => textAt(each, 'name') !== '') ||
    CONTAINERS.some((list) => listAt(pod, 'spec', list).some(ofContainer)) ||
    listAt(pod, 'spec', 'volumes').some(ofVolume)
  );
}

function ofContainer(container: Json): boolean {
  return (
    listAt(container, 'envFrom').some((each) => textAt(each, 'secretRef', 'name') !== '') ||
    listAt(container, 'env').some((each) => textAt(each, 'valueFrom', 'secretKeyRef', 'name') !== '')
  );
}

function ofVolume(volume: Json): boolean {
  const place = OF_VOLUMES.find(([source = '']) => at(volume, source) !== undefined);
  if (place === undefined) return false;
  if (place.length > 1) return textAt(volume, ...place) !== '';
  return listAt(volume, 'projected', 'sources').some((each) => textAt(each, 'secret', 'name') !== '');
}
