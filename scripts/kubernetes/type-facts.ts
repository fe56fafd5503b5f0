// Facts about Kubernetes' API types in one release: what struct tags and markers say of each field, in the terms of
// src/schema/node.ts. The rules by which Kubernetes' own generators read markers are here.

import type { GoField, GoPackage, GoPackages, GoType } from './go-sources.ts';

/** Facts about a field; what is absent is false or unknown. */
export interface FieldFacts {
  /** The protobuf number; 0 for none. */
  readonly n: number;
  /** A kind of node, a type `apps/v1.DaemonSetSpec`, or `[]` or `map[string]` before one. */
  readonly type: string;
  readonly pointer?: true;
  readonly omitEmpty?: true;
  readonly omitZero?: true;
  readonly inline?: true;
  readonly required?: true;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly itemsEnum?: readonly string[];
  readonly listType?: string;
  readonly keys?: readonly string[];
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Marked as belonging to these gates, separated by commas. */
  readonly gate?: string;
  readonly discriminator?: true;
  /** A named list type, which is a message in protobuf. */
  readonly named?: true;
  readonly rules?: readonly string[];
  /** A reference to another type without a description or a default. */
  readonly bare?: true;
}

/** Facts about a struct. */
export interface StructFacts {
  /** `apps/v1/Deployment`, for root types. */
  readonly kind?: string;
  readonly mapType?: string;
  /** The members of a union by their discriminator, as OpenAPI publishes them. */
  readonly union?: Union;
  readonly fields: Readonly<Record<string, FieldFacts>>;
}

/** A union, with the field that tells which member is there, if it has one. */
export interface Union {
  readonly discriminator?: string;
  /** Go's names of the members by their names in JSON. */
  readonly members: Readonly<Record<string, string>>;
}

/** Structs by name: `apps/v1.Deployment`. */
export type ReleaseTypes = Readonly<Record<string, StructFacts>>;

const META = 'k8s.io/apimachinery/pkg/apis/meta/v1';

/** Types with a JSON form of their own, and the kinds of nodes for them. */
const OWN_FORMS: Readonly<Record<string, string>> = {
  [`${META}.Time`]: 'time',
  [`${META}.MicroTime`]: 'microTime',
  [`${META}.Duration`]: 'duration',
  [`${META}.FieldsV1`]: 'fields',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'raw',
  'k8s.io/apimachinery/pkg/runtime.Object': 'raw',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON': 'json',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON': 'json',
  'time.Duration': 'int64',
  'interface{}': 'json',
};

/** Go's scalars as kinds of nodes. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  int16: 'int32',
  int32: 'int32',
  uint32: 'int32',
  int64: 'int64',
  uint64: 'int64',
  float64: 'float64',
};

/** Kinds of nodes that OpenAPI refers to by a name. */
const OWN_TYPES: ReadonlySet<string> = new Set(
  Object.values(OWN_FORMS).filter((kind) => !Object.values(SCALARS).includes(kind)),
);

/** Structs that clients never see under their names. */
const HELPERS = /^(?:meta\/v1\.Internal|runtime\.(?!Unknown|TypeMeta))/;

/** The first minor release whose enumerations name a value once that has several constants. */
const NO_REPEATED_VALUES = 30;

/** Returns the structs of all packages of a minor release that have a form in JSON. */
export function typeFacts(packages: GoPackages, minor: number): ReleaseTypes {
  const reader = new Reader(packages, minor);
  const out: Record<string, StructFacts> = {};
  for (const [path, { types }] of Object.entries(packages)) {
    for (const [name, type] of Object.entries(types)) {
      const short = `${shortPath(path)}.${name}`;
      if (type.alias || !/^[A-Z]/.test(name) || HELPERS.test(short) || `${path}.${name}` in OWN_FORMS) continue;
      const facts = reader.struct(path, name);
      if (facts !== undefined) out[short] = facts;
    }
  }
  return out;
}

/** `core/v1` of `k8s.io/api/core/v1`. */
function shortPath(path: string): string {
  return path.endsWith('/runtime') ? 'runtime' : path.split('/').slice(-2).join('/');
}

interface Named {
  readonly path: string;
  readonly name: string;
  readonly type: GoType;
}

class Reader {
  readonly #packages: GoPackages;
  readonly #minor: number;

  constructor(packages: GoPackages, minor: number) {
    this.#packages = packages;
    this.#minor = minor;
  }

  struct(path: string, name: string): StructFacts | undefined {
    const found = this.#structOf(path, name);
    if (found === undefined) return undefined;
    const { fields: declared = [] } = found.type;
    const inJson = declared.filter(
      ({ json, protobuf, embedded }) => json !== '-' && (json !== undefined || protobuf !== undefined || embedded),
    );
    if (inJson.length === 0 && declared.length > 0) return undefined;
    const fields: Record<string, FieldFacts> = {};
    for (const field of inJson) {
      const read = this.#field(found.path, field);
      fields[read.name] = read.facts;
    }
    const own = this.#packages[path] as GoPackage;
    const kind = isRoot(found.type) ? kindName(path, own.group, name) : undefined;
    const mapType = marker(own.types[name]?.markers, 'structType') ?? marker(found.type.markers, 'structType');
    const union = found.type.markers?.includes('+union') ? unionOf(inJson) : undefined;
    return { ...(kind && { kind }), ...(mapType && { mapType }), ...(union && { union }), fields };
  }

  /** The struct that a type is, directly or by definition. */
  #structOf(path: string, name: string): Named | undefined {
    const type = this.#packages[path]?.types[name];
    if (type === undefined || `${path}.${name}` in OWN_FORMS) return undefined;
    if (type.struct) return { path, name, type };
    const target = splitName(path, type.type ?? '');
    return target && this.#structOf(target.path, target.name);
  }

  #field(path: string, field: GoField): { name: string; facts: FieldFacts } {
    const [jsonName = '', ...options] = (field.json ?? '').split(',');
    const inline = jsonName === '' && field.embedded === true;
    const { markers = [] } = field;
    const [, number = '0'] = (field.protobuf ?? '').split(',');
    const isPointer = field.type.startsWith('*');
    const goType = isPointer ? field.type.slice(1) : field.type;
    const type = this.#typeName(path, goType);
    const enums = this.#values(path, goType);
    const itemEnums = goType.startsWith('[]') ? this.#values(path, goType.replace(/^\[\]\*?/, '')) : undefined;
    const valueEnums = /^map\[[^\]]*\]/.test(goType)
      ? this.#values(path, goType.replace(/^map\[[^\]]*\]/, ''))
      : undefined;
    const keys = all(markers, 'listMapKey');
    const omitEmpty = options.includes('omitempty');
    const facts: { -readonly [K in keyof FieldFacts]: FieldFacts[K] } = { n: Number(number), type };
    if (isPointer || this.#isPointer(path, goType)) facts.pointer = true;
    if (omitEmpty) facts.omitEmpty = true;
    if (options.includes('omitzero')) facts.omitZero = true;
    if (inline) facts.inline = true;
    else if (isRequired(markers, omitEmpty, this.#minor)) facts.required = true;
    const fallback = this.#default(path, markers);
    if (fallback !== undefined) facts.default = fallback;
    if (enums !== undefined) facts.enum = enums;
    if (itemEnums !== undefined) facts.itemsEnum = itemEnums;
    else if (valueEnums !== undefined) facts.itemsEnum = valueEnums;
    const listType = marker(markers, 'listType') ?? marker(this.#named(path, goType)?.markers, 'listType');
    if (listType !== undefined) facts.listType = listType;
    if (keys.length > 0) facts.keys = keys;
    const mapType =
      marker(markers, 'mapType') ??
      marker(markers, 'structType') ??
      marker(this.#named(path, goType)?.markers, 'mapType');
    if (mapType !== undefined) facts.mapType = mapType;
    if (field.patchStrategy) facts.patchStrategy = field.patchStrategy;
    if (field.patchMergeKey) facts.patchMergeKey = field.patchMergeKey;
    const gates = all(markers, 'featureGate');
    if (gates.length > 0) facts.gate = gates.join(',');
    if (markers.includes('+unionDiscriminator')) facts.discriminator = true;
    if (this.#isListMessage(path, goType)) facts.named = true;
    if (field.bare && jsonName !== '' && (isPointer ? isReference(type) : OWN_TYPES.has(type))) facts.bare = true;
    const rules = [...this.#rulesOfType(path, goType), ...ruleTags(markers)];
    if (rules.length > 0) facts.rules = rules;
    return { name: inline || jsonName === '' ? field.name : jsonName, facts };
  }

  #named(path: string, type: string): GoType | undefined {
    const target = splitName(path, type);
    return target && this.#packages[target.path]?.types[target.name];
  }

  /** The rules of a named text or number, or of the items of a list. An enumeration has its values. */
  #rulesOfType(path: string, type: string): string[] {
    if (type.startsWith('[]')) return this.#rulesOfType(path, type.slice(2)).map((rule) => `eachVal=+k8s:${rule}`);
    const named = this.#named(path, type.replace(/^\*/, ''));
    if (named === undefined || named.struct) return [];
    const own = path.replace(/^.*$/, splitName(path, type.replace(/^\*/, ''))?.path ?? path);
    return ruleTags(named.markers ?? []).map((rule) => {
      if (rule !== 'enum' && !rule.endsWith('=+k8s:enum')) return rule;
      const values = [...new Set((named.values ?? []).map((each) => this.#constant(own, each)))].sort();
      return `${rule}=${values.join('|')}`;
    });
  }

  /** A named type that is itself a pointer. */
  #isPointer(path: string, type: string): boolean {
    return this.#named(path, type)?.type?.startsWith('*') === true;
  }

  /** A named list: protobuf has a message for it where `+protobuf.nullable` marks it. */
  #isListMessage(path: string, type: string): boolean {
    const named = this.#named(path, type);
    return named?.type?.startsWith('[]') === true && named.markers?.includes('+protobuf.nullable=true') === true;
  }

  #typeName(path: string, type: string): string {
    if (type.startsWith('*')) return this.#typeName(path, type.slice(1));
    if (type === '[]byte') return 'bytes';
    if (type.startsWith('[]')) return `[]${this.#typeName(path, type.slice(2))}`;
    const [, value] = /^map\[[^\]]*\](.*)$/.exec(type) ?? [];
    if (value !== undefined) return `map[string]${this.#typeName(path, value)}`;
    const known = OWN_FORMS[type] ?? SCALARS[type];
    if (known !== undefined) return known;
    const target = splitName(path, type);
    if (target === undefined) return type;
    const own = OWN_FORMS[`${target.path}.${target.name}`];
    if (own !== undefined) return own;
    const named = this.#packages[target.path]?.types[target.name];
    if (named?.alias && named.type !== undefined) return this.#typeName(target.path, named.type);
    if (this.#structOf(target.path, target.name) !== undefined) return `${shortPath(target.path)}.${target.name}`;
    return named?.type === undefined ? 'string' : this.#typeName(target.path, named.type);
  }

  /** The values of an enumeration: of the type itself or of the one that it stands for. */
  #values(path: string, type: string): readonly string[] | undefined {
    const target = splitName(path, type.replace(/^\*/, ''));
    const named = target && this.#packages[target.path]?.types[target.name];
    if (named === undefined || target === undefined) return undefined;
    if (named.markers?.includes('+enum')) {
      const values = (named.values ?? []).map((each) => this.#constant(target.path, each)).sort();
      return this.#minor < NO_REPEATED_VALUES ? values : [...new Set(values)];
    }
    return named.struct || named.type === undefined ? undefined : this.#values(target.path, named.type);
  }

  /** `+default=` with a JSON value or a reference to a constant. */
  #default(path: string, markers: readonly string[]): unknown {
    const text = marker(markers, 'default');
    if (text === undefined) return undefined;
    const [, reference] = /^ref\((.*)\)$/.exec(text) ?? [];
    return reference === undefined ? JSON.parse(text) : this.#constant(path, `=${reference}`);
  }

  /** A value, or the constant that it refers to. */
  #constant(path: string, value: string): string {
    if (!value.startsWith('=')) return value;
    const target = splitName(path, value.slice(1));
    const text = target && this.#packages[target.path]?.constants[target.name];
    if (target === undefined || text === undefined) throw new Error(`${path}: no constant ${value.slice(1)}`);
    return this.#constant(target.path, text);
  }
}

/** Whether OpenAPI refers to a type by its name. */
function isReference(type: string): boolean {
  return /^[\w/]+\.\w+$/.test(type) || OWN_TYPES.has(type);
}

function splitName(path: string, type: string): { path: string; name: string } | undefined {
  if (type === '' || /^(?:\[\]|map\[)/.test(type) || type in SCALARS) return undefined;
  const dot = type.lastIndexOf('.');
  return dot < 0 ? { path, name: type } : { path: type.slice(0, dot), name: type.slice(dot + 1) };
}

function isRoot({ fields = [] }: GoType): boolean {
  return fields.some(({ embedded, type }) => embedded && /(?:^|\.)TypeMeta$/.test(type));
}

function kindName(path: string, group: string, name: string): string | undefined {
  const short = shortPath(path);
  if (short === 'runtime') return undefined;
  const version = short.slice(short.indexOf('/') + 1);
  return group === '' || short === 'meta/v1' ? `${version}/${name}` : `${group}/${version}/${name}`;
}

function unionOf(fields: readonly GoField[]): Union | undefined {
  const names = fields.map(({ json = '', name, markers }) => ({
    json: json.split(',')[0] as string,
    name,
    discriminates: markers?.includes('+unionDiscriminator') === true,
  }));
  const discriminator = names.find(({ discriminates }) => discriminates);
  const members = names.filter((each) => each !== discriminator).map(({ json, name }) => [json, name] as const);
  return { ...(discriminator && { discriminator: discriminator.json }), members: Object.fromEntries(members) };
}

/** The first minor release in which a field that is left out when empty may be marked as required. */
const REQUIRED_IS_READ = 30;

/** As kube-openapi's generator decides it: markers first, then the JSON tag. */
function isRequired(markers: readonly string[], omitEmpty: boolean, minor: number): boolean {
  if (minor < REQUIRED_IS_READ && omitEmpty) return false;
  if (markers.some((each) => each === '+required' || each === '+k8s:required')) return true;
  if (markers.some((each) => each === '+optional' || each === '+k8s:optional')) return false;
  return !omitEmpty;
}

function all(markers: readonly string[] | undefined, name: string): string[] {
  return (markers ?? []).flatMap((each) => (each.startsWith(`+${name}=`) ? [each.slice(name.length + 2).trim()] : []));
}

/** The tags of declared validation, without those that only address generators. */
function ruleTags(markers: readonly string[]): string[] {
  return markers.flatMap((each) => {
    const tag = each.startsWith('+k8s:') ? each.slice('+k8s:'.length) : '';
    return tag === '' || /^[\w-]+-gen\b|^openapi-model/.test(tag) ? [] : [tag];
  });
}

function marker(markers: readonly string[] | undefined, name: string): string | undefined {
  return all(markers, name)[0];
}
