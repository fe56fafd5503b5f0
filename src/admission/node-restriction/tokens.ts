// NodeRestriction for tokens: a node may request tokens for service accounts of pods that run on it, bound to the pod,
// for audiences of the pod.

import { errors } from '../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { claimOfVolume } from '../../auth/authz/pod-references.ts';
import { goQuote } from '../../base/go-quote.ts';
import { isSince } from '../../lifecycle/version.ts';
import { objectAt, objectsAt } from '../../resources/fill-in.ts';
import { at, textAt } from '../../resources/value.ts';
import { refusal } from '../concerns.ts';
import type { ObjectLookup, ResourceName } from '../object-lookup.ts';
import { CLAIMS, PODS } from '../resources.ts';
import { migratedPersistentVolume, migratedVolume } from './migrated-drivers.ts';
import { type NodeWrite, permission } from './node-write.ts';

const VOLUMES = { group: '', resource: 'persistentvolumes' };
const DRIVERS = { group: 'storage.k8s.io', resource: 'csidrivers' };

export async function admitToken(write: NodeWrite): Promise<void> {
  const { node, admission, needs } = write;
  const { operation, request, object } = admission;
  if (operation !== 'create' || request.subresource !== 'token') return;
  const bound = objectAt(objectAt(object, 'spec'), 'boundObjectRef');
  const name = textAt(bound, 'name');
  if (textAt(bound, 'apiVersion') !== 'v1' || textAt(bound, 'kind') !== 'Pod' || name === '') {
    throw refusal(admission, 'node requested token not bound to a pod');
  }
  const uid = textAt(bound, 'uid');
  if (uid === '') throw refusal(admission, 'node requested token with a pod binding without a uid');
  const pod = await needs.objects.find(PODS, request.namespace, name);
  if (pod === undefined) throw errors.notFound({ ...PODS, name });
  if (pod.metadata.uid !== uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(admission, why);
  }
  if (textAt(pod, 'spec', 'nodeName') !== node) {
    throw refusal(admission, 'node requested token bound to a pod scheduled on a different node');
  }
  if (needs.gateEnabled('ServiceAccountNodeAudienceRestriction')) await checkAudience(write, pod);
}

async function checkAudience(write: NodeWrite, pod: ApiObject): Promise<void> {
  const { admission, needs } = write;
  const asked = at(admission.object, 'spec', 'audiences');
  const audiences = Array.isArray(asked) ? asked : [];
  if (audiences.length > 1) throw refusal(admission, 'node may only request 0 or 1 audiences');
  const audience = String(audiences[0] ?? '');
  const missing: string[] = [];
  if (await namesAudience(pod, audience, new Needed(needs.objects, missing))) return;
  if (missing.length > 0) {
    const [first, ...others] = new Set(missing);
    const why = others.length === 0 ? first! : `[${[first, ...others].join(', ')}]`;
    throw refusal(admission, `error validating audience ${goQuote(audience)}: ${why}`);
  }
  const { user, name, definition } = admission.request;
  const verb = 'request-serviceaccounts-token-audience';
  const { allowed, error = '' } = await permission(write, { verb, resource: audience, name });
  if (allowed) return;
  const isNew = isSince(definition, 37);
  const before = isNew ? '' : `audience ${goQuote(audience)} not found in pod spec volume, `;
  const which = isNew ? `audience ${goQuote(audience)}` : 'this audience';
  if (error === '') throw refusal(admission, `${before}${user.name} is not authorized to request tokens for ${which}`);
  throw refusal(admission, `${before}error authorizing ${user.name} to request tokens for ${which}: ${error}`);
}

/** Looks up objects that the volumes of a pod name, and notes those that do not exist. */
class Needed {
  readonly #objects: ObjectLookup;
  readonly #missing: string[];

  constructor(objects: ObjectLookup, missing: string[]) {
    this.#objects = objects;
    this.#missing = missing;
  }

  async find(kind: ResourceName, namespace: string, name: string): Promise<ApiObject | undefined> {
    const found = name === '' ? undefined : await this.#objects.find(kind, namespace, name);
    const singular = kind.resource.slice(0, -1);
    const type = kind.group === '' ? singular : `${singular}.${kind.group}`;
    if (found === undefined) this.lacks(`${type} ${goQuote(name)} not found`);
    return found;
  }

  /** Notes why a driver is unknown. */
  lacks(why: string): void {
    this.#missing.push(why);
  }
}

/** Whether a volume of the pod has a token for the audience, or a CSI driver that receives one. */
async function namesAudience(pod: ApiObject, audience: string, needed: Needed): Promise<boolean> {
  for (const volume of objectsAt(objectAt(pod, 'spec'), 'volumes')) {
    const sources = objectsAt(objectAt(volume, 'projected'), 'sources');
    const tokens = sources.map((source) => objectAt(source, 'serviceAccountToken'));
    if (tokens.some((token) => token !== undefined && textAt(token, 'audience') === audience)) return true;
    const driver = await driverOf(pod, volume, needed);
    if (driver === '') continue;
    const found = await needed.find(DRIVERS, '', driver);
    const requests = objectsAt(objectAt(found, 'spec'), 'tokenRequests');
    if (requests.some((request) => textAt(request, 'audience') === audience)) return true;
  }
  return false;
}

/** The CSI driver of a volume; '' if there is none or it is unknown. */
async function driverOf(pod: ApiObject, volume: JsonObject, needed: Needed): Promise<string> {
  const own = textAt(volume, 'csi', 'driver');
  if (own !== '') return own;
  const name = claimOfVolume(pod, volume);
  if (name === '') return driverIn(migratedVolume(volume), needed);
  const claim = await needed.find(CLAIMS, pod.metadata.namespace ?? '', name);
  if (claim === undefined) return '';
  const found = await needed.find(VOLUMES, '', textAt(claim, 'spec', 'volumeName'));
  return textAt(found, 'spec', 'csi', 'driver') || driverIn(migratedPersistentVolume(objectAt(found, 'spec')), needed);
}

function driverIn(migrated: ReturnType<typeof migratedVolume>, needed: Needed): string {
  if (migrated === undefined) return '';
  if ('driver' in migrated) return migrated.driver;
  needed.lacks(migrated.fault);
  return '';
}
