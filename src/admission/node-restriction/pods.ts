// NodeRestriction for pods: a node may create mirror pods on itself that reference no API objects, delete and evict
// pods bound to it, and update their status.

import { errors } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { isMirrorPod, MIRROR_ANNOTATION } from '../../api/mirror-pods.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { configMapsOfPod, secretsOfPod } from '../../auth/authz/pod-references.ts';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import type { Soon } from '../../base/soon.ts';
import { isSince } from '../../lifecycle/version.ts';
import { objectAt, objectsAt } from '../../resources/fill-in.ts';
import { at, textAt } from '../../resources/value.ts';
import { refusal } from '../concerns.ts';
import { type NodeWrite, nameOf } from './node-write.ts';

export function admitPod(write: NodeWrite): Soon<void> {
  const { admission } = write;
  const { subresource } = admission.request;
  if (subresource === '') return admitWhole(write);
  if (subresource === 'status') return admitStatus(write);
  if (subresource === 'eviction') return admitEviction(write);
  const why = `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
  throw refusal(admission, why);
}

function admitWhole(write: NodeWrite): Soon<void> {
  const { node, admission } = write;
  const { operation, object, previous } = admission;
  if (operation === 'create') return admitMirror(write, object!);
  if (operation !== 'delete') {
    const name = goQuote(operation.toUpperCase());
    const why = `unexpected operation ${name}, node ${goQuote(node)} can only create and delete mirror pods`;
    throw refusal(admission, why);
  }
  if (textAt(previous, 'spec', 'nodeName') === node) return;
  throw refusal(admission, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
}

async function admitMirror(write: NodeWrite, pod: ApiObject): Promise<void> {
  const { node, admission } = write;
  const self = `node ${goQuote(node)}`;
  if (!isMirrorPod(pod)) {
    const why = `pod does not have "${MIRROR_ANNOTATION}" annotation, ${self} can only create mirror pods`;
    throw refusal(admission, why);
  }
  if (textAt(pod, 'spec', 'nodeName') !== node) {
    throw refusal(admission, `${self} can only create pods with spec.nodeName set to itself`);
  }
  await checkOwner(write, objectsAt(pod.metadata as JsonObject, 'ownerReferences'));
  const referenced = referencedBy(objectAt(pod, 'spec') ?? {});
  if (referenced !== undefined) throw refusal(admission, `${self} can not create pods that reference ${referenced}`);
}

/** A mirror pod is owned by its node and deleted with it. */
async function checkOwner({ node, admission, needs }: NodeWrite, owners: readonly JsonObject[]): Promise<void> {
  const self = `node ${goQuote(node)}`;
  const [owner] = owners;
  if (owners.length > 1) {
    throw refusal(admission, `${self} can only create pods with a single owner reference set to itself`);
  }
  if (owner === undefined || owner['apiVersion'] !== 'v1' || owner['kind'] !== 'Node' || owner['name'] !== node) {
    throw refusal(admission, `${self} can only create pods with an owner reference set to itself`);
  }
  if (owner['controller'] !== true) {
    throw refusal(admission, `${self} can only create pods with a controller owner reference set to itself`);
  }
  if (owner['blockOwnerDeletion'] === true) {
    throw refusal(admission, `${self} must not set blockOwnerDeletion on an owner reference`);
  }
  const found = await needs.objects.find({ group: '', resource: 'nodes' }, '', node);
  if (found === undefined) throw errors.notFound({ group: '', resource: 'nodes', name: node });
  if (owner['uid'] === found.metadata.uid) return;
  throw refusal(admission, `node ${node} UID mismatch: expected ${owner['uid']} got ${found.metadata.uid}`);
}

function admitStatus({ node, admission }: NodeWrite): void {
  const { operation, object, previous, request } = admission;
  const self = `node ${goQuote(node)}`;
  if (operation !== 'update') throw refusal(admission, `unexpected operation ${goQuote(operation.toUpperCase())}`);
  if (textAt(previous, 'spec', 'nodeName') !== node) {
    throw refusal(admission, `${self} can only update pod status for pods with spec.nodeName set to itself`);
  }
  const same = (empty: Json, ...path: string[]) =>
    equalJson(at(object, ...path) ?? empty, at(previous, ...path) ?? empty);
  if (!same({}, 'metadata', 'labels')) throw refusal(admission, `${self} cannot update labels through pod status`);
  if (!same([], 'status', 'resourceClaimStatuses')) {
    throw refusal(admission, `${self} cannot update resource claim statues`);
  }
  if (!same(null, 'status', 'extendedResourceClaimStatus')) {
    throw refusal(admission, `${self} cannot update extended resource claim status`);
  }
  if (isSince(request.definition, 37) && !same([], 'status', 'nodeAllocatableResourceClaimStatuses')) {
    throw refusal(admission, `${self} cannot update node allocatable resource claim statuses`);
  }
}

async function admitEviction({ node, admission, needs }: NodeWrite): Promise<void> {
  const { operation, request } = admission;
  if (operation !== 'create') throw refusal(admission, `unexpected operation ${operation.toUpperCase()}`);
  const name = nameOf(admission);
  if (name === '') throw refusal(admission, 'could not determine pod from request data');
  const pod = await needs.objects.find({ group: '', resource: 'pods' }, request.namespace, name);
  if (pod === undefined) throw errors.notFound({ group: '', resource: 'pod', name });
  if (textAt(pod, 'spec', 'nodeName') === node) return;
  throw refusal(admission, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

/** Volumes from API objects, and Kubernetes' names for these in messages. */
const VOLUMES: Readonly<Record<string, string>> = lookup({
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
});
const PROJECTIONS: Readonly<Record<string, string>> = lookup({
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
});

/** The kind of API object that a pod with this spec references; undefined for none. */
function referencedBy(spec: JsonObject): string | undefined {
  if (textAt(spec, 'serviceAccountName') !== '') return 'serviceaccounts';
  if (secretsOfPod(spec).length > 0) return 'secrets';
  if (configMapsOfPod(spec).length > 0) return 'configmaps';
  if (objectsAt(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  for (const volume of objectsAt(spec, 'volumes')) {
    const found = named(volume, VOLUMES);
    if (found !== undefined) return found;
    for (const source of objectsAt(objectAt(volume, 'projected'), 'sources')) {
      const projected = named(source, PROJECTIONS);
      if (projected !== undefined) return projected;
    }
  }
  return undefined;
}

function named(source: JsonObject, names: Readonly<Record<string, string>>): string | undefined {
  for (const member in names) if ((source[member] ?? null) !== null) return names[member];
  return undefined;
}
