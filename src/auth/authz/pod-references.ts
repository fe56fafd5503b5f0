// References of a pod to secrets, config maps and claims, anywhere in it.

import type { ApiObject, JsonObject } from '../../api/object.ts';
import { objectMember, objectsIn, textMember } from '../../api/untyped-members.ts';
import { lookup } from '../../base/lookup.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Volume sources with a secret reference, and its field. */
const SECRETS_OF_VOLUMES: Readonly<Record<string, string>> = lookup({
  cephfs: 'secretRef',
  cinder: 'secretRef',
  csi: 'nodePublishSecretRef',
  flexVolume: 'secretRef',
  iscsi: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  storageos: 'secretRef',
});

/** The names of the secrets referenced by a pod spec, possibly with duplicates. */
export function secretsOfPod(spec: JsonObject): string[] {
  const names = objectsIn(spec, 'imagePullSecrets').map((reference) => textMember(reference, 'name'));
  names.push(...namesInEnvironment(spec, 'secretRef', 'secretKeyRef'));
  for (const volume of objectsIn(spec, 'volumes')) {
    names.push(textMember(objectMember(volume, 'azureFile'), 'secretName'));
    names.push(textMember(objectMember(volume, 'secret'), 'secretName'));
    for (const source in SECRETS_OF_VOLUMES) {
      const reference = objectMember(objectMember(volume, source), SECRETS_OF_VOLUMES[source]!);
      names.push(textMember(reference, 'name'));
    }
    names.push(...namesInProjection(volume, 'secret'));
  }
  return names.filter((name) => name !== '');
}

/** The names of the config maps referenced by a pod spec, possibly with duplicates. */
export function configMapsOfPod(spec: JsonObject): string[] {
  const names = namesInEnvironment(spec, 'configMapRef', 'configMapKeyRef');
  for (const volume of objectsIn(spec, 'volumes')) {
    names.push(textMember(objectMember(volume, 'configMap'), 'name'), ...namesInProjection(volume, 'configMap'));
  }
  return names.filter((name) => name !== '');
}

/** The claim of a pod's volume, referenced or generated; '' for none. */
export function claimOfVolume(pod: ApiObject, volume: JsonObject): string {
  const named = textMember(objectMember(volume, 'persistentVolumeClaim'), 'claimName');
  if (named !== '' || (volume['ephemeral'] ?? null) === null) return named;
  return `${pod.metadata.name}-${textMember(volume, 'name')}`;
}

function namesInEnvironment(spec: JsonObject, whole: string, key: string): string[] {
  return CONTAINERS.flatMap((member) => objectsIn(spec, member)).flatMap((container) => [
    ...objectsIn(container, 'envFrom').map((source) => textMember(objectMember(source, whole), 'name')),
    ...objectsIn(container, 'env').map((each) =>
      textMember(objectMember(objectMember(each, 'valueFrom'), key), 'name'),
    ),
  ]);
}

function namesInProjection(volume: JsonObject, member: string): string[] {
  const sources = objectsIn(objectMember(volume, 'projected'), 'sources');
  return sources.map((source) => textMember(objectMember(source, member), 'name'));
}
