// Parts that both versions of OpenAPI share: references to types and the schemas behind them.

import type { JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';
import type { StructNode } from '../../schema/node.ts';
import { collectingSchemas, type OpenApiOptions, publishedName } from '../../schema/openapi.ts';
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
  *declaring(): Steps<JsonObject> {
    if (this.#custom.size > 0) this.#structs.add(ObjectMeta).add(ListMeta);
    const schemas = yield* collectingSchemas(this.#structs, this.#options);
    for (const [name, type] of this.#custom) {
      yield;
      schemas.set(name, customSchema(type, this.#options));
    }
    return yield* sortingByName(schemas);
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

/** After so many members others may have their turn. */
const MEMBERS_AT_ONCE = 256;

/** The members in the order of their names: between some of them others may have their turn. */
export function* sortingByName<T>(members: ReadonlyMap<string, T>): Steps<Record<string, T>> {
  const sorted: Record<string, T> = {};
  // Names are paths and types, none of which is one that every object knows.
  for (const [index, name] of [...members.keys()].sort().entries()) {
    sorted[name] = members.get(name)!;
    if (index % MEMBERS_AT_ONCE === 0) yield;
  }
  return sorted;
}
