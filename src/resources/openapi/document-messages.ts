// Protobuf messages of OpenAPI documents (gnostic's openapi.v2 and openapi.v3): how JSON members become fields, and the
// encoding of a document in pieces. Values of any form are YAML text.

import type { Json, JsonObject } from '../../api/object.ts';
import { DELIMITED, FIXED64, VARINT } from '../../api/protobuf-reader.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { stringifyYaml } from '../../api/yaml-writer.ts';
import type { Turn } from '../../base/short-turns.ts';

/** Writes a value as a field. */
export type Write = (writer: ProtobufWriter, field: number, value: Json) => void;

/** Fields of a message by JSON name. */
export type Fields = Readonly<Record<string, readonly [field: number, write: Write]>>;

interface Shape {
  readonly fields: Fields;
  /** The field of members whose names begin with `x-`. */
  readonly extensions?: number;
}

export const text: Write = (writer, field, value) => {
  writer.text(value as string);
  writeTag(writer, field, DELIMITED);
};
export const bool: Write = (writer, field, value) => {
  writer.uint(value === true ? 1 : 0);
  writeTag(writer, field, VARINT);
};
export const integer: Write = (writer, field, value) => {
  writer.int(value as number | bigint);
  writeTag(writer, field, VARINT);
};
export const double: Write = (writer, field, value) => {
  writer.double(Number(value));
  writeTag(writer, field, FIXED64);
};

/** A value of any form as YAML. */
export const any: Write = (writer, field, value) =>
  writeMessage(writer, field, () => text(writer, 2, stringifyYaml(value)));

function writeTag(writer: ProtobufWriter, field: number, content: number): void {
  writer.uint(field * 8 + content);
}

/** The writer works backwards: the last field of a message is written first, its length last. */
function writeMessage(writer: ProtobufWriter, field: number, write: () => void): void {
  const before = writer.size;
  write();
  writer.uint(writer.size - before);
  writeTag(writer, field, DELIMITED);
}

export function list(write: Write): Write {
  return (writer, field, value) => {
    const items = value as Json[];
    for (let index = items.length - 1; index >= 0; index--) write(writer, field, items[index] as Json);
  };
}

/** A map: messages of a name and a value. */
export function named(write: Write): Write {
  return (writer, field, value) => {
    for (const [name, member] of Object.entries(value as JsonObject).reverse())
      writeNamed(writer, field, { name, member: member as Json, write });
  };
}

function writeNamed(
  writer: ProtobufWriter,
  field: number,
  { name, member, write }: { name: string; member: Json; write: Write },
): void {
  writeMessage(writer, field, () => {
    write(writer, 2, member);
    text(writer, 1, name);
  });
}

/** A message with a single field. */
export function within(inner: number, write: Write): Write {
  return (writer, field, value) => writeMessage(writer, field, () => write(writer, inner, value));
}

/** A message; `shape` is called on first use, so that messages can be recursive. */
export function message(shape: () => Shape): Write {
  let known: Shape | undefined;
  return (writer, field, value) => {
    known ??= shape();
    const { fields, extensions } = known;
    writeMessage(writer, field, () => writeMembers(writer, value as JsonObject, { fields, extensions }));
  };
}

function writeMembers(
  writer: ProtobufWriter,
  value: JsonObject,
  { fields, extensions }: { fields: Fields; extensions: number | undefined },
): void {
  for (const [name, member] of Object.entries(value).reverse()) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known !== undefined) known[1](writer, known[0], member as Json);
    else if (extensions !== undefined && name.startsWith('x-'))
      writeNamed(writer, extensions, { name, member: member as Json, write: any });
  }
}

/** One of two forms of a value. */
export function either(isFirst: (value: Json) => boolean, first: Write, second: Write): Write {
  return (writer, field, value) => (isFirst(value) ? first : second)(writer, field, value);
}

export const texts = list(text);

/** A map whose entries are encoded one by one: `field` of the document, `entry` of the map. */
export interface LongMap {
  readonly field: number;
  readonly entry: number;
  readonly write: Write;
}

/** One entry of a long map. */
export function encodedEntry({ entry, write }: LongMap, name: string, member: Json): Uint8Array {
  const writer = new ProtobufWriter();
  writeNamed(writer, entry, { name, member, write });
  return writer.bytes();
}

/** A short member of a document. */
export function encodedMember(name: string, value: Json, fields: Fields): Uint8Array {
  const writer = new ProtobufWriter();
  writeMembers(writer, { [name]: value }, { fields, extensions: undefined });
  return writer.bytes();
}

/** What precedes the content of a message of this size. */
export function encodedHead(field: number, size: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.uint(size);
  writeTag(writer, field, DELIMITED);
  return writer.bytes();
}

/**
 * A document in pieces, the last first. Each piece is encoded separately and put in its place at the end, because making
 * room in a growing buffer would take a long turn.
 */
export class DocumentPieces {
  readonly #writer = new ProtobufWriter();
  readonly #pieces: Uint8Array[] = [];
  readonly #turn: Turn;
  #size = 0;

  /** @param turn other requests run between pieces */
  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a short member. */
  member(name: string, value: Json, fields: Fields): void {
    writeMembers(this.#writer, { [name]: value }, { fields, extensions: undefined });
    this.#take();
  }

  /** Adds a long map. */
  async map(value: JsonObject, { field, entry, write }: LongMap): Promise<void> {
    const before = this.#size;
    for (const [name, member] of Object.entries(value).reverse()) {
      writeNamed(this.#writer, entry, { name, member: member as Json, write });
      this.#take();
      await this.#turn.over();
    }
    this.enclose(field, before);
  }

  /** Makes a message of what was added since the size was `before`. */
  enclose(field: number, before: number): void {
    this.#writer.uint(this.#size - before);
    writeTag(this.#writer, field, DELIMITED);
    this.#take();
  }

  async bytes(): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces.reverse()) {
      bytes.set(piece, at);
      at += piece.length;
      await this.#turn.over();
    }
    return bytes;
  }

  #take(): void {
    this.#pieces.push(this.#writer.bytes());
    this.#size += this.#writer.size;
    this.#writer.clear();
  }
}
