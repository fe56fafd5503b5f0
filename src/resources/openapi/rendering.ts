// Parts common to both versions of OpenAPI: references to types and their schemas.

import type { JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';
import { typeInRelease } from '../../schema/declared-struct.ts';
import type { StructNode } from '../../schema/node.ts';
import { collectingSchemas, type OpenApiOptions, publishedName } from '../../schema/openapi.ts';
import { ListMeta, ObjectMeta } from '../builtin/meta/v1.ts';
import { type CustomType, customName, makingSchema } from './custom-type.ts';
import type { BodyType, OperationDescription } from './description.ts';

/** Content of documents that is not in the catalog. */
export interface PublishedApi {
  /** The API version in `info`: `1.34`. */
  readonly version: string;
  /** The minor release of Kubernetes 1 whose types it has. */
  readonly minor: number;
  /** Whether enum values of built-in types are included. */
  readonly enums: boolean;
}

/** Collects the types of operations, and refers to them. */
export class TypeReferences {
  readonly #options: OpenApiOptions & Pick<PublishedApi, 'minor'>;
  readonly #structs = new Set<StructNode>();
  readonly #custom = new Map<string, CustomType>();
  readonly #schemas = new Map<BodyType, JsonObject>();

  constructor(options: OpenApiOptions & Pick<PublishedApi, 'minor'>) {
    this.#options = options;
  }

  /** The schema of a body: a reference, or a string. The same object for the same type. */
  schema(type: BodyType): JsonObject {
    let schema = this.#schemas.get(type);
    if (schema === undefined) {
      schema = this.#refer(type);
      this.#schemas.set(type, schema);
    }
    return schema;
  }

  /** The schemas of all referenced types, and of those that they reference, sorted by name. */
  *declaring(): Steps<JsonObject> {
    if (this.#custom.size > 0) for (const type of [ObjectMeta, ListMeta]) this.#structs.add(this.#inRelease(type));
    const schemas = yield* this.builtin();
    for (const made of this.custom()) {
      if (made !== undefined) schemas.set(...made);
      yield;
    }
    return yield* sortingByName(schemas);
  }

  /** The schemas of referenced built-in types, and of those that they reference. */
  builtin(): Generator<undefined, Map<string, JsonObject>> {
    return collectingSchemas(this.#structs, this.#options);
  }

  /** The schemas of referenced custom resources and their lists; nothing between steps that lead to them. */
  *custom(): Generator<[name: string, schema: JsonObject] | undefined, void> {
    for (const [name, type] of this.#custom) {
      const making = makingSchema(type, this.#options);
      let step = making.next();
      for (; step.done !== true; step = making.next()) yield undefined;
      yield [name, step.value];
    }
  }

  #inRelease(type: StructNode): StructNode {
    return typeInRelease(type, this.#options.minor);
  }

  #refer(type: BodyType): JsonObject {
    if (type === 'text') return { type: 'string' };
    if (type.kind === 'struct') {
      this.#structs.add(this.#inRelease(type));
      return { $ref: this.#options.ref(publishedName(type.name)) };
    }
    this.#custom.set(customName(type), type);
    // A list references its items.
    if (type.kind === 'list') this.schema({ kind: 'object', entry: type.entry });
    return { $ref: this.#options.ref(customName(type)) };
  }
}

/** Extensions that describe an operation for Kubernetes' clients. */
export function extensions({ about }: OperationDescription): JsonObject {
  if (about === undefined) return {};
  const { group, version, kind } = about.kind;
  return { 'x-kubernetes-action': about.action, 'x-kubernetes-group-version-kind': { group, kind, version } };
}

/** Authentication of clients. */
export const BEARER_TOKEN: JsonObject = Object.freeze({
  description: 'A bearer token.',
  in: 'header',
  name: 'authorization',
  type: 'apiKey',
});

/** Members sorted by name. */
export function sortedByName<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Number of members after which other requests may run. */
const MEMBERS_AT_ONCE = 256;

/** Members sorted by name; other requests run in between. */
export function* sortingByName<T>(members: ReadonlyMap<string, T>): Steps<Record<string, T>> {
  const sorted: Record<string, T> = {};
  // Keys are paths and types, none of which is a property of every object.
  for (const [index, name] of [...members.keys()].sort().entries()) {
    sorted[name] = members.get(name)!;
    if (index % MEMBERS_AT_ONCE === 0) yield;
  }
  return sorted;
}
