// Structure of CBOR documents (RFC 8949): item heads, and the check for well-formedness, which precedes decoding
// because its errors take precedence. Messages are those of Kubernetes' decoder.

import { limits } from '../base/limits.ts';

/** Malformed or unacceptable CBOR. */
export class CborError extends Error {
  override name = 'CborError';
  /** Depth of the error in the document; 0 for the document itself or its form. */
  readonly depth: number;

  constructor(message: string, depth = 0) {
    super(message);
    this.depth = depth;
  }
}

export const BYTES = 2;
export const TEXT = 3;
export const ARRAY = 4;
export const MAP = 5;
export const TAG = 6;
export const PRIMITIVE = 7;
export const TYPE_NAMES = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

const INDEFINITE = 31;
const BREAK = 0xff;

/** The name of an item in messages, by its first byte. */
export function cborTypeName(firstByte: number): string {
  return TYPE_NAMES[firstByte >> 5] as string;
}

interface Head {
  readonly type: number;
  /** The five bits next to the type. */
  readonly info: number;
  /** The following number; 0 for indefinite length. */
  readonly argument: number;
}

/** A cursor in a document. */
export class CborForm {
  protected readonly bytes: Uint8Array;
  protected readonly view: DataView;
  protected at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Checks the whole document. */
  checkForm(): void {
    const { length } = this.bytes;
    if (length === 0) throw new CborError('EOF');
    this.wellFormed(0);
    if (this.at !== length) {
      throw new CborError(`cbor: ${length - this.at} bytes of extraneous data starting at index ${this.at}`);
    }
    this.at = 0;
  }

  protected wellFormed(depth: number): void {
    const head = this.#checkedHead();
    const { type, argument } = head;
    if (type === BYTES || type === TEXT) {
      if (isIndefinite(head)) this.#chunks(type);
      else this.#skip(argument);
    } else if (type === ARRAY || type === MAP) {
      checkDepth(depth + 1);
      if (isIndefinite(head)) this.#untilBreak(type, depth + 1);
      else {
        checkSize(type, argument);
        const items = type === MAP ? 2 * argument : argument;
        for (let index = 0; index < items; index++) this.wellFormed(depth + 1);
      }
    } else if (type === TAG) this.#tagged(argument, depth);
  }

  /** Tags are processed in a loop: each except the first counts as a level. */
  #tagged(tag: number, depth: number): void {
    for (let level = depth; ; ) {
      if (this.at === this.bytes.length) throw unexpectedEnd();
      if (tag === 2 || tag === 3) throw notAccepted(TAG, 'bignum');
      if ((this.bytes[this.at] as number) >> 5 !== TAG) {
        this.wellFormed(level);
        return;
      }
      tag = this.#checkedHead().argument;
      checkDepth(++level);
    }
  }

  #chunks(type: number): void {
    while (!this.breaks()) {
      const first = this.bytes[this.at] as number;
      if (first >> 5 !== type) {
        throw new CborError(
          `cbor: wrong element type ${cborTypeName(first)} for indefinite-length ${TYPE_NAMES[type] as string}`,
        );
      }
      if ((first & 31) === INDEFINITE) {
        throw new CborError(`cbor: indefinite-length ${TYPE_NAMES[type] as string} chunk is not definite-length`);
      }
      this.#skip(this.#checkedHead().argument);
    }
  }

  #untilBreak(type: number, depth: number): void {
    let items = 0;
    while (!this.breaks()) {
      this.wellFormed(depth);
      items++;
      checkSize(type, type === MAP ? Math.floor(items / 2) : items);
    }
    if (type === MAP && items % 2 === 1) throw new CborError('cbor: unexpected "break" code');
  }

  protected breaks(): boolean {
    if (this.at === this.bytes.length) throw unexpectedEnd();
    if (this.bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  #skip(bytes: number): void {
    if (this.bytes.length - this.at < bytes) throw unexpectedEnd();
    this.at += bytes;
  }

  #checkedHead(): Head {
    const first = this.bytes[this.at];
    if (first === undefined) throw unexpectedEnd();
    const type = first >> 5;
    const info = first & 31;
    if (info > 27) this.#checkInfo(type, info);
    if (info >= 24 && info <= 27 && this.bytes.length - this.at <= 1 << (info - 24)) throw unexpectedEnd();
    const head = this.head();
    if (type === PRIMITIVE && info === 24 && head.argument < 32) {
      throw new CborError(`cbor: invalid simple value ${head.argument} for type primitives`);
    }
    if (type === PRIMITIVE && info > 24 && info < 28) {
      const float = this.float(info);
      if (Number.isNaN(float)) throw notAccepted(PRIMITIVE, 'floating-point NaN');
      if (!Number.isFinite(float)) throw notAccepted(PRIMITIVE, 'floating-point infinity');
    }
    return head;
  }

  #checkInfo(type: number, info: number): void {
    if (info === INDEFINITE && type === PRIMITIVE) throw new CborError('cbor: unexpected "break" code');
    if (info === INDEFINITE && type >= BYTES && type <= MAP) return;
    throw new CborError(`cbor: invalid additional information ${info} for type ${TYPE_NAMES[type] as string}`);
  }

  /** The next item's head; for a number beyond a double only its approximate size. */
  protected head(): Head {
    const first = this.bytes[this.at++] as number;
    const info = first & 31;
    return { type: first >> 5, info, argument: this.#argument(info) };
  }

  #argument(info: number): number {
    if (info < 24) return info;
    if (info === INDEFINITE) return 0;
    const at = this.at;
    this.at += 1 << (info - 24);
    if (info === 24) return this.bytes[at] as number;
    if (info === 25) return this.view.getUint16(at);
    return info === 26 ? this.view.getUint32(at) : Number(this.view.getBigUint64(at));
  }

  /** The float whose head has just been read. */
  protected float(info: number): number {
    if (info === 25) return halfOf(this.view.getUint16(this.at - 2));
    return info === 26 ? this.view.getFloat32(this.at - 4) : this.view.getFloat64(this.at - 8);
  }
}

export function isIndefinite({ info }: Head): boolean {
  return info === INDEFINITE;
}

function checkDepth(depth: number): void {
  if (depth > limits.cborDepth) throw new CborError(`cbor: exceeded max nested level ${limits.cborDepth}`);
}

function checkSize(type: number, items: number): void {
  if (items <= limits.cborItems) return;
  const what = type === MAP ? 'key-value pairs' : 'elements';
  throw new CborError(
    `cbor: exceeded max number of ${what} ${limits.cborItems} for CBOR ${TYPE_NAMES[type] as string}`,
  );
}

function unexpectedEnd(): CborError {
  return new CborError('unexpected EOF');
}

export function notAccepted(type: number, what: string): CborError {
  return new CborError(
    `cbor: data item of cbor type ${TYPE_NAMES[type] as string} is not accepted by protocol: ${what}`,
  );
}

function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >= 0x8000 ? -size : size;
}
