// The media types that operations publish.

export interface MediaTypes {
  /** Of bodies that are sent, patches apart. */
  readonly consumed: readonly string[];
  /** Of answers with one object. */
  readonly objects: readonly string[];
  /** Of answers that may be a list or a watch. */
  readonly lists: readonly string[];
}

const JSON_AND_YAML = ['application/json', 'application/yaml'] as const;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const OBJECTS = [...JSON_AND_YAML, PROTOBUF] as const;

export const MEDIA_TYPES: Readonly<Record<'builtin' | 'custom', MediaTypes>> = Object.freeze({
  builtin: {
    consumed: ['*/*'],
    objects: OBJECTS,
    lists: [...OBJECTS, 'application/json;stream=watch', `${PROTOBUF};stream=watch`],
  },
  custom: { consumed: JSON_AND_YAML, objects: JSON_AND_YAML, lists: JSON_AND_YAML },
});

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** Of patches. Custom resources have no strategic merge. */
export const PATCH_TYPES: Readonly<Record<'builtin' | 'custom', readonly string[]>> = Object.freeze({
  builtin: [JSON_PATCH, MERGE_PATCH, 'application/strategic-merge-patch+json', APPLY_PATCH],
  custom: [JSON_PATCH, MERGE_PATCH, APPLY_PATCH],
});
