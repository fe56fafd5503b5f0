// Graph of the objects related to each node: those referenced by its pods, the volumes of their claims, and objects
// that name the node. A node may only read these.

import { isMirrorPod } from '../../api/mirror-pods.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { objectMember, objectsIn, textMember } from '../../api/untyped-members.ts';
import { claimOfVolume, configMapsOfPod, secretsOfPod } from './pod-references.ts';

/** The plural names of resources that can be related to a node. */
export type RelatedResource =
  | 'pods'
  | 'secrets'
  | 'configmaps'
  | 'serviceaccounts'
  | 'persistentvolumeclaims'
  | 'resourceclaims'
  | 'persistentvolumes'
  | NamingResource;

/** Resources whose objects name a node. */
export type NamingResource = 'volumeattachments' | 'resourceslices' | 'podcertificaterequests';

interface PodRelations {
  readonly node: string;
  readonly keys: ReadonlySet<string>;
}

interface VolumeRelations {
  /** The claim that it is bound to. */
  readonly claim: string;
  readonly secrets: readonly string[];
}

export class NodeGraph {
  readonly #pods = new Map<string, PodRelations>();
  /** For each object, the number of pods of each node that reference it. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, VolumeRelations>();
  readonly #volumesOfSecrets = new Map<string, Set<string>>();
  /** Objects that name a node. */
  readonly #named = new Map<string, string>();

  /** Whether an object is related to a node. `namespace` is '' for cluster-scoped objects. */
  relates(node: string, resource: RelatedResource, { namespace, name }: { namespace: string; name: string }): boolean {
    const key = keyOf(resource, namespace, name);
    if (this.#nodes.get(key)?.has(node) || this.#named.get(key) === node) return true;
    if (resource === 'persistentvolumes') return this.#reachesVolume(node, key);
    if (resource !== 'secrets') return false;
    return [...(this.#volumesOfSecrets.get(key) ?? [])].some((volume) => this.#reachesVolume(node, volume));
  }

  setPod(pod: ApiObject): void {
    const { namespace = '', name = '' } = pod.metadata;
    this.deletePod(namespace, name);
    const node = textMember(objectMember(pod, 'spec'), 'nodeName');
    if (node === '') return;
    const keys = new Set([keyOf('pods', namespace, name)]);
    // A mirror pod must not grant its node access to anything.
    if (!isMirrorPod(pod)) {
      for (const [resource, named] of referencesOf(pod)) keys.add(keyOf(resource, namespace, named));
    }
    this.#pods.set(keyOf('pods', namespace, name), { node, keys });
    for (const key of keys) {
      const nodes = this.#nodes.get(key) ?? new Map<string, number>();
      nodes.set(node, (nodes.get(node) ?? 0) + 1);
      this.#nodes.set(key, nodes);
    }
  }

  deletePod(namespace: string, name: string): void {
    const own = keyOf('pods', namespace, name);
    const relations = this.#pods.get(own);
    if (relations === undefined) return;
    this.#pods.delete(own);
    for (const key of relations.keys) {
      const nodes = this.#nodes.get(key)!;
      const left = nodes.get(relations.node)! - 1;
      if (left > 0) nodes.set(relations.node, left);
      else nodes.delete(relations.node);
      if (nodes.size === 0) this.#nodes.delete(key);
    }
  }

  setVolume(volume: ApiObject): void {
    const { name = '' } = volume.metadata;
    this.deleteVolume(name);
    const spec = objectMember(volume, 'spec');
    if ((spec['claimRef'] ?? null) === null) return;
    const claim = objectMember(spec, 'claimRef');
    const own = keyOf('persistentvolumes', '', name);
    const claimNamespace = textMember(claim, 'namespace');
    const secrets = secretsOfVolume(spec, claimNamespace);
    this.#volumes.set(own, {
      claim: keyOf('persistentvolumeclaims', claimNamespace, textMember(claim, 'name')),
      secrets,
    });
    for (const secret of secrets) {
      const volumes = this.#volumesOfSecrets.get(secret) ?? new Set<string>();
      this.#volumesOfSecrets.set(secret, volumes.add(own));
    }
  }

  deleteVolume(name: string): void {
    const own = keyOf('persistentvolumes', '', name);
    for (const secret of this.#volumes.get(own)?.secrets ?? []) {
      const volumes = this.#volumesOfSecrets.get(secret);
      volumes?.delete(own);
      if (volumes?.size === 0) this.#volumesOfSecrets.delete(secret);
    }
    this.#volumes.delete(own);
  }

  /** An object of a resource whose spec names a node. */
  setNaming(resource: NamingResource, object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const node = textMember(objectMember(object, 'spec'), 'nodeName');
    if (node === '') this.deleteNaming(resource, namespace, name);
    else this.#named.set(keyOf(resource, namespace, name), node);
  }

  deleteNaming(resource: NamingResource, namespace: string, name: string): void {
    this.#named.delete(keyOf(resource, namespace, name));
  }

  #reachesVolume(node: string, volume: string): boolean {
    const relations = this.#volumes.get(volume);
    return relations !== undefined && this.#nodes.get(relations.claim)?.has(node) === true;
  }
}

function keyOf(resource: RelatedResource, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

function* referencesOf(pod: ApiObject): Generator<readonly [RelatedResource, string]> {
  const spec = objectMember(pod, 'spec');
  const account = textMember(spec, 'serviceAccountName');
  if (account !== '') yield ['serviceaccounts', account];
  for (const name of secretsOfPod(spec)) yield ['secrets', name];
  for (const name of configMapsOfPod(spec)) yield ['configmaps', name];
  for (const volume of objectsIn(spec, 'volumes')) {
    const claim = claimOfVolume(pod, volume);
    if (claim !== '') yield ['persistentvolumeclaims', claim];
  }
  for (const name of resourceClaimsOf(pod, spec)) yield ['resourceclaims', name];
}

/** Claims referenced by the pod, or generated for it, which are in its status. */
function resourceClaimsOf(pod: ApiObject, spec: JsonObject): string[] {
  const status = objectMember(pod, 'status');
  const made = objectsIn(status, 'resourceClaimStatuses');
  const names = objectsIn(spec, 'resourceClaims').map((claim) => {
    const named = textMember(claim, 'resourceClaimName');
    if (named !== '') return named;
    const own = made.find((each) => textMember(each, 'name') === textMember(claim, 'name'));
    return own === undefined ? '' : textMember(own, 'resourceClaimName');
  });
  names.push(textMember(objectMember(status, 'extendedResourceClaimStatus'), 'resourceClaimName'));
  return names.filter((name) => name !== '');
}

/** Volume sources with a secret reference for the kubelet, and its field. */
const SECRETS_OF_SOURCES: readonly (readonly [source: string, member: string])[] = [
  ['cephfs', 'secretRef'],
  ['cinder', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['iscsi', 'secretRef'],
  ['storageos', 'secretRef'],
  ['csi', 'nodePublishSecretRef'],
  ['csi', 'nodeStageSecretRef'],
  ['csi', 'nodeExpandSecretRef'],
];
/** Sources whose secret reference defaults to the namespace of the claim. */
const IN_CLAIM_NAMESPACE = new Set(['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi']);

function secretsOfVolume(spec: JsonObject, claimNamespace: string): string[] {
  const keys: string[] = [];
  const add = (namespace: string, name: string) => {
    if (name !== '') keys.push(keyOf('secrets', namespace, name));
  };
  const azureFile = objectMember(spec, 'azureFile');
  add(textMember(azureFile, 'secretNamespace') || claimNamespace, textMember(azureFile, 'secretName'));
  for (const [source, member] of SECRETS_OF_SOURCES) {
    const reference = objectMember(objectMember(spec, source), member);
    const namespace = textMember(reference, 'namespace') || (IN_CLAIM_NAMESPACE.has(source) ? claimNamespace : '');
    add(namespace, textMember(reference, 'name'));
  }
  return keys;
}
