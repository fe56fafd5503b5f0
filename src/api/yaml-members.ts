// The members of a YAML mapping while it is read, with the merge keys `<<` that add those of other mappings.

import { limits } from '../base/limits.ts';
import { sortingTexts } from '../base/sorting.ts';
import type { Steps } from '../base/steps.ts';
import { setMember } from './json-decoder.ts';
import { copyJson } from './json-writer.ts';
import type { Json, JsonObject } from './object.ts';
import { YamlError } from './yaml-error.ts';
import { keyIdentity, keyName, keyText, unsupportedKey } from './yaml-key.ts';
import type { Scalar } from './yaml-scalar.ts';

/** What a value was made of, which matters where it is a key or merged; undefined for a sequence outside of a merge. */
export type YamlOrigin = Scalar | YamlMembers | readonly (YamlMembers | undefined)[] | undefined;

interface Entry {
  readonly key: Scalar;
  readonly value: Json;
  readonly line: number;
}

export class YamlMembers {
  /** By their names in JSON. */
  readonly values = new Map<string, Json>();
  /** Whether the next value is merged. */
  merges = false;
  #key: Scalar = '';
  /** All keys; created for the first one that is not a string. */
  #identities: Set<string | undefined> | undefined;
  /** For a mapping that may be merged: everything that was set, in order. */
  readonly #entries: Entry[] | undefined;
  readonly #duplicates: string[];

  /**
   * @param duplicates receives a report of each key that is set again
   * @param mayBeMerged whether `merge` may be called with this
   */
  constructor(duplicates: string[], mayBeMerged: boolean) {
    this.#duplicates = duplicates;
    this.#entries = mayBeMerged ? [] : undefined;
  }

  /** Sets the key of the next value. */
  expect(key: Scalar, isMerge: boolean): void {
    this.merges = isMerge;
    this.#key = key;
  }

  /** @param line of the value, from 0 on. @throws YamlError for a key that has no name in JSON */
  set(value: Json, line: number): void {
    this.#put({ key: this.#key, value, line });
  }

  /**
   * Adds the members of `<<: {…}` or `<<: [{…}, {…}]`, from the first that has one.
   * @returns the number of members read
   * @throws YamlError for sources that are not mappings
   */
  merge(source: YamlOrigin): number {
    if (source instanceof YamlMembers) {
      const entries = source.#entries ?? [];
      for (const entry of entries) this.#put({ ...entry, value: copyJson(entry.value) });
      return entries.length;
    }
    if (!Array.isArray(source)) throw new YamlError(NO_MAP);
    let merged = 0;
    for (const each of source.toReversed() as readonly (YamlMembers | undefined)[]) merged += this.merge(each);
    return merged;
  }

  #put(entry: Entry): void {
    const { key, value, line } = entry;
    this.#entries?.push(entry);
    const name = keyName(key);
    if (name === undefined) throw unsupportedKey(key, value);
    if (this.#hasHad(key, name)) {
      this.#duplicates.push(`line ${line + 1}: key ${keyText(key)} already set in map`);
      // The only key with two names.
      if (name === '0') this.values.delete('-0');
      if (name === '-0') this.values.delete('0');
    }
    this.values.set(name, value);
  }

  /** Also records the key. */
  #hasHad(key: Scalar, name: string): boolean {
    if (this.#identities === undefined) {
      if (typeof key === 'string') return this.values.has(name);
      this.#identities = new Set([...this.values.keys()].map(keyIdentity));
    }
    const identity = keyIdentity(key);
    const had = identity !== undefined && this.#identities.has(identity);
    this.#identities.add(identity);
    return had;
  }
}

const NO_MAP = 'yaml: map merge requires map or sequence of maps as the value';

/** An object with sorted fields. */
export function* sortedMembers(members: ReadonlyMap<string, Json>): Steps<JsonObject> {
  const object: JsonObject = {};
  const names = yield* sortingTexts([...members.keys()]);
  for (let at = 0; at < names.length; at++) {
    if (at % limits.membersInStep === limits.membersInStep - 1) yield;
    setMember(object, names[at] as string, members.get(names[at] as string) as Json);
  }
  return object;
}
