// The form that a value has in messages which quote a whole object: that of Kubernetes' internal types, which are those of
// the API without JSON names, so that all fields are there under Go's names, in Go's order. Types of meta/v1 have JSON
// names in both. The facts are from the types of kubernetes/pkg/apis.

import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { lookup } from '../base/lookup.ts';
import type { Field, Node, StructNode } from './node.ts';

/**
 * @param type of the value in the API
 * @param value in its canonical form
 */
export function internalForm(type: StructNode, value: JsonObject): JsonObject {
  const form: JsonObject = {};
  for (const [name, field] of fieldsOf(type)) addField(form, { name, field, owner: type, value });
  return form;
}

interface Place {
  readonly name: string;
  readonly field: Field;
  readonly owner: StructNode;
  readonly value: JsonObject;
}

function addField(form: JsonObject, { name, field, owner, value }: Place): void {
  const member = ownMember(value, name) as Json | undefined;
  // Metadata within an object is embedded.
  if (isMetadata(field.node)) Object.assign(form, namedForm(field.node, member ?? {}));
  else form[goName(owner, name)] = fieldForm(field, member, movedInto(owner, name, value));
}

function isMetadata(node: Node): boolean {
  return node.kind === 'struct' && node.name === 'meta/v1.ObjectMeta';
}

function fieldForm({ node, pointer, name }: Field, value: Json | undefined, moved: JsonObject | undefined): Json {
  if (moved !== undefined && node.kind === 'struct') return securityContext(node, { ...objectOf(value), ...moved });
  if (value !== undefined && value !== null) return formOf(node, value);
  if (node.kind === 'struct') return pointer ? null : formOf(node, {});
  return pointer && name !== VALUE_INSIDE ? null : (ZEROS[node.kind] ?? null);
}

/** A pointer in the API only (ServiceAccountTokenProjection); it is always set. */
const VALUE_INSIDE = 'expirationSeconds';

const ZEROS: Readonly<Record<string, Json>> = lookup({
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
});

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function formOf(node: Node, value: Json): Json {
  if (node.kind === 'list' && Array.isArray(value)) return value.map((item) => formOf(node.items, item));
  if (node.kind === 'map' && isObject(value)) {
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((name) => [name, formOf(node.values, ownMember(value, name) as Json)]));
  }
  if (node.kind !== 'struct' || !isObject(value)) return value;
  return node.name.startsWith('meta/v1.') ? namedForm(node, value) : internalForm(node, value);
}

/** With JSON names, in the order of the type. */
function namedForm(node: Node, value: Json): Json {
  if (node.kind === 'list' && Array.isArray(value)) return value.map((item) => namedForm(node.items, item));
  if (node.kind === 'map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  }
  if (node.kind !== 'struct' || !isObject(value)) return value;
  const form: JsonObject = {};
  for (const [name, field] of node.jsonFields) {
    const member = ownMember(value, name) as Json | undefined;
    if (member !== undefined && member !== null) form[name] = namedForm(field.node, member);
  }
  return form;
}

/** The fields of a PodSpec that are in its security context internally. */
const OF_HOST = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** What is held in this field although the API has it beside it. */
function movedInto(owner: StructNode, name: string, value: JsonObject): JsonObject | undefined {
  if (owner.name !== 'core/v1.PodSpec' || name !== 'securityContext') return undefined;
  return Object.fromEntries(OF_HOST.map((each) => [each, (ownMember(value, each) ?? null) as Json]));
}

function securityContext(type: StructNode, value: JsonObject): JsonObject {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, ...rest } = value;
  return {
    HostNetwork: hostNetwork ?? false,
    HostPID: hostPID ?? false,
    HostIPC: hostIPC ?? false,
    ShareProcessNamespace: shareProcessNamespace ?? null,
    HostUsers: hostUsers ?? null,
    ...internalForm(type, rest),
  };
}

/** Fields that stand behind another one, by the names of both. */
const MOVED: Readonly<Record<string, readonly (readonly [field: string, behind: string])[]>> = lookup({
  'core/v1.PodSpec': [
    ['setHostnameAsFQDN', 'subdomain'],
    ['preemptionPolicy', 'priority'],
    ['overhead', 'runtimeClassName'],
  ],
  'core/v1.VolumeSource': [['quobyte', 'rbd']],
  'core/v1.Volume': [['quobyte', 'rbd']],
  'core/v1.PodSecurityContext': [['fsGroupChangePolicy', 'fsGroup']],
  'core/v1.PersistentVolumeSource': [
    ['quobyte', 'rbd'],
    ['flexVolume', 'iscsi'],
  ],
});
/** Fields that internal types do not have, or in another place. */
const ABSENT: ReadonlySet<string> = new Set(['serviceAccount', ...OF_HOST]);

/** The fields in the order of the internal type. */
function fieldsOf(type: StructNode): [string, Field][] {
  const isPodSpec = type.name === 'core/v1.PodSpec';
  const fields = [...type.jsonFields].filter(([name]) => !isPodSpec || !ABSENT.has(name));
  for (const [name, behind] of ownMember(MOVED, type.name) ?? []) {
    const from = fields.findIndex(([each]) => each === name);
    if (from < 0) continue;
    const [field] = fields.splice(from, 1);
    fields.splice(fields.findIndex(([each]) => each === behind) + 1, 0, field as [string, Field]);
  }
  return fields;
}

const INITIALS =
  /^(?:api|uid|dns|os|gce|aws|nfs|iscsi|rbd|csi|cel|fc|fs|iqn|http|tcp|grpc|tty|se|gmsa|ssl|ip|ttl)(?=[A-Z]|$)/;

/** Names of fields in Go that do not follow from those in JSON. */
const NAMES: Readonly<Record<string, string>> = lookup({
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  pdName: 'PDName',
  wwids: 'WWIDs',
  chapAuthDiscovery: 'DiscoveryCHAPAuth',
  chapAuthSession: 'SessionCHAPAuth',
});
const OF_RBD = { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' };
const NAMES_IN = lookup<Readonly<Record<string, string>>>({
  'core/v1.GlusterfsVolumeSource': { endpoints: 'EndpointsName' },
  'core/v1.GlusterfsPersistentVolumeSource': { endpoints: 'EndpointsName' },
  'core/v1.RBDVolumeSource': OF_RBD,
  'core/v1.RBDPersistentVolumeSource': OF_RBD,
  'core/v1.AzureDiskVolumeSource': { diskURI: 'DataDiskURI' },
  'resource/v1.DeviceAttribute': { int: 'IntValue', bool: 'BoolValue', string: 'StringValue', version: 'VersionValue' },
});

function goName({ name: type }: StructNode, name: string): string {
  const own = ownMember(ownMember(NAMES_IN, type) ?? {}, name) ?? ownMember(NAMES, name);
  if (own !== undefined) return own;
  const initials = INITIALS.exec(name)?.[0] ?? name.slice(0, 1);
  return `${initials.toUpperCase()}${name.slice(initials.length)}`;
}
