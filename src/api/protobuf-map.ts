// Protobuf maps from names to bytes: one message per entry.

import { DELIMITED, type ProtobufReader } from './protobuf-reader.ts';

/** Reads an entry, whose tag has been read, into `entries`. @throws ProtobufError */
export function readBytesByName(reader: ProtobufReader, entries: Map<string, Uint8Array>): void {
  const outer = reader.enter();
  let name = '';
  let value = new Uint8Array(0) as Uint8Array;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === ((1 << 3) | DELIMITED)) name = reader.text();
    else if (tag === ((2 << 3) | DELIMITED)) value = reader.raw();
    else reader.skip(tag);
  }
  reader.leave(outer);
  entries.set(name, value);
}
