// Media types of operations.

export interface MediaTypes {
  /** Of request bodies, except patches. */
  readonly consumed: readonly string[];
  /** Of patches. Custom resources have no strategic merge patch. */
  readonly patches: readonly string[];
  /** Of responses with one object. */
  readonly objects: readonly string[];
  /** Of responses that may be a list or a watch. */
  readonly lists: readonly string[];
}

const JSON_AND_YAML = ['application/json', 'application/yaml'] as const;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const CBOR = 'application/cbor';
const OBJECTS = [...JSON_AND_YAML, PROTOBUF] as const;
const STREAMS = ['application/json;stream=watch', `${PROTOBUF};stream=watch`] as const;
const JSON_PATCHES = ['application/json-patch+json', 'application/merge-patch+json'] as const;
const APPLY_PATCH = 'application/apply-patch+yaml';
const PATCHES = [...JSON_PATCHES, 'application/strategic-merge-patch+json', APPLY_PATCH] as const;

const BUILTIN: MediaTypes = {
  consumed: ['*/*'],
  patches: PATCHES,
  objects: OBJECTS,
  lists: [...OBJECTS, ...STREAMS],
};
const BUILTIN_WITH_CBOR: MediaTypes = {
  consumed: ['*/*'],
  patches: [...PATCHES, 'application/apply-patch+cbor'],
  objects: [...OBJECTS, CBOR],
  lists: [...OBJECTS, CBOR, ...STREAMS, 'application/cbor-seq'],
};
/** Custom resources support more media types than they publish. */
const CUSTOM: MediaTypes = {
  consumed: JSON_AND_YAML,
  patches: [...JSON_PATCHES, APPLY_PATCH],
  objects: JSON_AND_YAML,
  lists: JSON_AND_YAML,
};

/** The media types of a resource's operations. @param cbor whether the server supports CBOR */
export function publishedMediaTypes({ custom, cbor }: { custom: boolean; cbor: boolean }): MediaTypes {
  if (custom) return CUSTOM;
  return cbor ? BUILTIN_WITH_CBOR : BUILTIN;
}
