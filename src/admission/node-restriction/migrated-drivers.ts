// CSI drivers that replaced the in-tree volume plugins: a volume of such a plugin is mounted by its driver, as that
// driver's own volumes are (Kubernetes' CSI migration).

import type { JsonObject } from '../../api/object.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import { objectAt } from '../../resources/fill-in.ts';
import { textAt } from '../../resources/value.ts';

/** A driver, or why a volume cannot be one of its volumes. */
type Migrated = { readonly driver: string } | { readonly fault: string };

interface MigratedPlugin {
  /** The field of the source in a volume of a pod and in the spec of a persistent volume. */
  readonly member: string;
  readonly driver: string;
  /** Why a source cannot be migrated; undefined if it can. `spec` is that of a persistent volume. */
  readonly fault?: (source: JsonObject, spec: JsonObject | undefined) => string | undefined;
}

const PLUGINS: readonly MigratedPlugin[] = [
  { member: 'gcePersistentDisk', driver: 'pd.csi.storage.gke.io' },
  { member: 'awsElasticBlockStore', driver: 'ebs.csi.aws.com', fault: blockStoreFault },
  { member: 'cinder', driver: 'cinder.csi.openstack.org' },
  { member: 'azureDisk', driver: 'disk.csi.azure.com', fault: azureDiskFault },
  { member: 'azureFile', driver: 'file.csi.azure.com', fault: azureFileFault },
  { member: 'vsphereVolume', driver: 'csi.vsphere.vmware.com' },
  { member: 'portworxVolume', driver: 'pxd.portworx.com' },
];

/** The driver of a volume of a pod that has an in-tree source; undefined for other volumes. */
export function migratedVolume(volume: JsonObject): Migrated | undefined {
  return migrated(volume, undefined);
}

/** The driver of a persistent volume that has an in-tree source; undefined for others. */
export function migratedPersistentVolume(spec: JsonObject | undefined): Migrated | undefined {
  return spec === undefined ? undefined : migrated(spec, spec);
}

function migrated(holder: JsonObject, spec: JsonObject | undefined): Migrated | undefined {
  for (const { member, driver, fault } of PLUGINS) {
    const source = objectAt(holder, member);
    if (source === undefined) continue;
    const found = fault?.(source, spec);
    return found === undefined ? { driver } : { fault: found };
  }
  return undefined;
}

const EBS_VOLUME = /^vol-[^/]*$/;

/** A volume's ID may be a URL, `aws://zone/vol-1`. */
function blockStoreFault(source: JsonObject): string | undefined {
  const id = textAt(source, 'volumeID');
  if (!id.startsWith('aws://')) return undefined;
  const path = withoutTrailing(id.slice('aws://'.length).replace(/^[^/]*\/*/, ''), '/');
  if (EBS_VOLUME.test(path)) return undefined;
  return `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`;
}

function azureDiskFault(source: JsonObject): string | undefined {
  const kind = textAt(source, 'kind') || 'Managed';
  return kind === 'Managed' ? undefined : `kind(${kind}) is not supported in csi migration`;
}

function azureFileFault(source: JsonObject, spec: JsonObject | undefined): string | undefined {
  if (spec === undefined) return undefined;
  const own = source['secretNamespace'];
  if ((own ?? textAt(spec, 'claimRef', 'namespace')) !== '') return undefined;
  return 'could not find a secret namespace in PersistentVolumeSource or ClaimRef';
}
