// The form of a response: its media type, whether it is indented, and the transformation of the object. negotiate.ts
// selects it; the response files apply it.

import { Buffer } from 'node:buffer';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Random } from '../../base/random.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import { carriedOut, inTurns, type Steps } from '../../base/steps.ts';
import type { StructNode } from '../../schema/node.ts';
import { encodingJson } from '../../verbs/json-bytes.ts';
import { CBOR_ORDERS, cborBytes, encodingCborBytes } from './cbor-bytes.ts';
import { encodingProtobufBytes, protobufBytes } from './protobuf-bytes.ts';
import type { MetaVersion } from './table.ts';

export interface Format {
  readonly media: 'json' | 'yaml' | 'protobuf' | 'cbor';
  readonly contentType: string;
  readonly pretty: boolean;
  readonly as: Transform | undefined;
  /** Chooses the order of members in CBOR. */
  readonly random?: Random;
  /** Whether the client accepts no form of Status: it gets one that is not an API object. */
  readonly isUnasked?: boolean;
}

export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: MetaVersion;
}

export const JSON_FORMAT: Format = { media: 'json', contentType: 'application/json', pretty: false, as: undefined };

/** Whether stored bytes can be sent unchanged. */
export function isPlainJson(format: Format): boolean {
  return format.media === 'json' && !format.pretty && format.as === undefined;
}

interface WritingOptions {
  /** The type of the value, if it does not follow from its kind and apiVersion. */
  readonly type?: StructNode | undefined;
  /** Slices, for a long value. */
  readonly turn?: Turn | undefined;
}

/** Encodes a value in this format; compact JSON ends with a line feed, as in Kubernetes. */
export function writeValue(value: unknown, format: Format, { type, turn }: WritingOptions = {}): Soon<Buffer> {
  if (format.media === 'yaml') return writeYaml(value, turn);
  if (turn !== undefined) return inTurns(encoding(value as JsonObject, format, type), turn);
  if (format.media === 'protobuf') return protobufBytes(value as JsonObject, type);
  if (format.media === 'cbor') return cborBytes(value as JsonObject, orderOf(format));
  return Buffer.from(format.pretty ? escapeHtml(stringifyJson(value, { pretty: true })) : `${stringifyJson(value)}\n`);
}

/** An order for CBOR, chosen anew for each response. */
export function orderOf({ random }: Format): number {
  return random?.below(CBOR_ORDERS) ?? 0;
}

function encoding(value: JsonObject, { media, pretty }: Format, type: StructNode | undefined): Steps<Buffer> {
  if (media === 'protobuf') return encodingProtobufBytes(value, type);
  if (media === 'cbor') return encodingCborBytes(value);
  return encodingJson(value, pretty ? { pretty, escapesHtml: true } : { end: '\n' });
}

async function writeYaml(value: unknown, turn: Turn | undefined): Promise<Buffer> {
  const { writingYaml } = await import('../../api/yaml-writer.ts');
  const pieces: Buffer[] = [];
  const writing = carriedOut(
    writingYaml(value as Json, (piece) => pieces.push(Buffer.from(piece))),
    turn,
  );
  if (isLater(writing)) await writing;
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
