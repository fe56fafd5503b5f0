// Merging of another server's OpenAPI v2 document into ours. Existing paths are kept. Equal definitions with the same
// name are shared; otherwise the other server's is renamed to `NAME_v2` and so on.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { entriesAt, listAt } from '../resources/value.ts';

/** The kinds of a definition, of which one document may have more than the other. */
const KINDS = 'x-kubernetes-group-version-kind';

/** Entries by name. */
export interface OpenApiV2Members {
  has(name: string): boolean;
  get(name: string): Json | undefined;
  set(name: string, value: Json): void;
}

type OpenApiV2Part = 'paths' | 'definitions' | 'parameters';

/** Adds to `into`; its entries and `from` are not modified. Each step is short. */
export function* mergingOpenApiV2(
  into: Readonly<Record<OpenApiV2Part, OpenApiV2Members>>,
  from: JsonObject,
): Generator<undefined, void> {
  const names = new Map<string, string>();
  const definitions = yield* mergedPart('definitions', { into, from, names });
  const parameters = yield* mergedPart('parameters', { into, from, names });
  for (const [path, item] of entriesAt(from, 'paths')) {
    if (!into.paths.has(path)) into.paths.set(path, renamed(item, names));
    yield;
  }
  for (const { added, all } of [definitions, parameters]) {
    for (const [name, value] of added) {
      all.set(name, renamed(value, names));
      yield;
    }
  }
}

interface Merging {
  readonly into: Readonly<Record<OpenApiV2Part, OpenApiV2Members>>;
  readonly from: JsonObject;
  /** Changed references: `#/definitions/x` to `#/definitions/x_v2`. */
  readonly names: Map<string, string>;
}

/** Merges what both have; what is added is returned, because references in it are still those of its own document. */
function* mergedPart(part: OpenApiV2Part, { into, from, names }: Merging) {
  const all = into[part];
  const others = new Map(entriesAt(from, part));
  const added = new Map<string, Json>();
  for (const [name, value] of others) {
    const free = freeName(name, value, { all, others });
    if (free !== name) names.set(`#/${part}/${name}`, `#/${part}/${free}`);
    const known = all.get(free);
    if (known === undefined) added.set(free, value);
    else {
      const both = withKinds(known, value);
      if (both !== known) all.set(free, both);
    }
    yield;
  }
  return { all, added };
}

/** The first name that is unused, or has an equal definition. */
function freeName(
  name: string,
  value: Json,
  { all, others }: { all: OpenApiV2Members; others: ReadonlyMap<string, Json> },
): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_v${number}`;
    if (number > 1 && others.has(candidate)) continue;
    const known = all.get(candidate);
    if (known === undefined || saysTheSame(known, value)) return candidate;
  }
}

function saysTheSame(one: Json, other: Json): boolean {
  return equalJson(withoutKinds(one), withoutKinds(other));
}

function withoutKinds(value: Json): Json {
  if (!isObject(value) || value[KINDS] === undefined) return value;
  const { [KINDS]: _, ...rest } = value;
  return rest;
}

/** A definition with the kinds of both. */
function withKinds(known: Json, other: Json): Json {
  const more = listAt(other, KINDS).filter((kind) => !listAt(known, KINDS).some((each) => equalJson(each, kind)));
  return more.length === 0 || !isObject(known) ? known : { ...known, [KINDS]: [...listAt(known, KINDS), ...more] };
}

/** A value with its references changed; the same value if none does. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const reference = name === '$ref' && typeof member === 'string' ? names.get(member) : undefined;
    return [name, reference ?? renamed(member as Json, names)];
  });
  return Object.fromEntries(members);
}
