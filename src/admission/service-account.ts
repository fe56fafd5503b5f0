// The plugin ServiceAccount: sets the service account of pods, and adds a volume with its token, the cluster's CA
// certificate and the namespace, unless the pod or the account opts out.

import { copyJson } from '../api/json-writer.ts';
import { isMirrorPod } from '../api/mirror-pods.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { objectIn, objectsAt } from '../resources/fill-in.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, impossibleName, refusal } from './concerns.ts';
import { refusedEphemeralSecret, refusedSecret } from './mountable-secrets.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { namesSecret } from './pod-secrets.ts';
import { ACCOUNTS, isOf, PODS } from './resources.ts';

const DEFAULT = 'default';
/** On mirror pods of static pods. */
const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, plus seven seconds by which such tokens are recognized. */
const TOKEN_SECONDS = 3607;

interface ServiceAccountOptions {
  readonly objects: ObjectLookup;
  /** Generates an unused name from a prefix. */
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
      return whenThere(accountOf(admission, name, options.objects), (found) => {
        spec['serviceAccountName'] = name;
        spec['serviceAccount'] = name;
        useAccount(spec, found, options.nameFrom);
        refuseWhere(admission, refusedSecret(found, pod));
      });
    },
  };
}

/**
 * Looks at the pod once more when all who change it have: it may run as another account by then. An update of ephemeral
 * containers is only looked at here, when everything else that the client sent has been dropped.
 */
export function validServiceAccount({ objects }: Pick<ServiceAccountOptions, 'objects'>): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    admit(admission) {
      const { object: pod, operation } = admission;
      if (pod === undefined) return undefined;
      if (isEphemeralUpdate(admission)) return checkEphemeralContainers(admission, pod, objects);
      if (operation !== 'create' || !concerns(admission, PODS)) return undefined;
      if (isMirrorPod(pod)) return checkMirrorPod(admission, pod);
      const name = textAt(pod, 'spec', 'serviceAccountName');
      return whenThere(accountOf(admission, name, objects), (found) =>
        refuseWhere(admission, refusedSecret(found, pod)),
      );
    },
  };
}

function isEphemeralUpdate({ request, operation }: AdmissionRequest): boolean {
  const { definition, subresource } = request;
  return operation === 'update' && subresource === 'ephemeralcontainers' && isOf(PODS, definition);
}

function checkEphemeralContainers(admission: AdmissionRequest, pod: ApiObject, objects: ObjectLookup): Soon<void> {
  const name = textAt(pod, 'spec', 'serviceAccountName');
  if (name === '') {
    const { namespace } = admission.request;
    throw refusal(admission, `no service account specified for pod ${namespace}/${pod.metadata.name}`);
  }
  return whenThere(accountOf(admission, name, objects), (found) =>
    refuseWhere(admission, refusedEphemeralSecret(found, pod)),
  );
}

function refuseWhere(admission: AdmissionRequest, why: string | undefined): void {
  if (why !== undefined) throw refusal(admission, why);
}

function useAccount(spec: JsonObject, account: ApiObject | undefined, nameFrom: (prefix: string) => string): void {
  if (automounts(spec, account)) mountToken(spec, nameFrom);
  const secrets = listAt(account, 'imagePullSecrets');
  if (listAt(spec, 'imagePullSecrets').length === 0 && secrets.length > 0) {
    spec['imagePullSecrets'] = copyJson(secrets);
  }
}

/**
 * The service account of the pod, or `default`. The default account may not exist yet when the first pod is created;
 * until then it counts as one without settings.
 */
function accountOf(admission: AdmissionRequest, name: string, objects: ObjectLookup): Soon<ApiObject | undefined> {
  const { namespace } = admission.request;
  const refuse = (why: string) => refusal(admission, `error looking up service account ${namespace}/${name}: ${why}`);
  const impossible = impossibleName(name);
  if (impossible !== undefined) throw refuse(impossible);
  return whenThere(objects.find(ACCOUNTS, namespace, name), (found) => {
    if (found === undefined && name !== DEFAULT) throw refuse(`serviceaccount ${JSON.stringify(name)} not found`);
    return found;
  });
}

/** The pod takes precedence over the account. */
function automounts(spec: JsonObject, account: ApiObject | undefined): boolean {
  const ofPod = spec['automountServiceAccountToken'];
  return (typeof ofPod === 'boolean' ? ofPod : at(account, 'automountServiceAccountToken')) !== false;
}

/** Adds the volume to a pod if a container has nothing else mounted at its path. */
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

/** Static pods cannot depend on API objects. */
function checkMirrorPod(admission: AdmissionRequest, pod: ApiObject): void {
  const spec = objectIn(pod, 'spec');
  const account = textAt(spec, 'serviceAccountName') !== '';
  if (account) throw refusal(admission, 'a mirror pod may not reference service accounts');
  if (namesSecret(pod)) throw refusal(admission, 'a mirror pod may not reference secrets');
  const sources = listAt(spec, 'volumes').flatMap((volume) => listAt(volume, 'projected', 'sources'));
  if (sources.some((source) => at(source, 'serviceAccountToken') !== undefined)) {
    throw refusal(admission, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}
