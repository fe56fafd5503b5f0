// Aggregated discovery, encoded in each of its media types. With many custom resources the document is long, so it is
// written in slices between which other requests run.

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type NegotiationOffer, negotiate, type Transformation } from '../../api/media-type.ts';
import type { JsonObject } from '../../api/object.ts';
import { writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import type { Turn } from '../../base/short-turns.ts';
import { inOneStep } from '../../base/steps.ts';
import { ListMeta } from '../../resources/builtin/meta/v1.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import { CBOR_TYPE, cborBytes } from '../response/cbor-bytes.ts';
import { PROTOBUF_TYPE } from '../response/protobuf-bytes.ts';
import { longJsonBytes } from './openapi-json.ts';

const GROUP = 'apidiscovery.k8s.io';
const KIND = 'APIGroupDiscoveryList';
const YAML_TYPE = 'application/yaml';

const aggregatedIn = (version: string): Transformation => ({ group: GROUP, version, kind: KIND });
const NEW = [aggregatedIn('v2')];
/** Older clients request v2beta1, which has the same content. */
const OLD = [...NEW, aggregatedIn('v2beta1')];

/** The media types that can be requested. */
interface Offered {
  readonly cbor: boolean;
  /** Whether v2beta1 is among them. */
  readonly beta: boolean;
}

/** The requested form: `application/yaml` and `v2`. */
export interface AggregatedForm {
  readonly mediaType: string;
  readonly version: string;
  /** Whether it is to be without what only other servers on the same store serve. */
  readonly nopeer: boolean;
}

/**
 * The aggregated form takes precedence over the plain one regardless of their order. @returns undefined if it is not
 * requested
 */
export function aggregatedForm(accept: string | undefined, { cbor, beta }: Offered): AggregatedForm | undefined {
  if (accept === undefined || accept === '') return undefined;
  const types = ['application/json', YAML_TYPE, PROTOBUF_TYPE, ...(cbor ? [CBOR_TYPE] : [])];
  const offer: NegotiationOffer = {
    mediaTypes: types.map((mediaType) => ({ mediaType, untransformed: false })),
    transformations: beta ? OLD : NEW,
  };
  const found = negotiate(accept, offer);
  if (found?.transformation === undefined) return undefined;
  const { mediaType, transformation, profile } = found;
  return { mediaType, version: transformation.version, nopeer: profile === 'nopeer' };
}

/** The Content-Type of a response in this form. */
export function aggregatedType({ mediaType, version }: Omit<AggregatedForm, 'nopeer'>): string {
  return `${mediaType};g=${GROUP};v=${version};as=${KIND}`;
}

export interface AggregatedDocument {
  readonly body: Buffer;
  readonly etag: string;
}

interface Content extends JsonObject {
  readonly metadata: JsonObject;
  readonly items: JsonObject[];
}

/** Encodes the document. The ETag is that of its JSON in every form. */
export async function aggregatedDocument(
  made: JsonObject,
  form: AggregatedForm,
  turn: Turn,
): Promise<AggregatedDocument> {
  const content = { ...made, apiVersion: `${GROUP}/${form.version}` } as JsonObject as Content;
  const json = Buffer.concat([await longJsonBytes(content, turn), Buffer.from('\n')]);
  const etag = `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"`;
  return { body: form.mediaType === 'application/json' ? json : await otherBytes(content, form, turn), etag };
}

function otherBytes(content: Content, form: AggregatedForm, turn: Turn): Promise<Buffer> | Buffer {
  if (form.mediaType === YAML_TYPE) return yamlBytes(content, turn);
  return form.mediaType === CBOR_TYPE ? cborBytes(content) : protobufBytes(content, form, turn);
}

async function yamlBytes({ items, ...head }: Content, turn: Turn): Promise<Buffer> {
  const { stringifyYamlList } = await import('../../api/yaml-writer.ts');
  const pieces: Buffer[] = [];
  for (const text of stringifyYamlList({ head, name: 'items', items: items.map(inOneStep), empty: [] })) {
    pieces.push(Buffer.from(text));
    await turn.over();
  }
  return Buffer.concat(pieces);
}

const METADATA = (1 << 3) | 2;
const ITEM = (2 << 3) | 2;

async function protobufBytes({ metadata, items }: Content, { version }: AggregatedForm, turn: Turn): Promise<Buffer> {
  const { APIGroupDiscovery } = await import('../../resources/builtin/apidiscovery/v2.ts');
  const out = new ProtobufWriter();
  const pieces: Buffer[] = [];
  const put = (tag: number) => {
    out.uint(out.size);
    out.uint(tag);
    pieces.push(Buffer.from(out.view()));
    out.clear();
  };
  encodeProtobuf(ListMeta, metadata, out);
  put(METADATA);
  for (const item of items) {
    encodeProtobuf(APIGroupDiscovery, item, out);
    put(ITEM);
    await turn.over();
  }
  writeEnvelope(out, { apiVersion: `${GROUP}/${version}`, kind: KIND }, () => out.raw(Buffer.concat(pieces)));
  return Buffer.from(out.view());
}
