// A custom resource's schema as nodes of the one schema form: what server-side apply, and whatever else asks for the
// shape of a type, sees of it. Nothing is made before somebody looks.

import type { Field, Node, StructNode } from '../node.ts';
import type { SchemaPart } from './schema-part.ts';

const JSON_NODE: Node = Object.freeze({ kind: 'json' });
const STRING: Node = Object.freeze({ kind: 'string' });

/** The struct of a value that is an object of its own. */
export function objectNode(name: string, root: () => SchemaPart, objectMeta: StructNode): StructNode {
  return new CustomStruct(name, root, objectMeta);
}

class CustomStruct implements StructNode {
  readonly kind = 'struct';
  readonly name: string;
  readonly kinds: readonly string[] = [];
  readonly unions = undefined;
  readonly #part: () => SchemaPart;
  readonly #objectMeta: StructNode | undefined;
  #fields: ReadonlyMap<string, Field> | undefined;

  /** @param objectMeta given for objects of their own, which have kind, apiVersion and metadata */
  constructor(name: string, part: () => SchemaPart, objectMeta: StructNode | undefined) {
    this.name = name;
    this.#part = part;
    this.#objectMeta = objectMeta;
  }

  get fields(): readonly Field[] {
    return [...this.jsonFields.values()];
  }

  get jsonFields(): ReadonlyMap<string, Field> {
    this.#fields ??= this.#makeFields();
    return this.#fields;
  }

  get mapType(): 'atomic' | 'granular' | undefined {
    return this.#part().mapType as 'atomic' | 'granular' | undefined;
  }

  get unknown(): 'drop' | 'keep' | Node {
    const { preserves, properties, additional } = this.#part();
    if (typeof additional === 'object') return nodeOf(additional, this.#objectMeta);
    if (additional === false) return 'drop';
    return preserves || additional === true || properties.size === 0 ? 'keep' : 'drop';
  }

  #makeFields(): ReadonlyMap<string, Field> {
    const part = this.#part();
    const fields = new Map<string, Field>();
    const isObject = this.#objectMeta !== undefined && this.kind === 'struct' && this.#isObject;
    if (isObject) {
      fields.set('apiVersion', fieldOf('apiVersion', STRING));
      fields.set('kind', fieldOf('kind', STRING));
      fields.set('metadata', fieldOf('metadata', this.#objectMeta as StructNode));
    }
    for (const [name, member] of part.properties) {
      if (!fields.has(name)) {
        fields.set(name, { ...fieldOf(name, nodeOf(member, this.#objectMeta)), default: member.default });
      }
    }
    return fields;
  }

  get #isObject(): boolean {
    return true;
  }
}

function nodeOf(part: SchemaPart, objectMeta: StructNode | undefined): Node {
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
      return new CustomStruct('', () => part, part.embedded ? objectMeta : undefined);
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
