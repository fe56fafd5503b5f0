// Interface of validation rules for volume sources.

import type { FieldErrors } from '../../../../api/errors.ts';
import type { Volume } from './objects.ts';

/** The source fields of a volume. */
export type SourceName = Exclude<keyof Volume, 'name'>;

/** Validates one kind of source; `field` is its path: `spec.volumes[0].nfs`. */
export type SourceRule<S> = (source: S, field: string, surroundings: VolumeSurroundings) => FieldErrors;

/** Rules by source name. */
export type SourceRules<M extends SourceName = SourceName> = {
  readonly [Name in M]: SourceRule<NonNullable<Volume[Name]>>;
};

export interface VolumeSurroundings {
  /** A pod, not a template. */
  readonly isPod: boolean;
  /** Whether claims may name a VolumeAttributesClass; in templates the name is stored even if not. */
  readonly hasAttributes: boolean;
}
