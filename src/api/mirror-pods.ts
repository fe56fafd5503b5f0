// Mirror pods, which represent static pods in the API.

import type { ApiObject } from './object.ts';

export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

export function isMirrorPod({ metadata }: Pick<ApiObject, 'metadata'>): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}
