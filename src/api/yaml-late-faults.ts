// Errors of the values of a YAML text, which are reported only after the rest of the text has been found to be valid:
// Kubernetes' parser reads all of it before it makes values, and makes all values before it converts any to JSON.

import { YamlError } from './yaml-error.ts';

/** In the order in which they are met: making a value, naming a member, writing a number. */
type Stage = 'value' | 'key' | 'number';
const STAGES: readonly Stage[] = ['value', 'key', 'number'];

export class LateFaults {
  readonly #first = new Map<Stage, YamlError>();

  /** Runs work of a stage; if it throws a YamlError, that is for later. */
  of<T>(stage: Stage, work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      if (!this.#first.has(stage)) this.#first.set(stage, error);
      return otherwise;
    }
  }

  /** @throws YamlError if there was one, at the end of the text */
  end(): void {
    for (const stage of STAGES) {
      const error = this.#first.get(stage);
      if (error !== undefined) throw error;
    }
  }
}
