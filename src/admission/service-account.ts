// The plugin ServiceAccount: every pod runs as a service account of its namespace, and finds the account's token,
// the cluster's certificate and its namespace in a volume, unless it or the account does without.

import { copyJson } from '../api/json-writer.ts';
import { isMirrorPod } from '../api/mirror-pods.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { whenThere } from '../base/soon.ts';
import { objectIn, objectsAt } from '../resources/fill-in.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';

const PODS = { group: '', resource: 'pods' };
const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const DEFAULT = 'default';
/** On pods that a node runs by itself, and shows to the server. */
const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and seven seconds by which such tokens are known. */
const TOKEN_SECONDS = 3607;

export interface ServiceAccountOptions {
  readonly objects: ObjectLookup;
  /** Makes a name that is not taken out of its beginning. */
  readonly nameFrom: (prefix: string) => string;
}

export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    admit(admission) {
      const { object: pod, operation } = admission;
      if (pod === undefined || operation !== 'create' || !concerns(admission, PODS)) return undefined;
      if (isMirrorPod(pod)) return checkMirrorPod(admission, pod);
      const spec = objectIn(pod, 'spec');
      const name = textAt(spec, 'serviceAccountName') || DEFAULT;
      const account = options.objects.find(ACCOUNTS, admission.request.namespace, name);
      return whenThere(account, (found) => {
        settleAccount(admission, { spec, name, account: found });
        useAccount(spec, found, options.nameFrom);
      });
    },
  };
}

function useAccount(spec: JsonObject, account: ApiObject | undefined, nameFrom: (prefix: string) => string): void {
  if (automounts(spec, account)) mountToken(spec, nameFrom);
  const secrets = listAt(account, 'imagePullSecrets');
  if (listAt(spec, 'imagePullSecrets').length === 0 && secrets.length > 0) {
    spec['imagePullSecrets'] = copyJson(secrets);
  }
}

/**
 * The account that the pod names, or `default`. The namespace's default account may still be on its way when the first
 * pod is created; until it is there it counts as one that says nothing.
 */
function settleAccount(
  admission: AdmissionRequest,
  { spec, name, account }: { spec: JsonObject; name: string; account: ApiObject | undefined },
): void {
  if (account === undefined && name !== DEFAULT) {
    const why = `serviceaccount ${JSON.stringify(name)} not found`;
    throw refusal(admission, `error looking up service account ${admission.request.namespace}/${name}: ${why}`);
  }
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** The pod has the last word, then the account. */
function automounts(spec: JsonObject, account: ApiObject | undefined): boolean {
  const ofPod = spec['automountServiceAccountToken'];
  return (typeof ofPod === 'boolean' ? ofPod : at(account, 'automountServiceAccountToken')) !== false;
}

/** Adds the volume to a pod where a container has nothing of its own mounted in its place. */
function mountToken(spec: JsonObject, nameFrom: (prefix: string) => string): void {
  const volumes = objectsAt(spec, 'volumes');
  const existing = volumes.map((volume) => textAt(volume, 'name')).find((name) => name.startsWith(VOLUME_PREFIX));
  const name = existing ?? nameFrom(VOLUME_PREFIX);
  let mounted = false;
  for (const container of [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]) {
    const mounts = objectsAt(container, 'volumeMounts');
    if (mounts.some(({ mountPath }) => mountPath === MOUNT_PATH)) continue;
    container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }];
    mounted = true;
  }
  if (mounted && existing === undefined) spec['volumes'] = [...volumes, tokenVolume(name)];
}

function tokenVolume(name: string): JsonObject {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  const sources = [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [namespace] } },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}

/** What a node runs by itself cannot depend on what the server has. */
function checkMirrorPod(admission: AdmissionRequest, pod: ApiObject): void {
  const spec = objectIn(pod, 'spec');
  const account = textAt(spec, 'serviceAccountName') !== '';
  if (account) throw refusal(admission, 'a mirror pod may not reference service accounts');
  const references = referencedKinds(spec);
  for (const kind of ['secrets', 'configmaps', 'persistentvolumeclaims']) {
    if (references.has(kind)) throw refusal(admission, `a mirror pod may not reference ${kind}`);
  }
}

/** Members of a pod's spec that name an object of another kind, wherever they stand. */
const REFERENCES: Readonly<Record<string, string>> = Object.freeze({
  secret: 'secrets',
  secretRef: 'secrets',
  secretKeyRef: 'secrets',
  imagePullSecrets: 'secrets',
  configMap: 'configmaps',
  configMapRef: 'configmaps',
  configMapKeyRef: 'configmaps',
  persistentVolumeClaim: 'persistentvolumeclaims',
});

function referencedKinds(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
    if (kind !== undefined && typeof member === 'object' && member !== null) found.add(kind);
    referencedKinds(member, found);
  }
  return found;
}
