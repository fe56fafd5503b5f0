// Protobuf encoding of lists. The length precedes the items, so they are first encoded to be counted; what fits into a
// limit is kept for sending and the rest is encoded again, so that memory does not grow with the size of the list.

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../api/object.ts';
import { beginEnvelope, endEnvelope, type TypeNames } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { limits } from '../../base/limits.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import { carriedOut } from '../../base/steps.ts';
import { NEWEST_MINOR } from '../../lifecycle/version.ts';
import { ListMeta } from '../../resources/builtin/meta/v1.ts';
import { typeInRelease } from '../../schema/declared-struct.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import type { ObjectMessages } from './object-messages.ts';
import type { PieceWriter } from './piece-writer.ts';

interface ProtobufList {
  readonly names: TypeNames;
  readonly metadata: JsonObject;
  readonly objects: readonly StoredObject[];
  readonly messages: Pick<ObjectMessages, 'making'>;
  readonly turn: Turn;
}

const METADATA = (1 << 3) | 2;
const ITEM = (2 << 3) | 2;

/** Writes a list in its envelope. */
export async function writeProtobufList(list: ProtobufList, pieces: PieceWriter): Promise<void> {
  const out = new ProtobufWriter();
  const { kept, length } = await measure(list);
  encodeProtobuf(typeInRelease(ListMeta, NEWEST_MINOR), list.metadata, out);
  out.uint(out.size);
  out.uint(METADATA);
  beginEnvelope(out, list.names, out.size + length);
  await write(out.view(), pieces);
  for (const [index, object] of list.objects.entries()) {
    const making = kept[index] ?? carriedOut(list.messages.making(object), list.turn);
    const message = isLater(making) ? await making : making;
    out.clear();
    out.uint(message.length);
    out.uint(ITEM);
    let wait = write(out.view(), pieces);
    if (wait !== undefined) await wait;
    wait = write(message, pieces);
    if (wait !== undefined) await wait;
    wait = list.turn.over();
    if (wait !== undefined) await wait;
  }
  out.clear();
  endEnvelope(out);
  await write(out.view(), pieces);
}

/** Encodes the items to determine their length; keeps the first of them. */
async function measure({ objects, messages, turn }: ProtobufList): Promise<{ kept: Uint8Array[]; length: number }> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for (const object of objects) {
    const making = carriedOut(messages.making(object), turn);
    const message = isLater(making) ? await making : making;
    length += 1 + varintLength(message.length) + message.length;
    if (length <= limits.protobufListBytes) kept.push(message);
    await turn.over();
  }
  return { kept, length };
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest >>>= 7) length++;
  return length;
}

function write(bytes: Uint8Array, pieces: PieceWriter): Soon<void> {
  return pieces.bytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
