// kube-apiserver's layout of keys and encoding of values in etcd, so that both servers can share one. The store and the
// watch cache use JSON of the storage version; this file converts it to what kube-apiserver would have written, and
// back.

import { Buffer } from 'node:buffer';
import { parseApiVersion } from '../../api/group-version.ts';
import { parseJson } from '../../api/json-reader.ts';
import type { ApiObject } from '../../api/object.ts';
import { writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { CustomResourceDefinition as StoredDefinition } from '../../resources/builtin/apiextensions/v1beta1.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { definitionToV1beta1 } from '../../resources/custom/definition-v1beta1.ts';
import type { ServedVersion, StrategyContext } from '../../resources/definition.ts';
import { JSON_GROUPS } from '../../resources/json-groups.ts';
import { olderStorageVersion } from '../../resources/storage-version-hash.ts';
import { goJson, sortedGoJson } from '../../schema/go-json.ts';
import type { StructNode } from '../../schema/node.ts';
import { keepsTexts, noteTexts } from '../../schema/opaque-text.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import type { ValueFormat } from '../../store/etcd/value-format.ts';
import { builtinType, groupVersion, prefixOf, removedVersion, StoredReader, type TypeNames } from '../stored-reader.ts';
import { writeCbor } from './stored-cbor.ts';

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

export class KubernetesFormat implements ValueFormat {
  readonly #options: KubernetesFormatOptions;
  readonly #reader: StoredReader;
  readonly #out = new ProtobufWriter();
  /** Versions in which objects are written instead of the storage version, by prefix. */
  readonly #older: ReadonlyMap<string, ServedVersion>;

  constructor(options: KubernetesFormatOptions) {
    this.#options = options;
    this.#reader = new StoredReader(options);
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
    const names = namesIn(value);
    const version = parseApiVersion(names.apiVersion);
    const type = version && builtinType(version, names.kind, this.#options.catalog.minor);
    return this.#written(this.#options.known(value) ?? objectOf(value, type), names, type);
  }

  /** A value in another version. */
  #writeAs({ version, schema, conversion }: ServedVersion, value: Buffer): Uint8Array {
    const { kind, apiVersion } = namesIn(value);
    // Conversions modify their arguments.
    const current = parseApiVersion(apiVersion);
    const object = objectOf(value, current && builtinType(current, kind, this.#options.catalog.minor));
    return this.#written(
      conversion?.fromStorage(object) ?? object,
      { kind, apiVersion: groupVersion(current?.group ?? '', version) },
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
    return this.#reader.read(key, stored);
  }
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

function objectOf(value: Buffer, type: StructNode | undefined): ApiObject {
  const object = parseJson(value) as ApiObject;
  if (keepsTexts(value)) noteTexts(type, value.toString('utf8'), object);
  return object;
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
