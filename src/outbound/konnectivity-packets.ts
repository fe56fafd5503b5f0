// Packets of the konnectivity protocol: a type, and a message.

import { DELIMITED, ProtobufReader, VARINT } from '../api/protobuf-reader.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';

/** The numbers of the types. */
export const Packet = { dial: 0, dialAnswer: 1, close: 2, closeAnswer: 3, data: 4, dialClosed: 5 } as const;

/** The field that contains the message of a type. */
const MESSAGE_FIELDS: Readonly<Record<number, number | undefined>> = {
  [Packet.dial]: 2,
  [Packet.dialAnswer]: 3,
  [Packet.data]: 4,
  [Packet.close]: 5,
  [Packet.closeAnswer]: 6,
  [Packet.dialClosed]: 7,
};

/** The content of a packet from a proxy; fields that its type does not have are 0 or empty. */
export interface ReadPacket {
  readonly type: number;
  readonly error: string;
  readonly connection: number;
  /** Matches a response to its request. */
  readonly random: number;
  readonly data: Uint8Array;
}

/** @param fields of the packet's message by number */
export function konnectivityPacket(
  type: (typeof Packet)[keyof typeof Packet],
  fields: Readonly<Record<number, number | string | Uint8Array>>,
): Buffer {
  const out = new ProtobufWriter();
  for (const [field, value] of Object.entries(fields).toReversed()) writeField(out, Number(field), value);
  out.uint(out.size);
  out.uint(((MESSAGE_FIELDS[type] ?? 0) << 3) | DELIMITED);
  if (type !== 0) writeField(out, 1, type);
  return Buffer.from(out.bytes());
}

function writeField(out: ProtobufWriter, field: number, value: number | string | Uint8Array): void {
  if (typeof value === 'number') {
    out.int(value);
    out.uint((field << 3) | VARINT);
    return;
  }
  if (typeof value === 'string') out.text(value);
  else {
    out.raw(value);
    out.uint(value.length);
  }
  out.uint((field << 3) | DELIMITED);
}

/** @throws ProtobufError */
export function readKonnectivityPacket(bytes: Uint8Array): ReadPacket {
  const reader = new ProtobufReader(bytes);
  let type = 0;
  let fields: Fields = new Map();
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === ((1 << 3) | VARINT)) type = Number(reader.int64());
    else if ((tag & 7) === DELIMITED) {
      const outer = reader.enter();
      fields = readFields(reader);
      reader.leave(outer);
    } else reader.skip(tag);
  }
  return packetOf(type, fields);
}

type Fields = Map<number, number | Uint8Array>;

function readFields(reader: ProtobufReader): Fields {
  const fields: Fields = new Map();
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) === VARINT) fields.set(tag >>> 3, Number(reader.int64()));
    else if ((tag & 7) === DELIMITED) fields.set(tag >>> 3, reader.raw());
    else reader.skip(tag);
  }
  return fields;
}

const NOTHING = new Uint8Array(0);

function packetOf(type: number, fields: Fields): ReadPacket {
  const number = (field: number) => Number(fields.get(field) ?? 0) || 0;
  const bytes = (field: number) => {
    const value = fields.get(field);
    return typeof value === 'object' ? value : NOTHING;
  };
  const text = (field: number) => Buffer.from(bytes(field)).toString();
  const packet = { type, error: '', connection: 0, random: 0, data: NOTHING };
  switch (type) {
    case Packet.dialAnswer:
      return { ...packet, error: text(1), connection: number(2), random: number(3) };
    case Packet.closeAnswer:
      return { ...packet, error: text(1), connection: number(2) };
    case Packet.data:
      return { ...packet, connection: number(1), error: text(2), data: bytes(3) };
    case Packet.dialClosed:
      return { ...packet, random: number(1) };
    default:
      return packet;
  }
}
