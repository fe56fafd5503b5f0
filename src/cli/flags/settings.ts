// Settings of flags from sources other than the command line, not parsed by type yet.

/** Sets a flag several times. */
export type Collection = 'list' | 'map';

/** A flag with its value as text. */
export interface Setting {
  /** The flag's name, without dashes. */
  readonly name: string;
  readonly text: string;
  /** The list or map that it belongs to; undefined for a single value. */
  readonly within?: Collection;
  /** Its location, for errors. */
  readonly source: string;
}

export interface Settings {
  readonly environment: readonly Setting[];
  readonly file: readonly Setting[];
  /** Warnings about either. */
  readonly warnings: readonly string[];
}

export const NO_SETTINGS: Settings = { environment: [], file: [], warnings: [] };
