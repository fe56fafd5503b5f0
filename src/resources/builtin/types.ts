// All built-in kinds that can be served, by group, version and kind; removed-types.ts has the removed ones. The types
// are in one file per version (core: one per subject); the fields of a type are evaluated on first use.

import { lookup } from '../../base/lookup.ts';
import { CURRENT_MINOR, NEWEST_MINOR } from '../../lifecycle/version.ts';
import { isWithin, typeInRelease } from '../../schema/declared-struct.ts';
import type { StructNode } from '../../schema/node.ts';
import * as admissionregistrationV1 from './admissionregistration/v1.ts';
import * as admissionregistrationV1alpha1 from './admissionregistration/v1alpha1.ts';
import * as admissionregistrationV1beta1 from './admissionregistration/v1beta1.ts';
import * as apiextensionsV1 from './apiextensions/v1.ts';
import * as apiregistrationV1 from './apiregistration/v1.ts';
import * as apiserverinternalV1alpha1 from './apiserverinternal/v1alpha1.ts';
import * as appsV1 from './apps/v1.ts';
import * as authenticationV1 from './authentication/v1.ts';
import * as authorizationV1 from './authorization/v1.ts';
import * as autoscalingV1 from './autoscaling/v1.ts';
import * as autoscalingV2 from './autoscaling/v2.ts';
import * as batchV1 from './batch/v1.ts';
import * as certificatesV1 from './certificates/v1.ts';
import * as certificatesV1alpha1 from './certificates/v1alpha1.ts';
import * as certificatesV1beta1 from './certificates/v1beta1.ts';
import * as coordinationV1 from './coordination/v1.ts';
import * as coordinationV1alpha1 from './coordination/v1alpha1.ts';
import * as coordinationV1alpha2 from './coordination/v1alpha2.ts';
import * as coordinationV1beta1 from './coordination/v1beta1.ts';
import * as coreCluster from './core/cluster.ts';
import * as coreConfig from './core/config/types.ts';
import * as coreConnectOptions from './core/connect-options.ts';
import * as coreEndpoints from './core/endpoints/types.ts';
import * as coreEvent from './core/event/types.ts';
import * as coreNamespace from './core/namespace/types.ts';
import * as coreNode from './core/node/types.ts';
import * as corePersistentVolume from './core/persistent-volume/types.ts';
import * as corePersistentVolumeClaim from './core/persistent-volume-claim/types.ts';
import * as corePod from './core/pod/types.ts';
import * as coreQuota from './core/quota/types.ts';
import * as coreReplicationController from './core/replication-controller/types.ts';
import * as coreService from './core/service/types.ts';
import * as discoveryV1 from './discovery/v1.ts';
import * as eventsV1 from './events/v1.ts';
import * as flowcontrolV1 from './flowcontrol/v1.ts';
import * as lifecycleV1alpha1 from './lifecycle/v1alpha1.ts';
import * as metaV1 from './meta/v1.ts';
import * as networkingV1 from './networking/v1.ts';
import * as networkingV1alpha1 from './networking/v1alpha1.ts';
import * as networkingV1beta1 from './networking/v1beta1.ts';
import * as nodeV1 from './node/v1.ts';
import * as policyV1 from './policy/v1.ts';
import * as rbacV1 from './rbac/v1.ts';
import * as resourceV1 from './resource/v1.ts';
import * as resourceV1alpha2 from './resource/v1alpha2.ts';
import * as resourceV1alpha3 from './resource/v1alpha3.ts';
import * as resourceV1beta1 from './resource/v1beta1.ts';
import * as resourceV1beta2 from './resource/v1beta2.ts';
import * as schedulingV1 from './scheduling/v1.ts';
import * as schedulingV1alpha1 from './scheduling/v1alpha1.ts';
import * as schedulingV1alpha2 from './scheduling/v1alpha2.ts';
import * as schedulingV1alpha3 from './scheduling/v1alpha3.ts';
import * as schedulingV1beta1 from './scheduling/v1beta1.ts';
import * as storageV1 from './storage/v1.ts';
import * as storageV1alpha1 from './storage/v1alpha1.ts';
import * as storageV1beta1 from './storage/v1beta1.ts';
import * as storagemigrationV1 from './storagemigration/v1.ts';
import * as storagemigrationV1alpha1 from './storagemigration/v1alpha1.ts';
import * as storagemigrationV1beta1 from './storagemigration/v1beta1.ts';

type Types = Readonly<Record<string, StructNode>>;

const TYPES: Readonly<Record<string, readonly Types[]>> = lookup({
  'admissionregistration.k8s.io/v1': [admissionregistrationV1],
  'admissionregistration.k8s.io/v1alpha1': [admissionregistrationV1alpha1],
  'admissionregistration.k8s.io/v1beta1': [admissionregistrationV1beta1],
  'apiextensions.k8s.io/v1': [apiextensionsV1],
  'apiregistration.k8s.io/v1': [apiregistrationV1],
  'apps/v1': [appsV1],
  'authentication.k8s.io/v1': [authenticationV1],
  'authorization.k8s.io/v1': [authorizationV1],
  'autoscaling/v1': [autoscalingV1],
  'autoscaling/v2': [autoscalingV2],
  'batch/v1': [batchV1],
  'certificates.k8s.io/v1': [certificatesV1],
  'certificates.k8s.io/v1alpha1': [certificatesV1alpha1],
  'certificates.k8s.io/v1beta1': [certificatesV1beta1],
  'coordination.k8s.io/v1': [coordinationV1],
  'coordination.k8s.io/v1alpha1': [coordinationV1alpha1],
  'coordination.k8s.io/v1alpha2': [coordinationV1alpha2],
  'coordination.k8s.io/v1beta1': [coordinationV1beta1],
  'discovery.k8s.io/v1': [discoveryV1],
  'events.k8s.io/v1': [eventsV1],
  'flowcontrol.apiserver.k8s.io/v1': [flowcontrolV1],
  'internal.apiserver.k8s.io/v1alpha1': [apiserverinternalV1alpha1],
  'lifecycle.k8s.io/v1alpha1': [lifecycleV1alpha1],
  'networking.k8s.io/v1': [networkingV1],
  'networking.k8s.io/v1alpha1': [networkingV1alpha1],
  'networking.k8s.io/v1beta1': [networkingV1beta1],
  'node.k8s.io/v1': [nodeV1],
  'policy/v1': [policyV1],
  'rbac.authorization.k8s.io/v1': [rbacV1],
  'resource.k8s.io/v1': [resourceV1],
  'resource.k8s.io/v1alpha2': [resourceV1alpha2],
  'resource.k8s.io/v1alpha3': [resourceV1alpha3],
  'resource.k8s.io/v1beta1': [resourceV1beta1],
  'resource.k8s.io/v1beta2': [resourceV1beta2],
  'scheduling.k8s.io/v1': [schedulingV1],
  'scheduling.k8s.io/v1alpha1': [schedulingV1alpha1],
  'scheduling.k8s.io/v1alpha2': [schedulingV1alpha2],
  'scheduling.k8s.io/v1alpha3': [schedulingV1alpha3],
  'scheduling.k8s.io/v1beta1': [schedulingV1beta1],
  'storage.k8s.io/v1': [storageV1],
  'storage.k8s.io/v1alpha1': [storageV1alpha1],
  'storage.k8s.io/v1beta1': [storageV1beta1],
  'storagemigration.k8s.io/v1': [storagemigrationV1],
  'storagemigration.k8s.io/v1alpha1': [storagemigrationV1alpha1],
  'storagemigration.k8s.io/v1beta1': [storagemigrationV1beta1],
  v1: [
    coreCluster,
    coreConfig,
    coreConnectOptions,
    coreEndpoints,
    coreEvent,
    coreNamespace,
    coreNode,
    corePersistentVolumeClaim,
    corePersistentVolume,
    corePod,
    coreQuota,
    coreReplicationController,
    coreService,
    metaV1,
  ],
});

/** The group versions with built-in kinds in a minor release of Kubernetes 1: `v1`, `apps/v1` … @internal */
export function builtinGroupVersions(minor: number = CURRENT_MINOR): string[] {
  return Object.keys(TYPES).filter((groupVersion) => isBuiltinGroupVersion(groupVersion, minor));
}

/** Whether a minor release of Kubernetes 1 has built-in kinds in a group version. */
export function isBuiltinGroupVersion(groupVersion: string, minor: number = CURRENT_MINOR): boolean {
  const declared = Object.hasOwn(TYPES, groupVersion) ? TYPES[groupVersion] : undefined;
  const types = (declared ?? []).flatMap((each) => Object.values(each));
  return types.some((type) => type.kinds.length > 0 && isWithin(type, minor));
}

/**
 * The type of a built-in kind in a minor release of Kubernetes 1, the one served by default if none is given; undefined
 * if it has none.
 */
export function findBuiltinType(
  group: string,
  version: string,
  kind: string,
  minor: number = CURRENT_MINOR,
): StructNode | undefined {
  const type = declaredType(group, version, kind);
  return type !== undefined && isWithin(type, minor) ? typeInRelease(type, minor) : undefined;
}

/** The type of a built-in kind in the newest release that has it: it can read and write the objects of all releases. */
export function newestBuiltinType(group: string, version: string, kind: string): StructNode | undefined {
  const type = declaredType(group, version, kind);
  return type && typeInRelease(type, Math.min(type.until ?? NEWEST_MINOR, NEWEST_MINOR));
}

/** The type of a built-in kind that some release has, as it is in the one served by default. */
export function anyBuiltinType(group: string, version: string, kind: string): StructNode {
  const type = declaredType(group, version, kind);
  if (type === undefined) throw new Error(`no release has a built-in type ${group}/${version} ${kind}`);
  return type;
}

function declaredType(group: string, version: string, kind: string): StructNode | undefined {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const name = `${groupVersion}/${kind}`;
  const declared = Object.hasOwn(TYPES, groupVersion) ? TYPES[groupVersion] : undefined;
  if (declared === undefined) return undefined;
  for (const types of [...declared, metaV1 as Types]) {
    const type = Object.hasOwn(types, kind) ? types[kind] : undefined;
    if (type?.kinds.includes(name)) return type;
  }
  return undefined;
}

/** Like findBuiltinType, for declarations, where an unknown kind is a programming error. */
export function builtinType(group: string, version: string, kind: string, minor?: number): StructNode {
  const type = findBuiltinType(group, version, kind, minor);
  if (type === undefined) throw new Error(`no built-in type ${group}/${version} ${kind}`);
  return type;
}
