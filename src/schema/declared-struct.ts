// Declared structs in the releases of Kubernetes: the fields of a type are those of one release, and `typeInRelease`
// gives the type in another one. Each is evaluated on first use and kept with the declaration.

import { CURRENT_MINOR } from '../lifecycle/version.ts';
import type { Field, JsonForm, Node, StructNode } from './node.ts';

/** The minor releases of Kubernetes 1 that have a kind; without bounds, all known ones. */
export interface Span {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** A field, which is what it is by release. */
interface DeclaredField {
  inRelease(minor: number): Field | undefined;
}

/** Facts about a struct itself. */
export interface StructFacts extends Span {
  /** Group/version/kinds of a root type: `apps/v1/Deployment`; a function of the minor release where they differ. */
  readonly kinds?: readonly string[] | ((minor: number) => readonly string[]);
  readonly mapType?: 'atomic' | 'granular';
  /** The first minor release in which it has its map type; all if undefined. */
  readonly mapTypeSince?: number;
  readonly unions?: unknown;
  readonly form?: JsonForm;
}

const EMPTY: unknown = Object.freeze({});

/** The zero value that OpenAPI publishes as the default of a type; undefined for types without one. */
export function zeroDefault(node: Node): unknown {
  if (node.kind === 'string') return '';
  if (node.kind === 'bool') return false;
  if (node.kind === 'int32' || node.kind === 'int64' || node.kind === 'float64') return 0;
  // Types with several forms have no zero value to publish.
  return node.kind === 'struct' && node.form === undefined ? EMPTY : undefined;
}

function publishedDefault(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  if (field.pointer || field.inline) return undefined;
  return field.omitEmpty && field.node.kind !== 'struct' ? undefined : zeroDefault(field.node);
}

/** A struct in the release that is served by default. */
export function declaredStruct(
  name: string,
  declare: () => Record<string, DeclaredField>,
  facts: StructFacts,
): StructNode {
  const declaration: Declaration = { declare, facts };
  declaration.current = new DeclaredStruct(name, declaration, CURRENT_MINOR);
  return declaration.current;
}

/** A type as it is in a minor release of Kubernetes 1; types of custom resources are the same in all of them. */
export function typeInRelease(type: StructNode, minor: number): StructNode {
  if (type instanceof DeclaredStruct) return type.inRelease(minor);
  return type.variantOf === undefined ? type : granularVariant(typeInRelease(type.variantOf, minor));
}

/** Whether a minor release of Kubernetes 1 is within bounds. */
export function isWithin({ since = 0, until = Number.POSITIVE_INFINITY }: Span, minor: number): boolean {
  return since <= minor && minor <= until;
}

/** The first minor release of Kubernetes 1 whose errors name embedded structs. */
const EMBEDDED_ARE_TOLD = 35;
/** The first one that publishes no defaults of items and of values of maps. */
const WITHOUT_ITEM_DEFAULTS = 37;
/** The first one in which items of a list may lack some of its keys. */
export const SOME_KEYS_SUFFICE = 34;
/** The first one that publishes which values items of a list and values of a map may have. @internal */
export const ITEM_ENUMS_ARE_TOLD = 30;
const ALL_KEYS = { needsAllKeys: true };
const NO_DEFAULT = { itemsDefault: undefined };
const NO_VALUE_DEFAULT = { valuesDefault: undefined };
const NO_ENUM = { itemsEnum: undefined };
const NO_VALUE_ENUM = { valuesEnum: undefined };

function nodeInRelease(node: Node, minor: number): Node {
  switch (node.kind) {
    case 'struct':
      return typeInRelease(node, minor);
    case 'list':
      return {
        ...node,
        items: nodeInRelease(node.items, minor),
        ...(minor >= WITHOUT_ITEM_DEFAULTS && NO_DEFAULT),
        ...(minor < SOME_KEYS_SUFFICE && ALL_KEYS),
        ...(minor < ITEM_ENUMS_ARE_TOLD && NO_ENUM),
      };
    case 'map':
      return {
        ...node,
        values: nodeInRelease(node.values, minor),
        ...(minor >= WITHOUT_ITEM_DEFAULTS && NO_VALUE_DEFAULT),
        ...(minor < ITEM_ENUMS_ARE_TOLD && NO_VALUE_ENUM),
      };
    default:
      return node;
  }
}

/** A struct that is granular where the type itself is atomic. */
export function granularVariant(type: StructNode): StructNode {
  return {
    kind: 'struct',
    name: type.name,
    get fields() {
      return type.fields;
    },
    get jsonFields() {
      return type.jsonFields;
    },
    mapType: 'granular',
    kinds: type.kinds,
    unions: type.unions,
    unknown: type.unknown,
    form: type.form,
    variantOf: type,
  };
}

/** The declaration of a struct, common to its forms in all releases. */
interface Declaration {
  readonly declare: () => Record<string, DeclaredField>;
  readonly facts: StructFacts;
  /** Its form in the release served by default. */
  current?: DeclaredStruct;
  /** Its forms in other releases than the one served by default. */
  others?: Map<number, DeclaredStruct>;
}

class DeclaredStruct implements StructNode {
  readonly kind = 'struct';
  readonly name: string;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly unions: unknown;
  readonly form: JsonForm | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly unknown = 'drop';
  readonly tellsEmbedded: boolean;
  readonly #declaration: Declaration;
  readonly #minor: number;
  #kinds: readonly string[] | ((minor: number) => readonly string[]);
  #fields: Field[] | undefined;
  #jsonFields: Map<string, Field> | undefined;

  constructor(name: string, declaration: Declaration, minor: number) {
    const { facts } = declaration;
    this.name = name;
    this.#declaration = declaration;
    this.#minor = minor;
    this.tellsEmbedded = minor >= EMBEDDED_ARE_TOLD;
    this.mapType = minor < (facts.mapTypeSince ?? 0) ? undefined : facts.mapType;
    this.#kinds = facts.kinds ?? [];
    this.unions = facts.unions;
    this.form = facts.form;
    this.since = facts.since;
    this.until = facts.until;
  }

  inRelease(minor: number): DeclaredStruct {
    if (minor === this.#minor) return this;
    const declaration = this.#declaration;
    let other = minor === CURRENT_MINOR ? declaration.current : declaration.others?.get(minor);
    if (other === undefined) {
      other = new DeclaredStruct(this.name, declaration, minor);
      declaration.others ??= new Map();
      declaration.others.set(minor, other);
    }
    return other;
  }

  get kinds(): readonly string[] {
    if (typeof this.#kinds === 'function') this.#kinds = this.#kinds(this.#minor);
    return this.#kinds;
  }

  get fields(): readonly Field[] {
    if (this.#fields === undefined) {
      this.#fields = [];
      const minor = this.#minor;
      for (const [name, builder] of Object.entries(this.#declaration.declare())) {
        const field = builder.inRelease(minor);
        if (field === undefined) continue;
        const node = minor === CURRENT_MINOR ? field.node : nodeInRelease(field.node, minor);
        this.#fields.push({ ...field, node, name, default: publishedDefault(field) });
      }
    }
    return this.#fields;
  }

  get jsonFields(): ReadonlyMap<string, Field> {
    if (this.#jsonFields === undefined) {
      this.#jsonFields = new Map();
      for (const each of this.fields) {
        if (!each.inline) this.#jsonFields.set(each.name, each);
        else if (each.node.kind === 'struct') {
          for (const [name, inner] of each.node.jsonFields) this.#jsonFields.set(name, inner);
        }
      }
    }
    return this.#jsonFields;
  }
}
