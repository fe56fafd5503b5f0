// A custom resource's schema as nodes of the one schema form: what server-side apply, and whatever else asks for the
// shape of a type, sees of it. Nothing is made before somebody looks.

import type { Field, Node, StructNode } from '../node.ts';
import type { SchemaPart } from './schema-part.ts';

const JSON_NODE: Node = Object.freeze({ kind: 'json' });
const STRING: Node = Object.freeze({ kind: 'string' });

/** What a struct is made of. */
interface StructSource {
  readonly name: string;
  /** Asked for when the struct is first looked at. */
  readonly part: () => SchemaPart;
  /** The type of metadata, for this object or for those in it. */
  readonly objectMeta: StructNode;
  /** Whether it is an object of its own, with kind, apiVersion and metadata. */
  readonly isObject: boolean;
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

  /** An object of which nothing is declared may have any members. */
  get unknown(): 'drop' | 'keep' | Node {
    const { preserves, properties, additional } = this.#source.part();
    if (typeof additional === 'object') return nodeOf(additional, this.#source.objectMeta);
    if (additional === false) return 'drop';
    return preserves || additional === true || properties.size === 0 ? 'keep' : 'drop';
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
      fields.set(name, { ...fieldOf(name, nodeOf(member, objectMeta)), default: member.default });
    }
    return fields;
  }
}

function nodeOf(part: SchemaPart, objectMeta: StructNode): Node {
  if (part.intOrString) return { kind: 'intOrString' };
  switch (part.types[0]) {
    case 'string':
      return STRING;
    case 'boolean':
      return { kind: 'bool' };
    case 'integer':
      return { kind: 'int64' };
    case 'number':
      return { kind: 'float64' };
    case 'array':
      return {
        kind: 'list',
        items: part.items === undefined ? JSON_NODE : nodeOf(part.items, objectMeta),
        listType: part.listType as 'atomic' | 'set' | 'map' | undefined,
        keys: part.listKeys,
        itemsEnum: undefined,
        itemsDefault: undefined,
      };
    case 'object':
      return new CustomStruct({ name: '', part: () => part, objectMeta, isObject: part.embedded });
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
