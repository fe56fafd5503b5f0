// Settings of flags from elsewhere than the command line. Nothing is parsed by type here; that is the same for all.

/** What gives a flag several times. */
export type Collection = 'list' | 'map';

/** A flag with its value, as text. */
export interface Setting {
  /** The flag's name, without dashes. */
  readonly name: string;
  readonly text: string;
  /** What it is one item of; undefined for a value that stands alone. */
  readonly within?: Collection;
  /** Where it stands, for errors. */
  readonly source: string;
}

export interface Settings {
  readonly environment: readonly Setting[];
  readonly file: readonly Setting[];
  /** What is to be said of either. */
  readonly warnings: readonly string[];
}

export const NO_SETTINGS: Settings = { environment: [], file: [], warnings: [] };
