// An empty list in the form of a watch: with Kubernetes 1.32 and 1.33, the bookmark that ends the initial events of a
// watch holds one, of which clients make the list of these events.

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../api/object.ts';
import { writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { isSince } from '../../lifecycle/version.ts';
import { ListMeta } from '../../resources/builtin/meta/v1.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import { cborBytes } from './cbor-bytes.ts';
import type { Format } from './format.ts';

const ANNOTATION = 'kubernetes.io/initial-events-list-blueprint';
/** The first minor release of Kubernetes 1 with the annotation, and the first without it again. */
const SINCE = 32;
const UNTIL = 34;
const METADATA = (1 << 3) | 2;

type Listed = Pick<ResourceDefinition, 'codec' | 'kind' | 'minor'> & { readonly listKind: string };

/** The annotation of the bookmark, in the releases that have it. */
export function listAnnotation(definition: Listed, apiVersion: string, format: Format): Record<string, string> {
  if (!isSince(definition, SINCE) || isSince(definition, UNTIL)) return {};
  return { [ANNOTATION]: listBytes(emptyList(definition, apiVersion, format), format).toString('base64') };
}

function emptyList({ codec, listKind }: Listed, apiVersion: string, { as }: Format): JsonObject {
  if (as?.kind === 'PartialObjectMetadata') {
    return { kind: `${as.kind}List`, apiVersion: `meta.k8s.io/${as.version}`, metadata: {}, items: null };
  }
  if (codec.sortsMembers) return { apiVersion, items: [], kind: listKind };
  return { kind: listKind, apiVersion, metadata: {}, items: null };
}

function listBytes(list: JsonObject, { media }: Format): Buffer {
  if (media === 'cbor') return cborBytes(list);
  if (media !== 'protobuf') return Buffer.from(`${JSON.stringify(list)}\n`);
  const { kind, apiVersion } = list as { kind: string; apiVersion: string };
  const out = new ProtobufWriter();
  writeEnvelope(out, { apiVersion, kind }, () => {
    const end = out.size;
    encodeProtobuf(ListMeta, {}, out);
    out.uint(out.size - end);
    out.uint(METADATA);
  });
  return Buffer.from(out.view());
}
