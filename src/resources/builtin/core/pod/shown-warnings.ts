// Collector for the warnings of a rule that compares many items: each text once, and no more than fit into a response,
// so that thousands of conflicting items do not cause a warning for each pair.

import { limits } from '../../../../base/limits.ts';

export class ShownWarnings {
  readonly #texts = new Set<string>();
  #characters = 0;

  /** Whether further warnings would not be included. */
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
