// A JSON document being modified by a JSON patch: containers are copied on first write, so that the original is not
// modified and a small patch of a large document is cheap. Pointers are given as lists of names. Whatever does not
// apply throws.

import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { notApplicable } from './patch-errors.ts';

/** The names from the root to a location; empty for the root. */
export type Pointer = readonly string[];

type Container = Json[] | JsonObject;

/** A location that does not exist, or an invalid index, with the message of Kubernetes' JSON patch library. */
export class Misfit extends Error {
  override name = 'Misfit';
  /** Whether it is the source of a move or copy. */
  isSource = false;
}

/** The container of the location does not exist. */
export class NoContainer extends Misfit {
  override name = 'NoContainer';
}

export class DocumentDraft {
  #root: Json;
  /** Containers created by this draft and referenced only once, which may be modified. */
  readonly #own = new Set<Container>();
  #copiedCharacters = 0;
  /** Containers that operations looked into, which Kubernetes' JSON patch library has decoded. */
  readonly entered = new Set<Json>();

  constructor(document: Json) {
    this.#root = document;
    this.entered.add(document);
  }

  get root(): Json {
    return this.#root;
  }

  replaceRoot(value: Json): void {
    if (!isContainer(value)) return;
    this.#root = value;
    this.entered.add(value);
  }

  /**
   * The value at a location; undefined for a missing member of an object, an error for everything else that is missing.
   */
  get(pointer: Pointer): Json | undefined {
    let container = this.#root;
    const last = pointer.length - 1;
    this.entered.add(container);
    for (let i = 0; i < last; i++) {
      container = enter(container, pointer[i]!);
      this.entered.add(container);
    }
    return valueIn(container as Container, pointer[last]!);
  }

  /** Adds or replaces a member, or inserts an item before an index. */
  add(pointer: Pointer, value: Json): void {
    const { container, name } = this.#writable(pointer);
    if (!Array.isArray(container)) setMember(container, name, value);
    else container.splice(placeOf(name, container.length), 0, value);
  }

  /** Replaces an item, or sets a member whether or not it exists. */
  replace(pointer: Pointer, value: Json): void {
    const { container, name } = this.#writable(pointer);
    put(container, name, value);
  }

  /** Removes a value and returns it. */
  remove(pointer: Pointer): Json {
    const { container, name } = this.#writable(pointer);
    if (Array.isArray(container)) return container.splice(indexIn(name, container.length), 1)[0] as Json;
    const value = ownMember(container, name);
    if (value === undefined) throw new Misfit(`Unable to remove nonexistent key: ${name}: missing value`);
    delete container[name];
    return value;
  }

  /** The value at a location, to be added at another; null for a missing member. */
  copyOf(from: Pointer): Json {
    const value = this.get(from) ?? null;
    this.#share(value, 0);
    return value;
  }

  /** The container of a pointer's last name, with everything on the way to it made writable. */
  #writable(pointer: Pointer): { container: Container; name: string } {
    let container = this.#owned(this.#root as Container);
    this.#root = container;
    const last = pointer.length - 1;
    for (let i = 0; i < last; i++) {
      const name = pointer[i]!;
      const inner = this.#owned(enter(container, name));
      put(container, name, inner);
      container = inner;
    }
    return { container, name: pointer[last]! };
  }

  #owned(container: Container): Container {
    this.entered.add(container);
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : { ...container };
    this.#own.add(copy);
    this.entered.add(copy);
    return copy;
  }

  /** The document, with the members of changed objects in the order in which Kubernetes' JSON patch library writes them. */
  finished(): Json {
    for (const container of this.#own) if (isObject(container)) sortMembers(container);
    return this.#root;
  }

  // A value in two locations must not be modified in either. The same walk measures it, because copies of copies would
  // grow without limit otherwise.
  #share(value: Json, depth: number): void {
    if (depth > limits.documentDepth) throw notApplicable('copies nest too deep');
    if (!isContainer(value)) this.#copiedCharacters += scalarCharacters(value);
    else {
      this.#own.delete(value);
      this.#copiedCharacters += 2;
      if (Array.isArray(value)) {
        this.#copiedCharacters += value.length;
        for (const item of value) this.#share(item, depth + 1);
      } else {
        for (const name of Object.keys(value)) {
          this.#copiedCharacters += name.length + 4;
          this.#share(value[name] as Json, depth + 1);
        }
      }
    }
    if (this.#copiedCharacters > limits.jsonPatchCopiedCharacters) throw notApplicable('copies add too much');
  }
}

function sortMembers(object: JsonObject): void {
  const members = Object.entries(object);
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (sorted.every(([name], index) => members[index]?.[0] === name)) return;
  for (const [name] of members) delete object[name];
  for (const [name, value] of sorted) setMember(object, name, value as Json);
}

function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function scalarCharacters(value: Json): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}

/** A named container in another. @throws NoContainer */
function enter(container: Json, name: string): Container {
  const isItem = Array.isArray(container);
  const inner = isItem && !isIndex(name, container.length) ? undefined : valueIn(container as Container, name);
  if (!isContainer(inner)) throw new NoContainer('missing value');
  return inner;
}

function valueIn(container: Container, name: string): Json | undefined {
  if (isObject(container)) return ownMember(container, name);
  return container[indexIn(name, container.length)];
}

function put(container: Container, name: string, value: Json): void {
  if (isObject(container)) setMember(container, name, value);
  else container[indexIn(name, container.length)] = value;
}

const INDEX = /^[+-]?[0-9]+$/;

/**
 * A list index below `length`. Negative ones count from the end; signs and leading zeros are accepted, as in
 * Kubernetes.
 */
function indexIn(name: string, length: number): number {
  if (!INDEX.test(name)) throw new Misfit(`strconv.Atoi: parsing ${goQuote(name)}: invalid syntax`);
  const index = Number(name);
  const fromStart = index < 0 ? index + length : index;
  if (fromStart >= 0 && fromStart < length) return fromStart;
  throw new Misfit(`Unable to access invalid index: ${index}: invalid index referenced`);
}

function isIndex(name: string, length: number): boolean {
  const index = INDEX.test(name) ? Number(name) : Number.NaN;
  return index >= -length && index < length;
}

/** The index at which an item is inserted. */
function placeOf(name: string, length: number): number {
  if (name === '-') return length;
  if (INDEX.test(name)) return indexIn(name, length + 1);
  throw new Misfit(
    `value was not a proper array index: '${name}': strconv.Atoi: parsing ${goQuote(name)}: invalid syntax`,
  );
}
