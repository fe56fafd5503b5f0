// A JSON document under change by a JSON patch: containers are copied when they are first written to, so that the
// original stays as it is and a small patch of a large document is cheap. Places are pointers already split into
// names. Whatever does not apply throws.

import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { isObject, memberOf } from './object-member.ts';
import { notApplicable } from './patch-errors.ts';

/** The names on the way from the root to a place; empty for the root. */
export type Pointer = readonly string[];

type Container = Json[] | JsonObject;

/** A place that is not there, or an index that is none, in the words of Kubernetes' JSON patch library. */
export class Misfit extends Error {
  override name = 'Misfit';
  /** Whether it is where a move or a copy takes its value from. */
  isSource = false;
}

/** Nothing is there that the place could be in. */
export class NoContainer extends Misfit {
  override name = 'NoContainer';
}

export class DocumentDraft {
  #root: Json;
  /** Containers made by this draft and held in one place only: these may be written to. */
  readonly #own = new Set<Container>();
  #copiedCharacters = 0;

  constructor(document: Json) {
    this.#root = document;
  }

  get root(): Json {
    return this.#root;
  }

  replaceRoot(value: Json): void {
    if (isContainer(value)) this.#root = value;
  }

  /** The value at a place; undefined for a missing member of an object, an error for everything else that is missing. */
  get(pointer: Pointer): Json | undefined {
    let container = this.#root;
    const last = pointer.length - 1;
    for (let i = 0; i < last; i++) container = enter(container, pointer[i]!);
    return valueIn(container as Container, pointer[last]!);
  }

  /** Adds a member, replacing one of that name, or inserts an item before the one of that index. */
  add(pointer: Pointer, value: Json): void {
    const { container, name } = this.#writable(pointer);
    if (!Array.isArray(container)) setMember(container, name, value);
    else container.splice(placeOf(name, container.length), 0, value);
  }

  /** Puts a value in an item's place, or in a member's whether or not it is there. */
  replace(pointer: Pointer, value: Json): void {
    const { container, name } = this.#writable(pointer);
    put(container, name, value);
  }

  /** Takes a value away and returns it. */
  remove(pointer: Pointer): Json {
    const { container, name } = this.#writable(pointer);
    if (Array.isArray(container)) return container.splice(indexIn(name, container.length), 1)[0] as Json;
    const value = memberOf(container, name);
    if (value === undefined) throw new Misfit(`Unable to remove nonexistent key: ${name}: missing value`);
    delete container[name];
    return value;
  }

  /** What is at a place, fit to be added at another too; null for a missing member. */
  copyOf(from: Pointer): Json {
    const value = this.get(from) ?? null;
    this.#share(value, 0);
    return value;
  }

  /** The container that a pointer's last name is in, with everything on the way to it made writable. */
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
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : { ...container };
    this.#own.add(copy);
    return copy;
  }

  // A value that stands in two places must not be written to in either. The same walk weighs it: copies of copies
  // would grow without bound otherwise.
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

function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function scalarCharacters(value: Json): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}

/** The container of that name in another. @throws NoContainer */
function enter(container: Json, name: string): Container {
  const isItem = Array.isArray(container);
  const inner = isItem && !isIndex(name, container.length) ? undefined : valueIn(container as Container, name);
  if (!isContainer(inner)) throw new NoContainer('missing value');
  return inner;
}

function valueIn(container: Container, name: string): Json | undefined {
  if (isObject(container)) return memberOf(container, name);
  return container[indexIn(name, container.length)];
}

function put(container: Container, name: string, value: Json): void {
  if (isObject(container)) setMember(container, name, value);
  else container[indexIn(name, container.length)] = value;
}

const INDEX = /^[+-]?[0-9]+$/;

/** A list index below `length`. Negative ones count from the end; signs and leading zeros are taken, as Kubernetes does. */
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

/** Where an item is put in. */
function placeOf(name: string, length: number): number {
  if (name === '-') return length;
  if (INDEX.test(name)) return indexIn(name, length + 1);
  throw new Misfit(
    `value was not a proper array index: '${name}': strconv.Atoi: parsing ${goQuote(name)}: invalid syntax`,
  );
}
