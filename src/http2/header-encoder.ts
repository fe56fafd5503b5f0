// Encoder of header blocks (HPACK, RFC 7541). Values common to all responses are put into the table and cost one byte
// afterwards; of values that differ each time, only the name is indexed. Strings are not Huffman-coded, which would
// cost more time than it saves.

import { Buffer } from 'node:buffer';
import { fieldBytes, HeaderTable, staticFields } from './header-table.ts';
import { DEFAULT_HEADER_TABLE_BYTES } from './protocol.ts';

/** Indexes of names, and of some fields, in the static table. */
const staticNames: ReadonlyMap<string, number> = new Map(
  // The first field of a name counts.
  staticFields.map(({ name }, at): [string, number] => [name, at + 1]).toReversed(),
);
const staticStatuses: ReadonlyMap<number, number> = new Map(
  staticFields.flatMap(({ name, value }, at): [number, number][] =>
    name === ':status' ? [[Number(value), at + 1]] : [],
  ),
);

/** Representations: the bits of the first byte, and the prefix size of the integer (RFC 7541, 6). */
interface Prefix {
  readonly pattern: number;
  readonly mask: number;
}

const INDEXED: Prefix = { pattern: 0x80, mask: 0x7f };
const REMEMBERED: Prefix = { pattern: 0x40, mask: 0x3f };
const TABLE_SIZE: Prefix = { pattern: 0x20, mask: 0x1f };
const LITERAL: Prefix = { pattern: 0, mask: 0x0f };
const STRING: Prefix = { pattern: 0, mask: 0x7f };

/** The latest field with its name in the table. */
interface Remembered {
  readonly value: string;
  readonly insertion: number;
}

/** Overhead of a literal field: an index and two lengths. */
const LITERAL_OVERHEAD_BYTES = 18;

/** More names than the table has room for. */
const MAX_REMEMBERED = 256;

/** Room for the head of most responses; an encoder doubles it when it needs more. */
const BLOCK_BYTES = 512;

export class HeaderEncoder {
  readonly #lasting: ReadonlySet<string>;
  readonly #table = new HeaderTable(DEFAULT_HEADER_TABLE_BYTES);
  readonly #remembered = new Map<string, Remembered>();
  /** The table size from the next block on, to be announced. */
  #newTableBytes: number | undefined;
  /** The smallest table size since the last block: entries beyond it were evicted. */
  #leastTableBytes = DEFAULT_HEADER_TABLE_BYTES;
  /** The block being encoded, up to `#at`. */
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #at = 0;

  /** `lasting` names the fields whose values are likely to recur. */
  constructor(lasting: ReadonlySet<string>) {
    this.#lasting = lasting;
  }

  /** The peer's maximum table size in bytes. */
  limitTable(bytes: number): void {
    const wanted = Math.min(bytes, DEFAULT_HEADER_TABLE_BYTES);
    if (wanted === (this.#newTableBytes ?? this.#table.limitBytes)) return;
    this.#newTableBytes = wanted;
    this.#leastTableBytes = Math.min(wanted, this.#leastTableBytes);
  }

  begin(status: number): void {
    this.#at = 0;
    if (this.#newTableBytes !== undefined) this.#resizeTable(this.#newTableBytes);
    const known = staticStatuses.get(status);
    if (known !== undefined) this.#integer(INDEXED, known);
    else {
      this.#integer(LITERAL, staticNames.get(':status')!);
      this.#string(String(status));
    }
  }

  /** `name` is in lower case. */
  field(name: string, value: string): void {
    this.#makeRoom(name.length + value.length + LITERAL_OVERHEAD_BYTES);
    const last = this.#remembered.get(name);
    const isThere = last !== undefined && last.insertion >= this.#table.oldest;
    if (isThere && last.value === value) {
      this.#integer(INDEXED, this.#indexOf(last));
      return;
    }
    const nameAt = staticNames.get(name) ?? (isThere ? this.#indexOf(last) : 0);
    const remembers = this.#remembers(name, value, nameAt);
    this.#integer(remembers ? REMEMBERED : LITERAL, nameAt);
    if (nameAt === 0) this.#string(name);
    this.#string(value);
    if (!remembers) return;
    this.#table.insert({ name, value, valid: true });
    // Names that were evicted would pile up; forgetting them only costs another literal.
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(name, { value, insertion: this.#table.inserted - 1 });
  }

  /** The block; valid until the next is begun. */
  end(): Buffer {
    return this.#block.subarray(0, this.#at);
  }

  /** Also announces the smallest size, for which the peer has evicted entries (RFC 7541, 4.2). */
  #resizeTable(bytes: number): void {
    for (const each of new Set([this.#leastTableBytes, bytes])) {
      this.#table.resize(each);
      this.#integer(TABLE_SIZE, each);
    }
    this.#newTableBytes = undefined;
    this.#leastTableBytes = DEFAULT_HEADER_TABLE_BYTES;
  }

  #remembers(name: string, value: string, nameAt: number): boolean {
    if (!this.#lasting.has(name) && nameAt !== 0) return false;
    // A field larger than the table would empty it.
    return fieldBytes({ name, value, valid: true }) * 4 <= this.#table.limitBytes;
  }

  #indexOf({ insertion }: Remembered): number {
    return staticFields.length + this.#table.inserted - insertion;
  }

  #string(text: string): void {
    this.#integer(STRING, text.length);
    this.#at += this.#block.write(text, this.#at, 'latin1');
  }

  #integer({ pattern, mask }: Prefix, value: number): void {
    const block = this.#block;
    if (value < mask) {
      block[this.#at++] = pattern | value;
      return;
    }
    block[this.#at++] = pattern | mask;
    let rest = value - mask;
    for (; rest >= 0x80; rest >>>= 7) block[this.#at++] = (rest & 0x7f) | 0x80;
    block[this.#at++] = rest;
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#block.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + bytes));
    this.#block.copy(larger, 0, 0, this.#at);
    this.#block = larger;
  }
}
