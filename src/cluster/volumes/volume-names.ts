// Names that volumes and claims are annotated with, by which the binder, the scheduler and provisioners work together.

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** The size of a volume before it was expanded, until the file system has grown. */
export const SIZE_BEFORE = 'volume.alpha.kubernetes.io/pre-resize-capacity';
export const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';
