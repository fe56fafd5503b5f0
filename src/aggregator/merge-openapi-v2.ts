// Merge of another server's OpenAPI 2 document into ours. Paths that are there stay as they are. Definitions of the
// same name are one where they say the same; else the other server's gets a name of its own, `NAME_v2` and so on.

import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { entriesAt, isObject, listAt } from '../resources/value.ts';

/** The kinds that a definition stands for, which may be more in one document than in the other. */
const KINDS = 'x-kubernetes-group-version-kind';

/** Alters `into`, but nothing that is in it; `from` stays as it is. Each step takes little time. */
export function* mergingOpenApiV2(into: JsonObject, from: JsonObject): Generator<undefined, void> {
  const names = new Map<string, string>();
  const definitions = yield* mergedPart('definitions', { into, from, names });
  const parameters = yield* mergedPart('parameters', { into, from, names });
  const paths: Record<string, Json> = Object.fromEntries(entriesAt(into, 'paths'));
  for (const [path, item] of entriesAt(from, 'paths')) {
    paths[path] ??= renamed(item, names);
    yield;
  }
  for (const { added, all } of [definitions, parameters]) {
    for (const [name, value] of added) {
      all[name] = renamed(value, names);
      yield;
    }
  }
  into['paths'] = sorted(paths);
  into['definitions'] = sorted(definitions.all);
  into['parameters'] = sorted(parameters.all);
}

interface Merging {
  readonly into: JsonObject;
  readonly from: JsonObject;
  /** References that change: `#/definitions/x` to `#/definitions/x_v2`. */
  readonly names: Map<string, string>;
}

/** What the part holds afterwards, but for what is added, whose references are still those of its own document. */
function* mergedPart(part: string, { into, from, names }: Merging) {
  const all: Record<string, Json> = Object.fromEntries(entriesAt(into, part));
  const others = new Map(entriesAt(from, part));
  const added = new Map<string, Json>();
  for (const [name, value] of others) {
    const free = freeName(name, value, { all, others });
    if (free !== name) names.set(`#/${part}/${name}`, `#/${part}/${free}`);
    const known = all[free];
    if (known === undefined) added.set(free, value);
    else all[free] = withKinds(known, value);
    yield;
  }
  return { all, added };
}

/** The first name under which nothing stands, or the same. */
function freeName(
  name: string,
  value: Json,
  { all, others }: { all: Readonly<Record<string, Json>>; others: ReadonlyMap<string, Json> },
): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_v${number}`;
    if (number > 1 && others.has(candidate)) continue;
    const known = all[candidate];
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

/** A value with its references changed; the same value where none does. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const reference = name === '$ref' && typeof member === 'string' ? names.get(member) : undefined;
    out[name] = reference ?? renamed(member as Json, names);
  }
  return out;
}

function sorted(members: Record<string, Json>): JsonObject {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}
