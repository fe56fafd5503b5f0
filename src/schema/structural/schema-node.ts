// Schema nodes of a custom resource, as used by server-side apply and others. Created lazily.

import type { Field, Node, StructNode } from '../node.ts';
import type { SchemaPart } from './schema-part.ts';

const JSON_NODE: Node = Object.freeze({ kind: 'json' });
const STRING: Node = Object.freeze({ kind: 'string' });
/** A string with a format: server-side apply takes any scalar for it, and leaves the rest to validation. */
const FORMATTED: Node = Object.freeze({ kind: 'time' });

/** The parts of a struct. */
interface StructSource {
  readonly name: string;
  /** Called when the struct is first used. */
  readonly part: () => SchemaPart;
  /** The type of metadata, for this object or embedded ones. */
  readonly objectMeta: StructNode;
  /** Whether items of keyed lists must have all keys, as before Kubernetes 1.34. */
  readonly needsAllKeys?: boolean | undefined;
  /** Whether it is a whole object, with kind, apiVersion and metadata. */
  readonly isObject: boolean;
  /** Whether an enclosing object preserves unknown fields, which then applies to everything in it during apply. */
  readonly inOpen?: boolean;
}

/** What nodes inherit from the enclosing object. */
interface Surroundings {
  readonly objectMeta: StructNode;
  readonly needsAllKeys: boolean;
  readonly inOpen: boolean;
}

export class CustomStruct implements StructNode {
  readonly kind = 'struct';
  readonly name: string;
  readonly kinds: readonly string[] = [];
  readonly unions = undefined;
  readonly #source: StructSource;
  #fields: ReadonlyMap<string, Field> | undefined;

  constructor(source: StructSource) {
    this.name = source.name;
    this.#source = source;
  }

  get fields(): readonly Field[] {
    return [...this.jsonFields.values()];
  }

  get jsonFields(): ReadonlyMap<string, Field> {
    this.#fields ??= this.#makeFields();
    return this.#fields;
  }

  get mapType(): 'atomic' | 'granular' | undefined {
    return this.#source.part().mapType as 'atomic' | 'granular' | undefined;
  }

  /** An object without declared fields may have any. */
  get unknown(): 'drop' | 'keep' | Node {
    const { properties, additional } = this.#source.part();
    if (typeof additional === 'object') return nodeOf(additional, this.#surroundings);
    if (additional === false) return 'drop';
    return this.#surroundings.inOpen || additional === true || properties.size === 0 ? 'keep' : 'drop';
  }

  get #surroundings(): Surroundings {
    const { objectMeta, needsAllKeys = false, inOpen = false, part } = this.#source;
    return { objectMeta, needsAllKeys, inOpen: inOpen || part().preserves };
  }

  #makeFields(): ReadonlyMap<string, Field> {
    const { part, objectMeta, isObject } = this.#source;
    const fields = new Map<string, Field>();
    if (isObject) {
      fields.set('apiVersion', fieldOf('apiVersion', STRING));
      fields.set('kind', fieldOf('kind', STRING));
      fields.set('metadata', fieldOf('metadata', objectMeta));
    }
    for (const [name, member] of part().properties) {
      if (fields.has(name)) continue;
      fields.set(name, { ...fieldOf(name, nodeOf(member, this.#surroundings)), default: member.default });
    }
    return fields;
  }
}

function nodeOf(part: SchemaPart, { objectMeta, needsAllKeys, inOpen: outer }: Surroundings): Node {
  // An int-or-string has no type of its own: validation checks its value.
  if (part.intOrString) return JSON_NODE;
  const inOpen = outer || part.preserves;
  switch (part.types[0]) {
    case 'string':
      return part.isFormatted ? FORMATTED : STRING;
    case 'boolean':
      return { kind: 'bool' };
    case 'integer':
      return { kind: 'int64' };
    case 'number':
      return { kind: 'float64' };
    case 'array':
      return {
        kind: 'list',
        items: part.items === undefined ? JSON_NODE : nodeOf(part.items, { objectMeta, needsAllKeys, inOpen }),
        listType: part.listType as 'atomic' | 'set' | 'map' | undefined,
        keys: part.listKeys,
        itemsEnum: undefined,
        itemsDefault: undefined,
        needsAllKeys,
      };
    case 'object':
      return new CustomStruct({
        name: '',
        part: () => part,
        objectMeta,
        needsAllKeys,
        isObject: part.embedded,
        inOpen,
      });
    default:
      return JSON_NODE;
  }
}

function fieldOf(name: string, node: Node): Field {
  return {
    name,
    node,
    number: 0,
    pointer: true,
    omitEmpty: true,
    inline: false,
    required: false,
    default: undefined,
    enum: undefined,
    format: undefined,
    patchStrategy: undefined,
    patchMergeKey: undefined,
    gate: undefined,
    declarative: undefined,
    unionDiscriminator: false,
  };
}
