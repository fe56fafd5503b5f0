// The form of a response: its media type, whether it is indented, and the transformation of the object. negotiate.ts
// selects it; the response files apply it.

import { Buffer } from 'node:buffer';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Random } from '../../base/random.ts';
import type { Soon } from '../../base/soon.ts';
import type { StructNode } from '../../schema/node.ts';
import { CBOR_ORDERS, cborBytes } from './cbor-bytes.ts';
import { protobufBytes } from './protobuf-bytes.ts';
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

/**
 * Encodes a value in this format; compact JSON ends with a line feed, as in Kubernetes.
 * @param type of the value, if it does not follow from its kind and apiVersion
 */
export function writeValue(value: unknown, format: Format, type?: StructNode): Soon<Buffer> {
  if (format.media === 'yaml') return writeYaml(value);
  if (format.media === 'protobuf') return protobufBytes(value as JsonObject, type);
  if (format.media === 'cbor') return cborBytes(value as JsonObject, orderOf(format));
  return Buffer.from(format.pretty ? escapeHtml(stringifyJson(value, { pretty: true })) : `${stringifyJson(value)}\n`);
}

/** An order for CBOR, chosen anew for each response. */
export function orderOf({ random }: Format): number {
  return random?.below(CBOR_ORDERS) ?? 0;
}

async function writeYaml(value: unknown): Promise<Buffer> {
  const { stringifyYaml } = await import('../../api/yaml-writer.ts');
  return Buffer.from(await stringifyYaml(value as Json));
}
