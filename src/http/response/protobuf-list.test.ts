import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { readEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { limits } from '../../base/limits.ts';
import { inOneStep, type Steps } from '../../base/steps.ts';
import { builtinType } from '../../resources/builtin/types.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { PieceWriter } from './piece-writer.ts';
import { writeProtobufList } from './protobuf-list.ts';

/** Writes a list of config maps of these sizes. */
async function listOf(sizes: readonly number[]): Promise<{ bytes: Buffer; pieces: number; encoded: number }> {
  const pieces: Buffer[] = [];
  const writer = new PieceWriter(async (piece) => {
    pieces.push(piece);
    return false;
  });
  let encoded = 0;
  const out = new ProtobufWriter();
  const making = ({ revision }: StoredObject): Steps<Uint8Array> => {
    encoded++;
    const value = { metadata: { name: `c${revision}` }, data: { text: 'x'.repeat(sizes[revision] as number) } };
    out.clear();
    encodeProtobuf(builtinType('', 'v1', 'ConfigMap'), value, out);
    return inOneStep(out.bytes());
  };
  await writeProtobufList(
    {
      names: { apiVersion: 'v1', kind: 'ConfigMapList' },
      metadata: { resourceVersion: '12', remainingItemCount: 3 },
      objects: sizes.map((_size, revision) => ({ bytes: Buffer.alloc(0), revision })),
      messages: { making },
      turn: { over: () => undefined },
    },
    writer,
  );
  return { bytes: Buffer.concat([...pieces, writer.rest()]), pieces: pieces.length, encoded };
}

function decodeList(bytes: Buffer): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  assert.deepEqual({ apiVersion, kind }, { apiVersion: 'v1', kind: 'ConfigMapList' });
  return decodeProtobuf(builtinType('', 'v1', 'ConfigMapList'), raw);
}

describe('a list in protobuf', () => {
  it('a list in protobuf holds its metadata and its items', async () => {
    const { bytes } = await listOf([1, 3]);
    assert.deepEqual(decodeList(bytes), {
      metadata: { resourceVersion: '12', remainingItemCount: 3 },
      items: [
        { metadata: { name: 'c0' }, data: { text: 'x' } },
        { metadata: { name: 'c1' }, data: { text: 'xxx' } },
      ],
    });
    assert.equal(bytes.toString('hex', bytes.length - 4), '1a002200');
  });

  it('a list in protobuf may be empty', async () => {
    const { bytes } = await listOf([]);
    assert.deepEqual(decodeList(bytes), {
      metadata: { resourceVersion: '12', remainingItemCount: 3 },
      items: null,
    });
  });

  it('a list in protobuf keeps encoded items up to its limit, and encodes those beyond it twice', async () => {
    const size = limits.protobufListBytes / 4;
    const { bytes, pieces, encoded } = await listOf([size, size, size, size, size, 10]);
    const { items } = decodeList(bytes) as { items: { data: { text: string } }[] };
    assert.deepEqual(
      items.map(({ data }) => data.text.length),
      [size, size, size, size, size, 10],
    );
    assert.equal(encoded, 6 + 3);
    assert.ok(pieces > 10, `${pieces} pieces`);
  });
});
