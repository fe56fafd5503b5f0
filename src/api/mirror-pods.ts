// Pods that stand for what a node was told by other means than the API.

import type { ApiObject } from './object.ts';

export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

export function isMirrorPod({ metadata }: Pick<ApiObject, 'metadata'>): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}
