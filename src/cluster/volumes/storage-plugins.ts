// What kube-controller-manager itself can do with volumes: hardly anything since drivers took over. It deletes host paths
// below /tmp, leaves what has moved to a driver to that driver, and refuses the rest.

import { ownMember } from '../../api/own-member.ts';
import { lookup } from '../../base/lookup.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import { MIGRATED_TO, PROVISIONED_BY } from './volume-names.ts';

/** Plugins of its own begin so. */
const OWN = 'kubernetes.io/';
const HOST_PATH = 'kubernetes.io/host-path';
/** All plugins that it has for volumes without a driver. */
const LEFT: ReadonlySet<string> = new Set([HOST_PATH, 'kubernetes.io/nfs']);
const DELETABLE_PATH = /^\/tmp\/.+/;

/** The drivers to which its former plugins have moved. */
const DRIVERS: Readonly<Record<string, string>> = lookup({
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
});

/** The members of volumes that those plugins were for. */
const SOURCES = {
  awsElasticBlockStore: 'kubernetes.io/aws-ebs',
  azureDisk: 'kubernetes.io/azure-disk',
  azureFile: 'kubernetes.io/azure-file',
  cinder: 'kubernetes.io/cinder',
  gcePersistentDisk: 'kubernetes.io/gce-pd',
  vsphereVolume: 'kubernetes.io/vsphere-volume',
} as const;

/** The former plugin of a volume, if it has moved to a driver. */
export function pluginOf({ spec }: PersistentVolume): string | undefined {
  const sources = Object.keys(SOURCES) as (keyof typeof SOURCES)[];
  const source = sources.find((each) => spec?.[each] !== undefined);
  return source === undefined ? undefined : SOURCES[source];
}

/** The driver to which a plugin has moved. */
export function driverOf(plugin: string): string | undefined {
  return DRIVERS[plugin];
}

/** Why no volume can be made by a provisioner; undefined if one outside does it. */
export function provisioningFault(provisioner: string): string | undefined {
  if (!provisioner.startsWith(OWN) || driverOf(provisioner) !== undefined) return undefined;
  if (!LEFT.has(provisioner)) return `no volume plugin matched name: ${provisioner}`;
  return provisioner === HOST_PATH ? undefined : 'no provisionable volume plugin matched';
}

/** Why a provisioner of its own makes no volumes although it could; undefined for any other one. */
export function switchedOffFault(provisioner: string): string | undefined {
  if (provisioner !== HOST_PATH) return undefined;
  return `Failed to create provisioner: provisioning in volume plugin "${HOST_PATH}" is disabled`;
}

/** Who deletes a volume: kube-controller-manager, somebody else, or nobody, for a reason. */
export function deleterOf(volume: PersistentVolume): 'own' | 'other' | { readonly fault: string } {
  const { metadata, spec } = volume;
  const provisioner = ownMember(metadata.annotations, PROVISIONED_BY) ?? '';
  if (provisioner !== '') {
    if (provisioner === HOST_PATH) return hostPathDeleter(volume);
    if (!provisioner.startsWith(OWN)) return 'other';
    const matched = LEFT.has(provisioner);
    return { fault: matched ? 'no deletable volume plugin matched' : `no volume plugin matched name: ${provisioner}` };
  }
  if (ownMember(metadata.annotations, MIGRATED_TO) !== undefined || spec?.csi !== undefined) return 'other';
  if (spec?.hostPath !== undefined) return hostPathDeleter(volume);
  const fault = spec?.nfs === undefined ? 'no volume plugin matched' : 'no deletable volume plugin matched';
  return { fault: `error getting deleter volume plugin for volume "${metadata.name}": ${fault}` };
}

function hostPathDeleter({ metadata, spec }: PersistentVolume): 'own' | { readonly fault: string } {
  const path = spec?.hostPath?.path;
  if (path === undefined) {
    const fault = 'spec.PersistentVolumeSource.HostPath is nil';
    return { fault: `failed to create deleter for volume "${metadata.name}": ${fault}` };
  }
  if (DELETABLE_PATH.test(path)) return 'own';
  return { fault: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
}

/** Sets or removes the annotation that names the driver to which a provisioner has moved. @returns whether it changed */
export function annotateMigration(annotations: Record<string, string>, provisioner: string | undefined): boolean {
  if (provisioner === undefined) return false;
  const driver = driverOf(provisioner);
  const before = ownMember(annotations, MIGRATED_TO) ?? '';
  if (driver === undefined) {
    if (before === '') return false;
    delete annotations[MIGRATED_TO];
    return true;
  }
  annotations[MIGRATED_TO] = driver;
  return before !== driver;
}
