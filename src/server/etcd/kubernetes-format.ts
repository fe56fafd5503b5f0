// kube-apiserver's layout of keys and encoding of values in etcd, so that both servers can share one. The store and the
// watch cache use JSON of the storage version; this file converts it to what kube-apiserver would have written, and
// back.

import { Buffer } from 'node:buffer';
import { type GroupVersion, parseApiVersion } from '../../api/group-version.ts';
import { parseJson } from '../../api/json-reader.ts';
import type { ApiObject } from '../../api/object.ts';
import { readEnvelope, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { CustomResourceDefinition as StoredDefinition } from '../../resources/builtin/apiextensions/v1beta1.ts';
import { findBuiltinType, newestBuiltinType } from '../../resources/builtin/types.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { definitionFromV1beta1, definitionToV1beta1 } from '../../resources/custom/definition-v1beta1.ts';
import type { ResourceDefinition, ServedVersion, StrategyContext } from '../../resources/definition.ts';
import { JSON_GROUPS } from '../../resources/json-groups.ts';
import { type RemovedVersion, removedVersions } from '../../resources/removed/removed-versions.ts';
import { olderStorageVersion } from '../../resources/storage-version-hash.ts';
import { decodeObject } from '../../schema/decode.ts';
import { goJson, sortedGoJson } from '../../schema/go-json.ts';
import type { StructNode } from '../../schema/node.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import type { ValueFormat } from '../../store/etcd/value-format.ts';
import { assertInClear } from '../../store/value-transformer.ts';
import { toStorage } from '../../verbs/decode-body.ts';
import { encodeObject } from '../../verbs/stored-form.ts';
import { isCbor, readCbor, writeCbor } from './stored-cbor.ts';

interface KubernetesFormatOptions {
  readonly catalog: Catalog;
  /** The prefix of all keys, with a leading slash and without a trailing one. */
  readonly prefix: string;
  /** `application/vnd.kubernetes.protobuf`, or `application/json` for kinds that support both. */
  readonly mediaType: string;
  readonly eventTtlSeconds: number;
  /** The decoded object of these bytes, if known; shared, must not be modified. */
  readonly known: (bytes: Buffer) => ApiObject | undefined;
  readonly rules: () => StrategyContext;
  /** The oldest minor version of Kubernetes 1 that must be able to read what is written. */
  readonly minCompatibilityMinor: number;
}

/** The prefix of the store's keys, whatever their prefix in etcd. */
const ROOT = '/registry';
const EVENTS = `${ROOT}/events/`;
/** Entries that servers keep alive. */
const ADDRESSES = [`${ROOT}/masterleases/`, `${ROOT}/peerserverleases/`];
const ADDRESS_SECONDS = 15;
/** Keys that are not objects. */
const OWN_KEYS = '/keelson/';
const FIRST_OF_PROTOBUF = 0x6b;
const OPEN_BRACE = 0x7b;

interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

export class KubernetesFormat implements ValueFormat {
  readonly #options: KubernetesFormatOptions;
  readonly #out = new ProtobufWriter();
  #definitions: { generation: number; byPrefix: Map<string, ResourceDefinition> } | undefined;
  /** Versions in which objects are written instead of the storage version, by prefix. */
  readonly #older: ReadonlyMap<string, ServedVersion>;

  constructor(options: KubernetesFormatOptions) {
    this.#options = options;
    this.#older = olderVersions(options);
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
    return ADDRESSES.some((folder) => key.startsWith(folder)) ? ADDRESS_SECONDS : undefined;
  }

  write(key: string, value: Buffer): Uint8Array {
    const older = this.#older.size === 0 ? undefined : this.#older.get(prefixOf(key, this.#older));
    if (older !== undefined) return this.#writeAs(older, value);
    const object = this.#options.known(value) ?? (parseJson(value) as ApiObject);
    const names = namesIn(value);
    const version = parseApiVersion(names.apiVersion);
    const type = version && builtinType(version, names.kind, this.#options.catalog.minor);
    return this.#written(object, names, type);
  }

  /** A value in another version. */
  #writeAs({ version, schema, conversion }: ServedVersion, value: Buffer): Uint8Array {
    const { kind, apiVersion } = namesIn(value);
    const group = parseApiVersion(apiVersion)?.group ?? '';
    // Conversions modify their arguments.
    const object = parseJson(value) as ApiObject;
    return this.#written(
      conversion?.fromStorage(object) ?? object,
      { kind, apiVersion: groupVersion(group, version) },
      schema,
    );
  }

  #written(object: ApiObject, names: TypeNames, type: StructNode | undefined): Uint8Array {
    const version = parseApiVersion(names.apiVersion);
    const { resourceVersion: _resourceVersion, selfLink: _selfLink, ...metadata } = object.metadata;
    const plain: ApiObject = { ...object, ...names, metadata };
    if (type === undefined) return this.#writeCustom(plain);
    if (names.kind === 'CustomResourceDefinition') return structJson(StoredDefinition, definitionToV1beta1(plain));
    if (this.#options.mediaType === 'application/json' || JSON_GROUPS.includes(version?.group ?? '')) {
      return structJson(type, plain);
    }
    this.#out.clear();
    writeEnvelope(this.#out, names, () => encodeProtobuf(type, plain, this.#out));
    return this.#out.bytes();
  }

  /** CBOR behind its gate, unless the object is too large for readers of that. */
  #writeCustom(object: ApiObject): Uint8Array {
    const inCbor = this.#options.rules().gateEnabled('CBORServingAndStorage') ? writeCbor(object) : undefined;
    return inCbor ?? Buffer.from(sortedGoJson(object));
  }

  read(key: string, stored: Buffer): Buffer {
    const { object, names, custom } = decoded(stored, this.#options.catalog.minor);
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
    return byPrefix.get(prefixOf(key, byPrefix));
  }
}

/** The prefix of a key: of the two that it may have, the one that is known. */
function prefixOf(key: string, known: ReadonlyMap<string, unknown>): string {
  const [, root = '', first = '', second = ''] = key.split('/', 4);
  const long = `/${root}/${first}/${second}`;
  return known.has(long) ? long : `/${root}/${first}`;
}

function olderVersions({
  catalog,
  minCompatibilityMinor,
}: KubernetesFormatOptions): ReadonlyMap<string, ServedVersion> {
  const older = new Map<string, ServedVersion>();
  for (const definition of catalog.definitions) {
    const { group, storage, storagePrefix, versions } = definition;
    const wanted = olderStorageVersion(definition, minCompatibilityMinor);
    if (wanted === undefined) continue;
    const names = { kind: storage.kind, apiVersion: groupVersion(group, wanted) };
    const version = versions.find((each) => each.version === wanted) ?? removedVersion(names)?.served;
    if (version !== undefined) older.set(storagePrefix, version);
  }
  return older;
}

function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

function structJson(type: StructNode, object: ApiObject): Buffer {
  return Buffer.from(goJson(type, object));
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
function decoded(stored: Buffer, minor: number): Decoded {
  if (stored[0] === FIRST_OF_PROTOBUF) {
    assertInClear(stored);
    return decodedProtobuf(stored, minor);
  }
  if (stored[0] === OPEN_BRACE) return decodedJson(stored, minor);
  if (isCbor(stored)) return decodedJsonObject(readCbor(stored) as ApiObject, minor);
  throw new Error('no kind "" is registered: the value is neither protobuf nor JSON nor CBOR');
}

function decodedProtobuf(stored: Buffer, minor: number): Decoded {
  const { apiVersion, kind, raw } = readEnvelope(stored);
  const names = { apiVersion, kind };
  const type = typeOf(names, minor);
  if (type === undefined) throw unknownKind(names);
  return { object: { ...names, ...decodeProtobuf(type, raw) } as ApiObject, names, custom: false };
}

function decodedJson(stored: Buffer, minor: number): Decoded {
  const value = parseJson(stored) as ApiObject;
  const { apiVersion = '', kind = '' } = value as Partial<TypeNames>;
  if (kind === 'CustomResourceDefinition' && apiVersion === 'apiextensions.k8s.io/v1beta1') {
    return decodedJsonObject({ ...definitionFromV1beta1(value) }, minor);
  }
  return decodedJsonObject(value, minor);
}

function decodedJsonObject(value: ApiObject, minor: number): Decoded {
  const { apiVersion = '', kind = '' } = value as Partial<TypeNames>;
  const names = { apiVersion, kind };
  const type = typeOf(names, minor);
  if (type === undefined) return { object: value, names, custom: true };
  return { object: { ...names, ...decodeObject(type, value).value } as ApiObject, names, custom: false };
}

function typeOf(names: TypeNames, minor: number): StructNode | undefined {
  const version = parseApiVersion(names.apiVersion);
  if (version === undefined) return undefined;
  return builtinType(version, names.kind, minor) ?? removedVersion(names)?.served.schema;
}

/** The type of the release, which is what its kube-apiserver would read and write; of another one where it has none. */
function builtinType({ group, version }: GroupVersion, kind: string, minor: number): StructNode | undefined {
  return findBuiltinType(group, version, kind, minor) ?? newestBuiltinType(group, version, kind);
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
