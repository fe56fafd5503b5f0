// kube-apiserver's layout of keys and encoding of values in etcd, so that both servers can share one. The store and the
// watch cache use JSON of the storage version; this file converts it to what kube-apiserver would have written, and
// back.

import { Buffer } from 'node:buffer';
import { parseCbor } from '../../api/cbor-reader.ts';
import { CborWriter } from '../../api/cbor-writer.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { parseJson } from '../../api/json-reader.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import { readEnvelope, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { CustomResourceDefinition as StoredDefinition } from '../../resources/builtin/apiextensions/v1beta1.ts';
import { findBuiltinType } from '../../resources/builtin/types.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { definitionFromV1beta1, definitionToV1beta1 } from '../../resources/custom/definition-v1beta1.ts';
import type { ResourceDefinition, ServedVersion, StrategyContext } from '../../resources/definition.ts';
import { JSON_GROUPS } from '../../resources/json-groups.ts';
import { type RemovedVersion, removedVersions } from '../../resources/removed/removed-versions.ts';
import { decodeObject } from '../../schema/decode.ts';
import { goJson, sortedGoJson } from '../../schema/go-json.ts';
import type { StructNode } from '../../schema/node.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import type { ValueFormat } from '../../store/etcd/value-format.ts';
import { assertInClear } from '../../store/value-transformer.ts';
import { toStorage } from '../../verbs/decode-body.ts';
import { encodeObject } from '../../verbs/stored-form.ts';

interface KubernetesFormatOptions {
  readonly catalog: Catalog;
  /** The prefix of all keys, with a leading slash and without a trailing one. */
  readonly prefix: string;
  /** `application/vnd.kubernetes.protobuf`, or `application/json` for kinds that support both. */
  readonly mediaType: string;
  /** Whether custom objects are stored in CBOR: the gate CBORServingAndStorage. Both encodings are read. */
  readonly cbor: boolean;
  readonly eventTtlSeconds: number;
  /** The decoded object of these bytes, if known; shared, must not be modified. */
  readonly known: (bytes: Buffer) => ApiObject | undefined;
  readonly rules: () => StrategyContext;
}

/** The prefix of the store's keys, whatever their prefix in etcd. */
const ROOT = '/registry';
const EVENTS = `${ROOT}/events/`;
const MASTER_LEASES = `${ROOT}/masterleases/`;
const MASTER_LEASE_SECONDS = 15;
/** Keys that are not objects. */
const OWN_KEYS = '/keelson/';
const FIRST_OF_PROTOBUF = 0x6b;
const OPEN_BRACE = 0x7b;
/** The tag at the beginning of CBOR. */
const SELF_DESCRIBED = [0xd9, 0xd9, 0xf7];

interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

export class KubernetesFormat implements ValueFormat {
  readonly #options: KubernetesFormatOptions;
  readonly #out = new ProtobufWriter();
  #definitions: { generation: number; byPrefix: Map<string, ResourceDefinition> } | undefined;

  constructor(options: KubernetesFormatOptions) {
    this.#options = options;
  }

  keyInEtcd(key: string): string {
    return this.#options.prefix + key.slice(ROOT.length);
  }

  keyOf(etcdKey: string): string | undefined {
    const rest = etcdKey.slice(this.#options.prefix.length);
    return rest.startsWith(OWN_KEYS) ? undefined : ROOT + rest;
  }

  prefixInEtcd(prefix: string): string {
    return this.keyInEtcd(prefix === '' ? ROOT : prefix);
  }

  ttlSeconds(key: string): number | undefined {
    if (key.startsWith(EVENTS)) return this.#options.eventTtlSeconds;
    return key.startsWith(MASTER_LEASES) ? MASTER_LEASE_SECONDS : undefined;
  }

  write(_key: string, value: Buffer): Uint8Array {
    const object = this.#options.known(value) ?? (parseJson(value) as ApiObject);
    const names = namesIn(value);
    const version = parseApiVersion(names.apiVersion);
    const type = version && findBuiltinType(version.group, version.version, names.kind);
    const { resourceVersion: _resourceVersion, selfLink: _selfLink, ...metadata } = object.metadata;
    const plain: ApiObject = { ...object, ...names, metadata };
    if (type === undefined) return this.#options.cbor ? cborOf(plain) : Buffer.from(sortedGoJson(plain));
    if (names.kind === 'CustomResourceDefinition') return structJson(StoredDefinition, definitionToV1beta1(plain));
    if (this.#options.mediaType === 'application/json' || JSON_GROUPS.includes(version?.group ?? '')) {
      return structJson(type, plain);
    }
    this.#out.clear();
    writeEnvelope(this.#out, names, () => encodeProtobuf(type, plain, this.#out));
    return this.#out.bytes();
  }

  read(key: string, stored: Buffer): Buffer {
    const { object, names, custom } = decoded(stored);
    if (custom) return encodeObject(names, object);
    const definition = this.#definitionOf(key);
    if (definition === undefined) return encodeObject(names, object);
    const inStorage = this.#upToDate(definition, names, object);
    return encodeObject(inStorage as ApiObject & TypeNames, inStorage);
  }

  /** Objects stored in another version are converted to the current one; defaults are applied as in any read. */
  #upToDate(definition: ResourceDefinition, names: TypeNames, object: ApiObject): ApiObject {
    const { group, storage, versions, strategy } = definition;
    const isStorage = names.apiVersion === groupVersion(storage.group, storage.version);
    const served =
      versions.find(({ version }) => names.apiVersion === groupVersion(group, version)) ??
      removedVersion(names)?.served;
    const asItIs: ServedVersion = { ...storage, conversion: undefined, enabledByDefault: true };
    const version = isStorage ? asItIs : (served ?? asItIs);
    const rules = this.#options.rules();
    const current = toStorage({ definition, version }, object, rules);
    strategy.defaultsOnRead?.(current, rules);
    return current;
  }

  #definitionOf(key: string): ResourceDefinition | undefined {
    const { catalog } = this.#options;
    if (this.#definitions?.generation !== catalog.generation) {
      const byPrefix = new Map(catalog.definitions.map((each) => [each.storagePrefix, each] as const));
      this.#definitions = { generation: catalog.generation, byPrefix };
    }
    const { byPrefix } = this.#definitions;
    const [, root = '', first = '', second = ''] = key.split('/', 4);
    return byPrefix.get(`/${root}/${first}/${second}`) ?? byPrefix.get(`/${root}/${first}`);
  }
}

function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

function structJson(type: StructNode, object: ApiObject): Buffer {
  return Buffer.from(goJson(type, object));
}

function cborOf(object: ApiObject): Buffer {
  const out = new CborWriter();
  out.selfDescribed();
  out.value(object as Json);
  return Buffer.from(out.view());
}

const NAMES = /^\{"kind":"([^"\\]*)","apiVersion":"([^"\\]*)"/;
/** The longest kind and version. */
const LONGEST_NAMES = 512;

/** The beginning of the store's values. */
function namesIn(value: Buffer): TypeNames {
  const parts = NAMES.exec(value.toString('latin1', 0, LONGEST_NAMES));
  return { kind: parts?.[1] ?? '', apiVersion: parts?.[2] ?? '' };
}

interface Decoded {
  readonly object: ApiObject;
  readonly names: TypeNames;
  /** Values without a built-in type. */
  readonly custom: boolean;
}

/** @throws Error for bytes that are not an object in a known encoding */
function decoded(stored: Buffer): Decoded {
  if (stored[0] === FIRST_OF_PROTOBUF) {
    assertInClear(stored);
    return decodedProtobuf(stored);
  }
  if (stored[0] === OPEN_BRACE) return decodedJson(stored);
  if (SELF_DESCRIBED.every((byte, index) => stored[index] === byte)) {
    return decodedJsonObject(parseCbor(stored) as unknown as ApiObject);
  }
  throw new Error('no kind "" is registered: the value is neither protobuf nor JSON nor CBOR');
}

function decodedProtobuf(stored: Buffer): Decoded {
  const { apiVersion, kind, raw } = readEnvelope(stored);
  const names = { apiVersion, kind };
  const type = typeOf(names);
  if (type === undefined) throw unknownKind(names);
  return { object: { ...names, ...decodeProtobuf(type, raw) } as ApiObject, names, custom: false };
}

function decodedJson(stored: Buffer): Decoded {
  const value = parseJson(stored) as ApiObject;
  const { apiVersion = '', kind = '' } = value as Partial<TypeNames>;
  if (kind === 'CustomResourceDefinition' && apiVersion === 'apiextensions.k8s.io/v1beta1') {
    return decodedJsonObject({ ...definitionFromV1beta1(value) });
  }
  return decodedJsonObject(value);
}

function decodedJsonObject(value: ApiObject): Decoded {
  const { apiVersion = '', kind = '' } = value as Partial<TypeNames>;
  const names = { apiVersion, kind };
  const type = typeOf(names);
  if (type === undefined) return { object: value, names, custom: true };
  return { object: { ...names, ...decodeObject(type, value).value } as ApiObject, names, custom: false };
}

function typeOf(names: TypeNames): StructNode | undefined {
  const version = parseApiVersion(names.apiVersion);
  if (version === undefined) return undefined;
  return findBuiltinType(version.group, version.version, names.kind) ?? removedVersion(names)?.served.schema;
}

/** A version that is not served any more: older releases stored objects in it. */
function removedVersion({ apiVersion, kind }: TypeNames): RemovedVersion | undefined {
  return removedVersions.find(
    ({ group, served, kind: name }) => name === kind && apiVersion === groupVersion(group, served.version),
  );
}

function unknownKind({ apiVersion, kind }: TypeNames): Error {
  return new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
}
