// The thread that encodes the OpenAPI v2 entries of many custom resources. It reads their definitions itself, so that the
// main thread has neither the work nor the garbage.

import { parentPort } from 'node:worker_threads';
import { parseJson } from '../../api/json-reader.ts';
import type { ApiObject } from '../../api/object.ts';
import { atOnce, inOneStep } from '../../base/steps.ts';
import type { CatalogEntry } from '../../resources/catalog.ts';
import { customResource } from '../../resources/custom/custom-resource.ts';
import { Lifetime } from '../../resources/custom/lifetime.ts';
import { type OpenApiV2Encoding, openapiV2Entries } from '../../resources/openapi/document-v2.ts';
import { openapiV2Protobuf } from '../../resources/openapi/document-v2-protobuf.ts';
import { versionDocument } from '../../resources/openapi/documents.ts';
import { type EncodedEntries, type EncodedMembers, encodingMembers } from '../../resources/openapi/encoded-entries.ts';
import { openapiV2Json } from './openapi-json.ts';

/** Asks for the entries of a group version. The definitions of its resources, as JSON, precede it one by one. */
export interface EncodeRequest {
  readonly group: string;
  readonly version: string;
  /** The minor release of Kubernetes 1 that is served. */
  readonly minor: number;
  readonly cbor: boolean;
  readonly fieldSelectors: boolean;
  readonly encoding: OpenApiV2Encoding['name'];
}

/** The answer to an EncodeRequest. */
export type EncodeReply = { readonly members: EncodedMembers } | { readonly fault: string };

const ENCODINGS = { json: openapiV2Json, protobuf: openapiV2Protobuf };

function encode(
  { group, version, minor, cbor, fieldSelectors, encoding }: EncodeRequest,
  definitions: readonly Uint8Array[],
): EncodedMembers {
  const entries = definitions
    .flatMap((each) => entriesOf(each, { fieldSelectors, minor }))
    .filter((entry) => entry.version.version === version);
  const described = openapiV2Entries([versionDocument(group, { version, entries }, cbor)], {
    of: 'custom resources',
    enums: true,
    minor,
  });
  return atOnce(encodingMembers(described, ENCODINGS[encoding]));
}

function entriesOf(
  bytes: Uint8Array,
  { fieldSelectors, minor }: Pick<EncodeRequest, 'fieldSelectors' | 'minor'>,
): CatalogEntry[] {
  const definition = parseJson(bytes) as ApiObject;
  return customResource({
    definition,
    stored: { bytes: () => bytes, reading: () => inOneStep(definition) },
    tag: '',
    lifetime: new Lifetime(),
    converter: undefined,
    fieldSelectors,
    minor,
  }).entries;
}

/** Shared memory is neither copied on its way nor counted by the garbage collector, which would run more often. */
function shared({ names, ends, bytes }: EncodedEntries): EncodedEntries {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return { names, ends, bytes: memory };
}

const port = parentPort!;
/** Of the next request. */
const received: Uint8Array[] = [];
port.on('message', (message: Uint8Array | EncodeRequest) => {
  if (message instanceof Uint8Array) {
    received.push(message);
    return;
  }
  try {
    const { paths, definitions } = encode(message, received.splice(0));
    port.postMessage({ members: { paths: shared(paths), definitions: shared(definitions) } } satisfies EncodeReply);
  } catch (error) {
    port.postMessage({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
