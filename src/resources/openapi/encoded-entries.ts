// Encoded entries of the OpenAPI v2 document. There are tens of thousands of them, so those that were described together
// share one buffer, and a document consists of runs of entries that follow each other in the same buffer.

import { compareText } from '../../base/compare-text.ts';
import type { Steps } from '../../base/steps.ts';
import type { LongMember, OpenApiV2Encoding, OpenApiV2Entry } from './document-v2.ts';

/** Entries, sorted by name, with separators between them. */
export interface EncodedEntries {
  readonly names: readonly string[];
  /** Where each of them ends in the bytes; the next one begins after a separator. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

export type EncodedMembers = Readonly<Record<LongMember, EncodedEntries>>;

/** Encodes the entries that are described. Other work may run in between. */
export function* encodingMembers(
  described: Iterable<OpenApiV2Entry | undefined>,
  encoding: OpenApiV2Encoding,
): Steps<EncodedMembers> {
  const encoded = { paths: new Map<string, Uint8Array>(), definitions: new Map<string, Uint8Array>() };
  for (const entry of described) {
    if (entry !== undefined)
      encoded[entry.member].set(entry.name, encoding.entry(entry.member, entry.name, entry.value));
    yield;
  }
  const { separator } = encoding;
  return {
    paths: yield* puttingTogether(encoded.paths, separator),
    definitions: yield* puttingTogether(encoded.definitions, separator),
  };
}

function* puttingTogether(encoded: ReadonlyMap<string, Uint8Array>, separator: Uint8Array): Steps<EncodedEntries> {
  const names = [...encoded.keys()].sort();
  const ends = new Uint32Array(names.length);
  let length = Math.max(0, names.length - 1) * separator.length;
  for (const entry of encoded.values()) length += entry.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const [index, name] of names.entries()) {
    if (index > 0) {
      bytes.set(separator, at);
      at += separator.length;
    }
    const entry = encoded.get(name)!;
    bytes.set(entry, at);
    at += entry.length;
    ends[index] = at;
    yield;
  }
  return { names, ends, bytes };
}

/** An entry in its list. */
interface Place {
  readonly name: string;
  readonly list: EncodedEntries;
  readonly index: number;
}

/**
 * Combines lists. Other work may run in between.
 * @param lists of entries with the same name, the one of the last list counts
 * @returns the entries of all lists in the order of their names, with separators, in as few pieces as possible
 */
export function* orderingEntries(lists: readonly EncodedEntries[], separator: Uint8Array): Steps<Uint8Array[]> {
  const places: Place[] = [];
  const rank = new Map(lists.map((list, index) => [list, index]));
  // Most lists follow one another, and sorting what is nearly sorted takes little time.
  for (const list of lists.toSorted((one, other) => compareText(one.names[0] ?? '', other.names[0] ?? ''))) {
    for (const [index, name] of list.names.entries()) places.push({ name, list, index });
    yield;
  }
  places.sort((one, other) => compareText(one.name, other.name) || rank.get(one.list)! - rank.get(other.list)!);
  yield;
  const chosen = places.filter(({ name }, at) => places[at + 1]?.name !== name);
  yield;
  const pieces: Uint8Array[] = [];
  let begun: Place | undefined;
  for (const [at, place] of chosen.entries()) {
    const next = chosen[at + 1];
    begun ??= place;
    if (next?.list === place.list && next.index === place.index + 1) continue;
    if (pieces.length > 0 && separator.length > 0) pieces.push(separator);
    pieces.push(place.list.bytes.subarray(startOf(begun, separator), place.list.ends[place.index]));
    begun = undefined;
  }
  return pieces;
}

function startOf({ list, index }: Place, separator: Uint8Array): number {
  return index === 0 ? 0 : list.ends[index - 1]! + separator.length;
}
