// Feature gates of fields that only claims and volumes drop. Other kinds that contain claims or volumes keep such fields
// whatever is enabled, and name these gates where they are declared.

/** Of claim templates, in everything that has pods. */
export const CLAIM_TEMPLATE_GATES: readonly string[] = [
  'AnyVolumeDataSource',
  'RecoverVolumeExpansionFailure',
  'VolumeAttributesClass',
];

/** Of volumes in other objects. */
export const INLINE_VOLUME_GATES: readonly string[] = ['VolumeAttributesClass'];
