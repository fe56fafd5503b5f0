// Codecs: how the objects of a resource are written, and what can be read of them. Objects of built-in kinds have types
// in Kubernetes; custom objects are maps there, which clients see in the order of members, in media types and in the
// words of errors. The codec of a resource is chosen where the resource is defined, so that verbs and HTTP know one kind
// of resource.

import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import type { JsonObject } from '../api/object.ts';
import type { StructNode } from '../schema/node.ts';

export interface Codec {
  /** How bodies and patches are read: by a declared type, or as whatever their kind and version say. */
  readonly form: 'typed' | 'unstructured';
  /** Whether there is a protobuf form. */
  readonly hasProtobuf: boolean;
  /** Whether there are strategic merge patches. */
  readonly hasStrategicPatch: boolean;
  /** Whether kube-apiserver has routes for it, which check paths and media types before anything else. */
  readonly hasRoutes: boolean;
  /** Whether members are written in the order of their names, not in that of their declaration. */
  readonly sortsMembers: boolean;
  /** Whether the items of lists have a kind and an apiVersion. */
  readonly namesItems: boolean;
  /** Whether values may be of other types than declared, in parts that a write does not change. */
  readonly mayBeMistyped: boolean;
  /** Whether empty labels and the like that are applied are stored, which readers do not find. */
  readonly storesEmptyMetadata: boolean;
  /** The declared type of objects with this schema; undefined for maps. */
  typeOf(schema: StructNode): StructNode | undefined;
  listMetadata(list: ListFacts): JsonObject;
  /** What surrounds the items in the JSON of a list. */
  listText(list: ListText): readonly [head: string, end: string];
  /** The Go type of lists, which messages name. */
  goTypeOfList(kind: { readonly group: string; readonly listKind: string }): string;
}

/** What the metadata of a list says. */
interface ListFacts {
  /** 0 for none, as for lists that are not stored. */
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining?: number | undefined;
  /** The selector of the shard that it shows. */
  readonly shard?: string | undefined;
}

interface ListText {
  readonly listKind: string;
  readonly apiVersion: string;
  readonly metadata: JsonObject;
}

/** The codec of built-in kinds. */
export const typedCodec: Codec = Object.freeze<Codec>({
  form: 'typed',
  hasProtobuf: true,
  hasStrategicPatch: true,
  hasRoutes: true,
  sortsMembers: false,
  namesItems: false,
  mayBeMistyped: false,
  storesEmptyMetadata: false,
  typeOf: (schema) => schema,
  listMetadata: ({ continueToken, shard, ...list }) => ({
    ...commonMetadata(list, continueToken === '' ? undefined : continueToken),
    ...(shard !== undefined && { shardInfo: { selector: shard } }),
  }),
  listText: ({ listKind, apiVersion, metadata }) => {
    const names = `"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)}`;
    return [`{${names},"metadata":${stringifyJson(metadata)},"items":[`, ']}\n'];
  },
  goTypeOfList: ({ group, listKind }) => `*${group === '' ? 'core' : group.split('.')[0]}.${listKind}`,
});

/** The codec of custom resources. */
export const unstructuredCodec: Codec = Object.freeze<Codec>({
  form: 'unstructured',
  hasProtobuf: false,
  hasStrategicPatch: false,
  hasRoutes: false,
  sortsMembers: true,
  namesItems: true,
  mayBeMistyped: true,
  storesEmptyMetadata: true,
  typeOf: () => undefined,
  // The token is there even if it is empty.
  listMetadata: ({ continueToken, ...list }) => commonMetadata(list, continueToken),
  listText: ({ listKind, apiVersion, metadata }) => {
    const sorted = stringifyJson(withSortedMembers(metadata));
    return [
      `{"apiVersion":${JSON.stringify(apiVersion)},"items":[`,
      `],"kind":${JSON.stringify(listKind)},"metadata":${sorted}}\n`,
    ];
  },
  goTypeOfList: () => '*unstructured.UnstructuredList',
});

function commonMetadata(
  { revision, remaining = 0 }: Pick<ListFacts, 'revision' | 'remaining'>,
  continueToken: string | undefined,
): JsonObject {
  const metadata: JsonObject = revision === 0 ? {} : { resourceVersion: String(revision) };
  if (continueToken !== undefined) metadata.continue = continueToken;
  if (remaining > 0) metadata.remainingItemCount = remaining;
  return metadata;
}
