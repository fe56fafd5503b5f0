// The form of the rules of volume sources.

import type { FieldErrors } from '../../../../api/errors.ts';
import type { JsonObject } from '../../../../api/object.ts';

/** What one source of volumes must keep to; `field` is where it stands: `spec.volumes[0].nfs`. */
export type SourceRule = (source: JsonObject, field: string, surroundings: VolumeSurroundings) => FieldErrors;

export interface VolumeSurroundings {
  /** A pod itself, not a template of one. */
  readonly isPod: boolean;
}
