// Decoder of header blocks (HPACK, RFC 7541). Every block must be decoded completely, even if it is not needed, because
// it changes the dynamic table.

import type { Buffer } from 'node:buffer';
import { fieldBytes, type HeaderField, HeaderTable, staticFields } from './header-table.ts';
import { decodeHuffman } from './huffman.ts';
import { ConnectionError, DEFAULT_HEADER_TABLE_BYTES, ERROR } from './protocol.ts';

interface HeaderLimits {
  /** Fields of one block, including pseudo fields. */
  readonly fields: number;
  /** Bytes of one block, measured as in the table. */
  readonly bytes: number;
}

interface DecodedHeaders {
  readonly fields: readonly HeaderField[];
  /** Whether a limit was exceeded, so that `fields` is incomplete. */
  readonly tooLarge: boolean;
}

/**
 * A block that is too large must be decoded to its end. One that is so many times too large, which references to the
 * tables make cheap, ends the connection.
 */
const EXCESS = 4;

/** Maximum number of bytes of an integer, more than any length here needs. */
const LONGEST_INTEGER_BYTES = 4;

export class HeaderDecoder {
  readonly #limits: HeaderLimits;
  readonly #table = new HeaderTable(DEFAULT_HEADER_TABLE_BYTES);
  #block!: Buffer;
  #at = 0;

  constructor(limits: HeaderLimits) {
    this.#limits = limits;
  }

  /** @throws ConnectionError for an invalid header block */
  decode(block: Buffer): DecodedHeaders {
    this.#block = block;
    this.#at = 0;
    this.#readTableSizes();
    const fields: HeaderField[] = [];
    let count = 0;
    let bytes = 0;
    let tooLarge = false;
    while (this.#at < block.length) {
      const field = this.#readField();
      bytes += fieldBytes(field);
      tooLarge ||= bytes > this.#limits.bytes || fields.length === this.#limits.fields;
      if (!tooLarge) fields.push(field);
      if (++count > EXCESS * this.#limits.fields) {
        throw new ConnectionError(ERROR.enhanceYourCalm, 'a header block of far too many fields');
      }
    }
    return { fields, tooLarge };
  }

  #readTableSizes(): void {
    while (this.#at < this.#block.length && (this.#block[this.#at]! & 0xe0) === 0x20) {
      const bytes = this.#readInteger(0x1f);
      if (bytes > DEFAULT_HEADER_TABLE_BYTES) throw broken('a header table larger than was offered');
      this.#table.resize(bytes);
    }
  }

  #readField(): HeaderField {
    const first = this.#block[this.#at]!;
    if ((first & 0x80) !== 0) return this.#field(this.#readInteger(0x7f));
    const remembers = (first & 0x40) !== 0;
    if (!remembers && (first & 0x20) !== 0) throw broken('a change of the header table after a field');
    const field = this.#readLiteral(this.#readInteger(remembers ? 0x3f : 0x0f));
    if (remembers) this.#table.insert(field);
    return field;
  }

  #readLiteral(nameAt: number): HeaderField {
    const known = nameAt === 0 ? undefined : this.#field(nameAt);
    const name = known?.name ?? this.#readString();
    const nameValid = known === undefined ? NAME.test(name) : known.valid;
    const value = this.#readString();
    return { name, value, valid: nameValid && VALUE.test(value) };
  }

  #field(index: number): HeaderField {
    const fixed = staticFields.length;
    const field = index <= fixed ? staticFields[index - 1] : this.#table.at(this.#table.inserted - (index - fixed));
    if (field === undefined) throw broken('a header field that no table has');
    return field;
  }

  #readString(): string {
    if (this.#at >= this.#block.length) throw broken('a header block that ends early');
    const isCoded = (this.#block[this.#at]! & 0x80) !== 0;
    const length = this.#readInteger(0x7f);
    const end = this.#at + length;
    if (end > this.#block.length) throw broken('a header block that ends early');
    const start = this.#at;
    this.#at = end;
    if (!isCoded) return this.#block.toString('latin1', start, end);
    const bytes = decodeHuffman(this.#block.subarray(start, end));
    if (bytes === undefined) throw broken('a string in no Huffman code');
    return bytes.toString('latin1');
  }

  /** An integer that begins in the bits of `mask` of the next byte (RFC 7541, 5.1). */
  #readInteger(mask: number): number {
    let value = this.#block[this.#at++]! & mask;
    if (value < mask) return value;
    for (let count = 0; count < LONGEST_INTEGER_BYTES; count++) {
      const byte = this.#block[this.#at++];
      if (byte === undefined) throw broken('a header block that ends early');
      value += (byte & 0x7f) * 2 ** (7 * count);
      if ((byte & 0x80) === 0) return value;
    }
    throw broken('an integer that is too long');
  }
}

/** Names are in lower case (RFC 9113, 8.2.1); those of pseudo fields begin with a colon. */
const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/**
 * No control characters except tabs. Blanks around a value are against RFC 9113 but accepted as by Go's server: client-go
 * sends `Bearer ` for an empty token, and takes a reset of the stream as a reason to try again and again.
 */
const VALUE = /^[\t -~\x80-\xff]*$/;

function broken(what: string): ConnectionError {
  return new ConnectionError(ERROR.compression, what);
}
