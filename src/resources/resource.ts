// Builder for declarations of built-in resources: supplies what most resources have in common, so that a declaration
// contains only what is specific.

import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { CURRENT_MINOR, RELEASES } from '../lifecycle/version.ts';
import { typeInRelease } from '../schema/declared-struct.ts';
import type { Field, StructNode } from '../schema/node.ts';
import { anyBuiltinType, builtinType, findBuiltinType } from './builtin/types.ts';
import { typedCodec } from './codec.ts';
import type {
  Conversion,
  ForeignVersion,
  KindRules,
  ResourceDefinition,
  ServedVersion,
  Strategy,
  Subresource,
  TableColumns,
  Verb,
} from './definition.ts';
import type { NumberAnnotation } from './number-annotation.ts';

const ALL_VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const NO_DELETE_COLLECTION = ALL_VERBS.filter((verb) => verb !== 'deletecollection');

/** A value that has changed: the present one by the minor release of Kubernetes 1 from which on it holds. */
type ByRelease<T> = T | Since<T>;
type Since<T> = Readonly<Record<number, T>>;

/** A declared subresource: by default it has the resource's own kind. */
interface SubresourceInit {
  /** The first minor release that has it. */
  readonly since?: number;
  readonly verbs: readonly string[];
  /** `PodExecOptions` in the resource's own group and version, or `autoscaling/v1/Scale`. */
  readonly kind?: string;
  readonly tables?: boolean;
  /** The gate without which it is not served. */
  readonly gate?: FeatureGateName;
  /** How errors name the resource of a missing object, and the last minor release in which they do. */
  readonly missingAs?: { readonly name: string; readonly until: number };
}

/** Common subresources. */
export const own: SubresourceInit = { verbs: ['get', 'patch', 'update'] };
export const ownWithoutTables: SubresourceInit = { ...own, tables: false };
export const scale: SubresourceInit = { verbs: ['get', 'patch', 'update'], kind: 'autoscaling/v1/Scale' };
export const PROXY_VERBS: readonly string[] = ['create', 'delete', 'get', 'patch', 'update'];

interface ResourceInit<T = ApiObject> {
  readonly resource: string;
  readonly kind: string;
  /** The version of which discovery has the hash, if that is not the storage version. */
  readonly hashedVersion?: ByRelease<string>;
  /** Cluster-scoped. */
  readonly cluster?: true;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** All eight by default; `noCollectionDelete` for all except deletecollection. */
  readonly verbs?: readonly Verb[] | 'noCollectionDelete';
  readonly subresources?: Readonly<Record<string, SubresourceInit>>;
  /** The served versions, if they differ from the group's; those that a release lacks are left out there. */
  readonly versions?: ByRelease<readonly string[]>;
  /** The storage version, if it is not the first version; `group/version` if it belongs to another group. */
  readonly storage?: ByRelease<string>;
  /** Its objects expire. */
  readonly expires?: true;
  /** The part of the storage key after `/registry/`, if it is not the resource's name. */
  readonly prefix?: string;
  /** Conversions of the versions that differ from the storage version, by release where they have changed. */
  readonly conversions?: Readonly<Record<string, Conversion | ((minor: number) => Conversion)>>;
  /** The versions of the same objects in other groups, with their conversions. */
  readonly alsoIn?: Readonly<Record<string, Conversion | undefined>>;
  /** Its rules, by release where their form has changed. */
  readonly strategy?: KindRules<T> | ((minor: number) => KindRules<T>);
  /** Gates whose fields its objects keep although the gates are disabled. */
  readonly keptGates?: readonly string[];
  /** An annotation that Kubernetes holds as a number. */
  readonly numberAnnotation?: NumberAnnotation;
  /** Its columns, by release where they have changed. */
  readonly table?: TableColumns<T> | ((minor: number) => TableColumns<T> | undefined);
}

const COMMON_STRATEGY: Strategy = {
  nameRule: 'subdomain',
  createOnUpdate: false,
  unconditionalUpdate: true,
};

/**
 * A function that declares resources of one group. Its type argument is the type of objects in their storage version,
 * derived from the declaration of the kind: strategies and columns use it. This is sound although other code treats
 * objects as JSON, because strategies only receive objects that the decoder has read by the same declaration: each
 * present field has its type, and all fields are optional in the type.
 *
 * @param versions The group's versions in order of preference; the storage version is the first by default.
 */
export function group(
  group: string,
  ...versions: string[]
): <T = ApiObject>(init: ResourceInit<T>) => ResourceDefinition {
  return (init) => {
    const { versions: own = versions } = init;
    const inRelease = (minor: number) => {
      const named = isList(own) ? own : valueSince(own, minor);
      return resourceIn({ group, named, init: init as ResourceInit, minor });
    };
    const current = inRelease(CURRENT_MINOR);
    const definition = current ?? RELEASES.flatMap(({ minor }) => inRelease(minor) ?? [])[0];
    if (definition === undefined) throw new Error(`no known release has ${init.resource}.${group}`);
    return { ...definition, inRelease: (minor) => (minor === CURRENT_MINOR ? current : inRelease(minor)) };
  };
}

/** The definition in a minor release; undefined if it has no such kind. */
function resourceIn(place: VersionPlace & { readonly named: readonly string[] }): ResourceDefinition | undefined {
  const { group, named, init, minor } = place;
  const versions = named.filter((version) => findBuiltinType(group, version, init.kind, minor) !== undefined);
  if (versions.length === 0) return undefined;
  const parts = subresources(init, minor);
  const storage = storageVersion({ group, first: versions[0] ?? '', init, minor });
  const verbs = init.verbs === 'noCollectionDelete' ? NO_DELETE_COLLECTION : (init.verbs ?? ALL_VERBS);
  return {
    group,
    resource: init.resource,
    singular: init.singular ?? init.kind.toLowerCase(),
    kind: init.kind,
    listKind: `${init.kind}List`,
    namespaced: init.cluster !== true,
    shortNames: init.shortNames ?? [],
    categories: init.categories ?? [],
    verbs,
    hashedStorage: verbs.includes('watch')
      ? hashedStorage(storage, init.hashedVersion && valueIn(init.hashedVersion, minor))
      : '',
    storagePrefix: `/registry/${init.prefix ?? init.resource}`,
    versions: versions.map((version) => servedVersion({ group, version, init, minor })),
    alsoIn: init.alsoIn && foreignVersions(init.kind, init.alsoIn, minor),
    storage,
    expires: init.expires,
    subresources: parts,
    strategy: strategy(inRelease(init.strategy, minor), parts, storage.schema),
    keptGates: init.keptGates,
    numberAnnotation: init.numberAnnotation,
    table: inRelease(init.table, minor),
    custom: false,
    codec: typedCodec,
    minor,
  };
}

function hashedStorage({ group, version, kind }: ResourceDefinition['storage'], hashed = version): string {
  return `${group}/${hashed}/${kind}`;
}

function inRelease<T extends object>(
  value: T | ((minor: number) => T | undefined) | undefined,
  minor: number,
): T | undefined {
  return typeof value === 'function' ? value(minor) : value;
}

function isList(value: ByRelease<readonly string[]>): value is readonly string[] {
  return Array.isArray(value);
}

/** What holds in a minor release. */
function valueIn<T extends string>(value: ByRelease<T>, minor: number): T {
  return typeof value === 'string' ? value : valueSince(value as Since<T>, minor);
}

function valueSince<T>(value: Since<T>, minor: number): T {
  const since = Object.keys(value).map(Number);
  const latest = since.filter((each) => each <= minor).at(-1) ?? (since[0] as number);
  return value[latest] as T;
}

/** A version of a resource in a minor release. */
interface VersionPlace {
  readonly group: string;
  readonly init: ResourceInit;
  readonly minor: number;
}

/** The storage version, which an older release may not have: objects are kept in it all the same. */
function storageVersion({ group, first, init, minor }: VersionPlace & { readonly first: string }) {
  const { kind } = init;
  const storage = init.storage === undefined ? first : valueIn(init.storage, minor);
  const slash = storage.indexOf('/');
  const [storageGroup, version] = slash < 0 ? [group, storage] : [storage.slice(0, slash), storage.slice(slash + 1)];
  return {
    group: storageGroup,
    version,
    kind,
    schema: typeInRelease(anyBuiltinType(storageGroup, version, kind), minor),
  };
}

function servedVersion(place: VersionPlace & { readonly version: string }): ServedVersion {
  const { group, version, minor } = place;
  const { kind, conversions } = place.init;
  return {
    version,
    schema: builtinType(group, version, kind, minor),
    conversion:
      conversions !== undefined && Object.hasOwn(conversions, version)
        ? inRelease(conversions[version], minor)
        : undefined,
    enabledByDefault: !/alpha|beta/.test(version),
  };
}

function foreignVersions(kind: string, alsoIn: NonNullable<ResourceInit['alsoIn']>, minor: number): ForeignVersion[] {
  return Object.entries(alsoIn).map(([groupVersion, conversion]) => {
    const [group, version] = groupVersion.split('/') as [string, string];
    return { group, version, conversion, schema: builtinType(group, version, kind, minor), enabledByDefault: true };
  });
}

function subresources({ kind, subresources = {} }: ResourceInit, minor: number): Record<string, Subresource> {
  const out: Record<string, Subresource> = {};
  for (const [name, init] of Object.entries(subresources)) {
    if ((init.since ?? 0) > minor) continue;
    const parts = (init.kind ?? kind).split('/');
    const { verbs, tables, gate, missingAs } = init;
    out[name] = {
      verbs,
      group: parts.at(-3) ?? '',
      version: parts.at(-2) ?? '',
      kind: parts.at(-1) ?? '',
      tables,
      gate,
      missingAs: missingAs !== undefined && minor <= missingAs.until ? missingAs.name : undefined,
    };
  }
  return out;
}

function strategy(
  given: KindRules<ApiObject> | undefined,
  subresources: Readonly<Record<string, Subresource>>,
  schema: StructNode,
): Strategy {
  // A release without a subresource needs no rules for it.
  const rules = Object.entries(given?.subresources ?? {}).filter(([name]) => Object.hasOwn(subresources, name));
  if (subresources['status'] === undefined) {
    return { ...COMMON_STRATEGY, ...given, subresources: Object.fromEntries(rules) };
  }
  return {
    ...COMMON_STRATEGY,
    prepareForCreate: (object) => clearStatus(object, schema),
    ...given,
    subresources: { status: {}, ...Object.fromEntries(rules) },
  };
}

/** Sets the empty status of the type: clients do not set the status in a create. */
function clearStatus(object: ApiObject, schema: StructNode): void {
  const field = schema.jsonFields.get('status');
  if (field?.node.kind === 'struct') object['status'] = emptyStruct(field.node);
  else delete object['status'];
}

/** The JSON of an empty struct: required fields with their zero values. */
function emptyStruct(node: StructNode): JsonObject {
  const out: JsonObject = {};
  for (const [name, field] of node.jsonFields) {
    if (field.pointer ? field.omitEmpty : field.omitEmpty && field.node.kind !== 'struct') continue;
    out[name] = field.pointer ? null : zero(field);
  }
  return out;
}

function zero({ node }: Field): Json {
  switch (node.kind) {
    case 'struct':
      return emptyStruct(node);
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}
