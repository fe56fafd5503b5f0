// Annotations under keelson.dev/ by which the owner of a node or a pod says how it is to behave. Those that cannot be
// understood have no effect, and are reported.

import { parseGoDuration } from '../../base/go-duration.ts';
import { amountOf } from './pod-amounts.ts';

const PREFIX = 'keelson.dev/';
/** Marks the nodes that are simulated: any node with this annotation comes alive. */
export const SIMULATED = `${PREFIX}simulated`;

type Annotations = Readonly<Record<string, string>> | undefined;

/** Reads annotations, and remembers what was wrong with them. */
export class AnnotationReader {
  readonly #annotations: Annotations;
  readonly faults: string[] = [];

  constructor(annotations: Annotations) {
    this.#annotations = annotations;
  }

  text(name: string): string | undefined {
    const key = `${PREFIX}${name}`;
    const annotations = this.#annotations;
    return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
  }

  /** Milliseconds; from a duration such as `30s`, or a number of seconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d+$/.test(text)) return Number(text) * 1000;
    try {
      const ms = parseGoDuration(text);
      if (ms >= 0) return ms;
    } catch {
      // Reported below.
    }
    return this.#fault(name, text, 'a duration such as 30s');
  }

  exitCode(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const code = Number(text);
    return /^\d+$/.test(text) && code <= 255 ? code : this.#fault(name, text, 'a number from 0 to 255');
  }

  /** An amount of a resource: thousandths of a CPU, bytes of memory. */
  amount(name: string, resource: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      const amount = Number(amountOf(resource, text));
      if (amount >= 0) return amount;
    } catch {
      // Reported below.
    }
    return this.#fault(name, text, 'a quantity such as 200m or 64Mi');
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return text === 'true' ? true : text === 'false' ? false : this.#fault(name, text, 'true or false');
  }

  /** Words separated by commas. */
  words<Word extends string>(name: string, known: readonly Word[]): Word[] {
    const words = (this.text(name) ?? '').split(',').map((word) => word.trim());
    return words.filter((word): word is Word => {
      const isKnown = (known as readonly string[]).includes(word);
      if (!isKnown && word !== '') this.#fault(name, word, `one of ${known.join(', ')}`);
      return isKnown;
    });
  }

  #fault(name: string, text: string, wanted: string): undefined {
    this.faults.push(`annotation ${PREFIX}${name} has no effect: ${JSON.stringify(text)} is not ${wanted}`);
    return undefined;
  }
}
