// The OpenAPI v2 document in one encoding, assembled from encoded entries. The entries of documents that did not change
// are copied from the last assembly: one more definition among thousands costs little more than the copy, and few
// documents exist as objects at a time.

import { Buffer } from 'node:buffer';
import { mergingOpenApiV2, type OpenApiV2Members } from '../../aggregator/merge-openapi-v2.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Turn } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import type {
  EncodedEntry,
  LongMember,
  OpenApiV2Encoding,
  OpenApiV2Entry,
} from '../../resources/openapi/document-v2.ts';
import { sortedByName } from '../../resources/openapi/rendering.ts';

/** Some documents whose entries change together. */
export interface AssemblyPart {
  readonly key: string;
  /** Changes with the entries. */
  readonly hash: string;
  /** The entries, one by one; other requests may run wherever it yields. */
  describe(): Iterable<OpenApiV2Entry | undefined>;
}

interface AssemblyContent {
  readonly frame: JsonObject;
  readonly parts: readonly AssemblyPart[];
  /** Documents of other servers. */
  readonly others: readonly { readonly document: JsonObject }[];
}

interface PartEntry extends EncodedEntry {
  readonly part: AssemblyPart;
}

interface EncodedPart {
  readonly hash: string;
  readonly entries: Readonly<Record<LongMember, ReadonlyMap<string, PartEntry>>>;
}

/** Entries by name. Those of no part are of other servers. */
type Entries = Record<LongMember, Map<string, EncodedEntry & { readonly part?: AssemblyPart }>>;

export class OpenApiAssembly {
  readonly #encoding: OpenApiV2Encoding;
  #parts: ReadonlyMap<string, EncodedPart> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  constructor(encoding: OpenApiV2Encoding) {
    this.#encoding = encoding;
  }

  /** The bytes of a document. Other requests run between entries. */
  assemble(content: AssemblyContent, turn: Turn): Promise<Buffer> {
    const made = this.#last.then(() => this.#assemble(content, turn));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #assemble({ frame, parts, others }: AssemblyContent, turn: Turn): Promise<Buffer> {
    const encoded = await this.#encodeParts(parts, turn);
    const entries: Entries = { paths: new Map(), definitions: new Map() };
    for (const part of encoded.values()) {
      for (const [name, entry] of part.entries.paths) entries.paths.set(name, entry);
      for (const [name, entry] of part.entries.definitions) entries.definitions.set(name, entry);
      await turn.over();
    }
    const merged = await this.#merge({ frame, entries, others }, turn);
    const sorted = { paths: inOrder(entries.paths), definitions: inOrder(entries.definitions) };
    await turn.over();
    const bytes = await joined([...this.#encoding.pieces(merged, sorted)], turn);
    keepApart(encoded, bytes);
    this.#parts = encoded;
    return bytes;
  }

  async #encodeParts(parts: readonly AssemblyPart[], turn: Turn): Promise<Map<string, EncodedPart>> {
    const encoded = new Map<string, EncodedPart>();
    for (const part of parts) {
      const known = this.#parts.get(part.key);
      encoded.set(part.key, known?.hash === part.hash ? known : await this.#encode(part, turn));
    }
    return encoded;
  }

  async #encode(part: AssemblyPart, turn: Turn): Promise<EncodedPart> {
    const entries = { paths: new Map<string, PartEntry>(), definitions: new Map<string, PartEntry>() };
    for (const described of part.describe()) {
      if (described !== undefined) {
        const { member, name, value } = described;
        entries[member].set(name, { bytes: this.#encoding.entry(member, name, value), part });
      }
      const wait = turn.over();
      if (wait !== undefined) await wait;
    }
    return { hash: part.hash, entries };
  }

  /** Merges the documents of other servers into the entries. @returns the frame with their parameters */
  async #merge({ frame, entries, others }: Omit<AssemblyContent, 'parts'> & { entries: Entries }, turn: Turn) {
    if (others.length === 0) return frame;
    const described = new Map<AssemblyPart, ReadonlyMap<string, Json>>();
    const parameters = new Map(Object.entries(frame['parameters'] as Record<string, Json>));
    const encoding = this.#encoding;
    const into = {
      // Paths are not compared, so none of them is described.
      paths: new MergedEntries('paths', { entries, described: new Map(), encoding }),
      definitions: new MergedEntries('definitions', { entries, described, encoding }),
      parameters,
    };
    for (const { document } of others) {
      for (const name of Object.keys(document['definitions'] ?? {})) {
        const part = entries.definitions.get(name)?.part;
        if (part !== undefined && !described.has(part)) described.set(part, await definitionsOf(part, turn));
      }
      await inTurns(mergingOpenApiV2(into, document), turn);
    }
    return { ...frame, parameters: sortedByName(parameters) };
  }
}

interface Merging {
  readonly entries: Entries;
  /** Entries of the parts whose entries may be asked for. */
  readonly described: ReadonlyMap<AssemblyPart, ReadonlyMap<string, Json>>;
  readonly encoding: OpenApiV2Encoding;
}

class MergedEntries implements OpenApiV2Members {
  readonly #member: LongMember;
  readonly #merging: Merging;
  /** Of other servers. */
  readonly #values = new Map<string, Json>();

  constructor(member: LongMember, merging: Merging) {
    this.#member = member;
    this.#merging = merging;
  }

  has(name: string): boolean {
    return this.#merging.entries[this.#member].has(name);
  }

  get(name: string): Json | undefined {
    const { entries, described } = this.#merging;
    const part = entries[this.#member].get(name)?.part;
    return part === undefined ? this.#values.get(name) : described.get(part)?.get(name);
  }

  set(name: string, value: Json): void {
    const { entries, encoding } = this.#merging;
    this.#values.set(name, value);
    entries[this.#member].set(name, { bytes: encoding.entry(this.#member, name, value) });
  }
}

async function definitionsOf(part: AssemblyPart, turn: Turn): Promise<Map<string, Json>> {
  const definitions = new Map<string, Json>();
  for (const described of part.describe()) {
    if (described?.member === 'definitions') definitions.set(described.name, described.value);
    const wait = turn.over();
    if (wait !== undefined) await wait;
  }
  return definitions;
}

function inOrder(entries: ReadonlyMap<string, EncodedEntry>): EncodedEntry[] {
  return [...entries.keys()].sort().map((name) => entries.get(name)!);
}

/** The pieces in one buffer; entries are part of it from then on. */
async function joined(pieces: readonly (Uint8Array | EncodedEntry)[], turn: Turn): Promise<Buffer> {
  let length = 0;
  for (const piece of pieces) length += bytesOf(piece).length;
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    const bytes = bytesOf(piece);
    whole.set(bytes, at);
    if (!(piece instanceof Uint8Array)) piece.bytes = whole.subarray(at, at + bytes.length);
    at += bytes.length;
    const wait = turn.over();
    if (wait !== undefined) await wait;
  }
  return whole;
}

function bytesOf(piece: Uint8Array | EncodedEntry): Uint8Array {
  return piece instanceof Uint8Array ? piece : piece.bytes;
}

/** Copies entries that another server's replace in this document, so that they do not keep the last one in memory. */
function keepApart(parts: ReadonlyMap<string, EncodedPart>, { buffer }: Buffer): void {
  for (const { entries } of parts.values()) {
    for (const entry of [...entries.paths.values(), ...entries.definitions.values()]) {
      if (entry.bytes.buffer !== buffer) entry.bytes = entry.bytes.slice();
    }
  }
}
