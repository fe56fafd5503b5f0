// Parts that both versions of OpenAPI share: references to types and the schemas behind them.

import type { JsonObject } from '../../api/object.ts';
import type { StructNode } from '../../schema/node.ts';
import { collectSchemas, type OpenApiOptions, publishedName } from '../../schema/openapi.ts';
import { ListMeta, ObjectMeta } from '../builtin/meta/v1.ts';
import { type CustomType, customName, customSchema } from './custom-type.ts';
import type { BodyType, OperationDescription } from './description.ts';

/** What documents say besides what the catalog has. */
export interface PublishedApi {
  /** Of the API, as info names it: `1.34`. */
  readonly version: string;
  /** Whether the values that fields of built-in types may have are told. */
  readonly enums: boolean;
}

/** Collects the types that operations mention, and refers to them. */
export class TypeReferences {
  readonly #options: OpenApiOptions;
  readonly #structs = new Set<StructNode>();
  readonly #custom = new Map<string, CustomType>();
  readonly #schemas = new Map<BodyType, JsonObject>();

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** The schema of a body: a reference, or that of text. The same object for the same type. */
  schema(type: BodyType): JsonObject {
    let schema = this.#schemas.get(type);
    if (schema === undefined) {
      schema = this.#refer(type);
      this.#schemas.set(type, schema);
    }
    return schema;
  }

  /** The schemas of all that was referred to, and of what they mention, in the order of their names. */
  declared(): JsonObject {
    const steps = this.declaring();
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** The same schema by schema: between two of custom resources others may have their turn. */
  *declaring(): Generator<string, JsonObject> {
    if (this.#custom.size > 0) this.#structs.add(ObjectMeta).add(ListMeta);
    const schemas = collectSchemas(this.#structs, this.#options);
    for (const [name, type] of this.#custom) {
      yield name;
      schemas.set(name, customSchema(type, this.#options));
    }
    return Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #refer(type: BodyType): JsonObject {
    if (type === 'text') return { type: 'string' };
    if (type.kind === 'struct') {
      this.#structs.add(type);
      return { $ref: this.#options.ref(publishedName(type.name)) };
    }
    this.#custom.set(customName(type), type);
    // A list mentions its objects.
    if (type.kind === 'list') this.schema({ kind: 'object', entry: type.entry });
    return { $ref: this.#options.ref(customName(type)) };
  }
}

/** The members that tell Kubernetes' clients what an operation does. */
export function extensions({ about }: OperationDescription): JsonObject {
  if (about === undefined) return {};
  const { group, version, kind } = about.kind;
  return { 'x-kubernetes-action': about.action, 'x-kubernetes-group-version-kind': { group, kind, version } };
}

/** How clients say who they are. */
export const BEARER_TOKEN: JsonObject = Object.freeze({
  description: 'A bearer token.',
  in: 'header',
  name: 'authorization',
  type: 'apiKey',
});

/** Members by name, in the order of the names. */
export function sortedByName<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
