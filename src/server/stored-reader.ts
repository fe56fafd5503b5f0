// Readers of stored values, whoever wrote them: kube-apiserver, or a Keelson that served another release of Kubernetes.
// The store and the watch cache use JSON of the storage version of the release that is served.

import type { Buffer } from 'node:buffer';
import { type GroupVersion, parseApiVersion } from '../api/group-version.ts';
import { parseJson } from '../api/json-reader.ts';
import type { ApiObject } from '../api/object.ts';
import { readEnvelope } from '../api/protobuf-envelope.ts';
import { findBuiltinType, newestBuiltinType } from '../resources/builtin/types.ts';
import type { Catalog } from '../resources/catalog.ts';
import { definitionFromV1beta1 } from '../resources/custom/definition-v1beta1.ts';
import type { ResourceDefinition, ServedVersion, StrategyContext } from '../resources/definition.ts';
import { type RemovedVersion, removedVersions } from '../resources/removed/removed-versions.ts';
import { decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { noteTexts } from '../schema/opaque-text.ts';
import { decodeProtobuf } from '../schema/protobuf-decode.ts';
import { assertInClear } from '../store/value-transformer.ts';
import { encodeObject, withOpaqueTexts } from '../verbs/stored-form.ts';
import { toStorage } from '../verbs/version-forms.ts';
import { isCbor, readCbor } from './etcd/stored-cbor.ts';

const FIRST_OF_PROTOBUF = 0x6b;
const OPEN_BRACE = 0x7b;

export interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

export class StoredReader {
  readonly #catalog: Catalog;
  readonly #rules: () => StrategyContext;
  #definitions: { generation: number; byPrefix: Map<string, ResourceDefinition> } | undefined;

  constructor({ catalog, rules }: { readonly catalog: Catalog; readonly rules: () => StrategyContext }) {
    this.#catalog = catalog;
    this.#rules = rules;
  }

  /**
   * A value in the form of the release that is served: without fields that it lacks, with its defaults. Keys are those
   * of the store.
   * @throws Error for bytes that are not an object in a known encoding
   */
  read(key: string, stored: Buffer): Buffer {
    const { object, names, custom } = decoded(stored, this.#catalog.minor);
    if (custom) return encodeObject(names, object);
    const definition = this.#definitionOf(key);
    if (definition === undefined) return encodeObject(names, object);
    const inStorage = this.#upToDate(definition, names, object);
    const bytes = encodeObject(inStorage as ApiObject & TypeNames, inStorage);
    return withOpaqueTexts(definition.codec.typeOf(definition.storage.schema), bytes, inStorage);
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
    const rules = this.#rules();
    const current = toStorage({ definition, version }, object, rules);
    strategy.defaultsOnRead?.(current, rules);
    return current;
  }

  #definitionOf(key: string): ResourceDefinition | undefined {
    const catalog = this.#catalog;
    if (this.#definitions?.generation !== catalog.generation) {
      const byPrefix = new Map(catalog.definitions.map((each) => [each.storagePrefix, each] as const));
      this.#definitions = { generation: catalog.generation, byPrefix };
    }
    const { byPrefix } = this.#definitions;
    return byPrefix.get(prefixOf(key, byPrefix));
  }
}

/** The prefix of a key: of the two that it may have, the one that is known. */
export function prefixOf(key: string, known: ReadonlyMap<string, unknown>): string {
  const [, root = '', first = '', second = ''] = key.split('/', 4);
  const long = `/${root}/${first}/${second}`;
  return known.has(long) ? long : `/${root}/${first}`;
}

export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
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
  const read = decodedJsonObject(value, minor);
  if (!read.custom) noteTexts(typeOf(read.names, minor), stored.toString('utf8'), read.object);
  return read;
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
export function builtinType({ group, version }: GroupVersion, kind: string, minor: number): StructNode | undefined {
  return findBuiltinType(group, version, kind, minor) ?? newestBuiltinType(group, version, kind);
}

/** A version that is not served any more: older releases stored objects in it. */
export function removedVersion({ apiVersion, kind }: TypeNames): RemovedVersion | undefined {
  return removedVersions.find(
    ({ group, served, kind: name }) => name === kind && apiVersion === groupVersion(group, served.version),
  );
}

function unknownKind({ apiVersion, kind }: TypeNames): Error {
  return new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
}
