// Bodies in CBOR, which both servers read and write with the feature gate CBORServingAndStorage.

import { Buffer } from 'node:buffer';
import { parseCbor } from '../../src/api/cbor-reader.ts';
import { CborWriter } from '../../src/api/cbor-writer.ts';
import type { Json } from '../../src/api/object.ts';

export const CBOR = 'application/cbor';

/** A JSON value in CBOR, with the tag that begins every body. */
export function cborOf(value: unknown): Buffer {
  const writer = new CborWriter();
  writer.selfDescribed();
  writer.value(value as Json);
  return Buffer.from(writer.view());
}

/** A response in CBOR as it is compared: its value, and the bytes if they cannot be read. */
export function cborAnswer(bytes: Buffer): unknown {
  try {
    return { cbor: true, json: parseCbor(bytes) };
  } catch {
    return { base64: bytes.toString('base64') };
  }
}
