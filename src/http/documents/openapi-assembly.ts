// The OpenAPI v2 document in one encoding, assembled from encoded entries. The entries of documents that did not change
// are kept from the last assembly and not copied, so that one more definition among thousands costs little more than its
// own entries, and few documents exist as objects at a time.

import { mergingOpenApiV2, type OpenApiV2Members } from '../../aggregator/merge-openapi-v2.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { Turn } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import type { LongMember, OpenApiV2Encoding, OpenApiV2Entry } from '../../resources/openapi/document-v2.ts';
import { type EncodedMembers, encodingMembers, orderingEntries } from '../../resources/openapi/encoded-entries.ts';
import { sortedByName } from '../../resources/openapi/rendering.ts';
import { BytePieces } from '../response/byte-pieces.ts';
import { OpenApiThread } from './openapi-thread.ts';

/** Some documents whose entries change together. */
export interface AssemblyPart {
  readonly key: string;
  /** Changes with the entries. */
  readonly hash: string;
  /** The entries, one by one; other requests may run wherever it yields. */
  describe(): Iterable<OpenApiV2Entry | undefined>;
  /** What another thread needs to describe the entries; undefined if only this one can. */
  readonly custom?: CustomPart | undefined;
}

/** The custom resources of a group version. */
export interface CustomPart {
  readonly group: string;
  readonly version: string;
  readonly minor: number;
  readonly cbor: boolean;
  readonly fieldSelectors: boolean;
  /** Their definitions, as JSON. */
  definitions(): Uint8Array[];
}

interface AssemblyContent {
  readonly frame: JsonObject;
  /** The first is that of the server itself. */
  readonly parts: readonly AssemblyPart[];
  /** Documents of other servers. */
  readonly others: readonly { readonly document: JsonObject }[];
}

interface EncodedPart {
  readonly part: AssemblyPart;
  readonly members: EncodedMembers;
}

export class OpenApiAssembly {
  readonly #encoding: OpenApiV2Encoding;
  #parts: ReadonlyMap<string, EncodedPart> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  constructor(encoding: OpenApiV2Encoding) {
    this.#encoding = encoding;
  }

  /** The bytes of a document. Other requests run between entries. */
  assemble(content: AssemblyContent, turn: Turn): Promise<BytePieces> {
    const made = this.#last.then(() => this.#assemble(content, turn));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #assemble({ frame, parts, others }: AssemblyContent, turn: Turn): Promise<BytePieces> {
    const encoded = await this.#encodeParts(parts, turn);
    this.#parts = encoded;
    const { own, clashing } = separate([...encoded.values()]);
    const renamed = await documentsOf(clashing, turn);
    const added = await this.#merge({ frame, own, others: [...renamed, ...others] }, turn);
    const members = [...own.map((part) => part.members), ...added.members];
    const ordered = (member: LongMember) => {
      const lists = members.map((each) => each[member]);
      return inTurns(orderingEntries(lists, this.#encoding.separator), turn);
    };
    const entries = { paths: await ordered('paths'), definitions: await ordered('definitions') };
    return new BytePieces([...this.#encoding.pieces(added.frame, entries)]);
  }

  async #encodeParts(parts: readonly AssemblyPart[], turn: Turn): Promise<Map<string, EncodedPart>> {
    const isKnown = ({ key, hash }: AssemblyPart) => this.#parts.get(key)?.part.hash === hash;
    const thread = isWorthThread(parts.filter((part) => !isKnown(part))) ? new OpenApiThread() : undefined;
    try {
      const encoded = new Map<string, EncodedPart>();
      for (const part of parts) {
        encoded.set(part.key, isKnown(part) ? this.#parts.get(part.key)! : await this.#encode(part, turn, thread));
      }
      return encoded;
    } finally {
      await thread?.stop();
    }
  }

  async #encode(part: AssemblyPart, turn: Turn, thread: OpenApiThread | undefined): Promise<EncodedPart> {
    const { custom } = part;
    if (thread === undefined || custom === undefined) {
      return { part, members: await inTurns(encodingMembers(part.describe(), this.#encoding), turn) };
    }
    const { definitions: _, ...shown } = custom;
    const request = { ...shown, encoding: this.#encoding.name };
    return { part, members: await thread.encode(request, custom.definitions(), turn) };
  }

  /** Merges the documents of other servers. @returns what they add and replace */
  async #merge(
    { frame, own, others }: { frame: JsonObject; own: readonly EncodedPart[]; others: AssemblyContent['others'] },
    turn: Turn,
  ): Promise<{ frame: JsonObject; members: EncodedMembers[] }> {
    if (others.length === 0) return { frame, members: [] };
    const parameters = new Map(Object.entries(frame['parameters'] as Record<string, Json>));
    const into = {
      paths: new MergedEntries(await partsByName(own, 'paths', turn)),
      definitions: new MergedEntries(await partsByName(own, 'definitions', turn)),
      parameters,
    };
    for (const { document } of others) {
      // Paths are not compared, so none of them needs to be described.
      await into.definitions.describe(Object.keys(document['definitions'] ?? {}), turn);
      await inTurns(mergingOpenApiV2(into, document), turn);
    }
    const merged = [...into.paths.entries('paths'), ...into.definitions.entries('definitions')];
    const members = await inTurns(encodingMembers(merged, this.#encoding), turn);
    return { frame: { ...frame, parameters: sortedByName(parameters) }, members: [members] };
  }
}

/** Whether parts have so many or so long definitions that another thread encodes them. */
function isWorthThread(parts: readonly AssemblyPart[]): boolean {
  let bytes = 0;
  for (const { custom } of parts) {
    for (const { length } of custom?.definitions() ?? []) {
      bytes += length;
      if (length > limits.openApiLongDefinitionBytes || bytes > limits.openApiThreadFromBytes) return true;
    }
  }
  return false;
}

/**
 * Separates the parts of custom resources that have a definition with the name of a built-in type, as a group that is
 * called like a Go package has: they are merged like documents of other servers.
 */
function separate(parts: readonly EncodedPart[]): Record<'own' | 'clashing', readonly EncodedPart[]> {
  const [builtin, ...custom] = parts;
  const names = new Set(builtin?.members.definitions.names);
  const clashes = ({ members }: EncodedPart) => members.definitions.names.some((name) => names.has(name));
  const clashing = custom.filter(clashes);
  return { own: clashing.length === 0 ? parts : parts.filter((part) => !clashing.includes(part)), clashing };
}

async function documentsOf(parts: readonly EncodedPart[], turn: Turn): Promise<{ document: JsonObject }[]> {
  const documents: { document: JsonObject }[] = [];
  for (const { part } of parts) {
    const members = { paths: {} as JsonObject, definitions: {} as JsonObject };
    for (const described of part.describe()) {
      if (described !== undefined) members[described.member][described.name] = described.value;
      await turn.over();
    }
    documents.push({ document: members });
  }
  return documents;
}

async function partsByName(
  own: readonly EncodedPart[],
  member: LongMember,
  turn: Turn,
): Promise<Map<string, AssemblyPart>> {
  const byName = new Map<string, AssemblyPart>();
  for (const { part, members } of own) {
    for (const name of members[member].names) byName.set(name, part);
    await turn.over();
  }
  return byName;
}

/** The entries of the server, which are only described when they may be compared, and those that were merged into them. */
class MergedEntries implements OpenApiV2Members {
  readonly #parts: ReadonlyMap<string, AssemblyPart>;
  /** Entries of parts, by name. */
  readonly #described = new Map<AssemblyPart, ReadonlyMap<string, Json>>();
  /** Added or replaced. */
  readonly #merged = new Map<string, Json>();

  constructor(parts: ReadonlyMap<string, AssemblyPart>) {
    this.#parts = parts;
  }

  /** Describes the parts with definitions of these names. */
  async describe(names: readonly string[], turn: Turn): Promise<void> {
    for (const name of names) {
      const part = this.#parts.get(name);
      if (part !== undefined && !this.#described.has(part)) this.#described.set(part, await definitionsOf(part, turn));
    }
  }

  has(name: string): boolean {
    return this.#merged.has(name) || this.#parts.has(name);
  }

  get(name: string): Json | undefined {
    return this.#merged.get(name) ?? this.#describedOf(name);
  }

  set(name: string, value: Json): void {
    this.#merged.set(name, value);
  }

  /** What was added or replaced. */
  *entries(member: LongMember): Generator<OpenApiV2Entry, void> {
    for (const [name, value] of this.#merged) yield { member, name, value: value as JsonObject };
  }

  #describedOf(name: string): Json | undefined {
    const part = this.#parts.get(name);
    return part && this.#described.get(part)?.get(name);
  }
}

async function definitionsOf(part: AssemblyPart, turn: Turn): Promise<Map<string, Json>> {
  const definitions = new Map<string, Json>();
  for (const described of part.describe()) {
    if (described?.member === 'definitions') definitions.set(described.name, described.value);
    await turn.over();
  }
  return definitions;
}
