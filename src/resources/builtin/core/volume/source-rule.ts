// The form of the rules of volume sources.

import type { FieldErrors } from '../../../../api/errors.ts';
import type { Volume } from './objects.ts';

/** The members of a volume that say where its data is. */
export type SourceName = Exclude<keyof Volume, 'name'>;

/** What one source of volumes must keep to; `field` is where it stands: `spec.volumes[0].nfs`. */
export type SourceRule<S> = (source: S, field: string, surroundings: VolumeSurroundings) => FieldErrors;

/** The rules of some sources, by name. */
export type SourceRules<M extends SourceName = SourceName> = {
  readonly [Name in M]: SourceRule<NonNullable<Volume[Name]>>;
};

export interface VolumeSurroundings {
  /** A pod itself, not a template of one. */
  readonly isPod: boolean;
}
