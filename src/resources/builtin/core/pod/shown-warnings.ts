// The warnings of a rule that compares many items with each other: each text once, and no more of them than an answer has
// room for, so that who sends thousands of items that all clash is not told of each pair.

import { limits } from '../../../../base/limits.ts';

export class ShownWarnings {
  readonly #texts = new Set<string>();
  #characters = 0;

  /** Whether what is added now would not be shown any more. */
  get isFull(): boolean {
    return this.#characters > limits.warningsTotalCharacters;
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  add(text: string): void {
    if (this.isFull || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#characters += Math.min(text.length, limits.warningCharacters);
  }
}
