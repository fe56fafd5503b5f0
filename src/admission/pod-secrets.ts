// Secrets that a pod references, anywhere in it; mirror pods of static pods reference none.

import type { ApiObject } from '../api/object.ts';
import type { Container } from '../resources/builtin/core/pod/container-objects.ts';
import type { PodSpec } from '../resources/builtin/core/pod/objects.ts';
import type { Volume } from '../resources/builtin/core/volume/objects.ts';

/** Containers of every kind have the same lists with secrets. */
type NamingSecrets = Pick<Container, 'env' | 'envFrom'>;

/** Whether a pod references a secret; an empty name does not count. */
export function namesSecret(pod: ApiObject): boolean {
  // Anything admitted as a pod has been decoded as one.
  const spec = pod['spec'] as PodSpec | undefined;
  if (spec === undefined) return false;
  return (
    (spec.imagePullSecrets ?? []).some(({ name = '' }) => name !== '') ||
    [spec.initContainers, spec.containers, spec.ephemeralContainers].some((list) => list?.some(containerNames)) ||
    (spec.volumes ?? []).some((volume) => secretsOf(volume).some((name = '') => name !== ''))
  );
}

function containerNames({ env, envFrom }: NamingSecrets): boolean {
  return (
    (envFrom ?? []).some(({ secretRef }) => (secretRef?.name ?? '') !== '') ||
    (env ?? []).some(({ valueFrom }) => (valueFrom?.secretKeyRef?.name ?? '') !== '')
  );
}

/** The secrets of a volume's source; of several sources the first in Kubernetes' order counts. */
function secretsOf(volume: Volume): (string | undefined)[] {
  const { azureFile, projected, rbd, secret } = volume;
  if (azureFile !== undefined) return [azureFile.secretName];
  const early = volume.cephfs ?? volume.cinder ?? volume.flexVolume;
  if (early !== undefined) return [early.secretRef?.name];
  if (projected !== undefined) return (projected.sources ?? []).map((source) => source.secret?.name);
  if (rbd !== undefined) return [rbd.secretRef?.name];
  if (secret !== undefined) return [secret.secretName];
  const late = volume.scaleIO ?? volume.iscsi ?? volume.storageos;
  return [late === undefined ? volume.csi?.nodePublishSecretRef?.name : late.secretRef?.name];
}
