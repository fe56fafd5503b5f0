// CEL types of a kind's schema for type checking only: admission policies are checked with them after they have been
// accepted.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  type StructDescription,
  structType,
  TIMESTAMP,
  type Type,
  type TypeProvider,
} from '../cel/types/type.ts';
import type { Node, StructNode } from '../schema/node.ts';
import { escapeFieldName } from './field-name.ts';

/** The structs below one kind, named by path: `Deployment.spec.template`. */
export class NodeTypes implements TypeProvider {
  readonly root: Type<unknown>;
  readonly #structs = new Map<string, StructDescription>();

  /** @param name of the kind, unique in the environment */
  constructor(node: StructNode, name: string) {
    this.root = this.#typeOf(node, name) ?? DYN;
  }

  struct(name: string): StructDescription | undefined {
    return this.#structs.get(name);
  }

  constant(): undefined {
    return undefined;
  }

  /** Undefined for fields that Kubernetes publishes without a type, which do not exist for type checking. */
  #typeOf(node: Node, path: string): Type<unknown> | undefined {
    switch (node.kind) {
      case 'string':
      case 'duration':
        return STRING;
      case 'bool':
        return BOOL;
      case 'int32':
      case 'int64':
        return INT;
      case 'float64':
        return DOUBLE;
      case 'bytes':
        return BYTES;
      case 'time':
      case 'microTime':
        return TIMESTAMP;
      case 'intOrString':
        return DYN;
      case 'quantity':
      case 'json':
        return undefined;
      case 'raw':
      case 'fields':
        return this.#declare(path, []);
      case 'list': {
        const items = this.#typeOf(node.items, `${path}.@items`);
        return items && listOf(items);
      }
      case 'map': {
        const values = this.#typeOf(node.values, `${path}.@values`);
        return values && mapOf(STRING, values);
      }
      case 'struct':
        return this.#structOf(node, path);
    }
  }

  #structOf(node: StructNode, path: string): Type<unknown> | undefined {
    if (node.unknown === 'keep' || node.form !== undefined) return DYN;
    if (node.unknown !== 'drop' && node.jsonFields.size === 0) {
      const values = this.#typeOf(node.unknown, `${path}.@values`);
      return values && mapOf(STRING, values);
    }
    return this.#declare(
      path,
      [...node.jsonFields].map(([name, field]) => [name, field.node]),
    );
  }

  /** Fields are evaluated on first use, because a schema may be recursive. */
  #declare(path: string, members: readonly (readonly [string, Node])[]): Type<unknown> {
    const type = structType(path);
    let fields: Map<string, Type<unknown>> | undefined;
    const read = () => {
      fields ??= new Map(
        members.flatMap(([name, node]) => {
          const type = this.#typeOf(node, `${path}.${name}`);
          return type === undefined ? [] : [[escapeFieldName(name) ?? name, type] as const];
        }),
      );
      return fields;
    };
    this.#structs.set(path, {
      type,
      get fields() {
        return read();
      },
    });
    return type;
  }
}
