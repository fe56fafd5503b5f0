// Questions to another thread that wait for their answers.

import type { Answer, Question, SharedMessage } from './messages.ts';

export class Questions {
  readonly #post: (message: SharedMessage) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor(post: (message: SharedMessage) => void) {
    this.#post = post;
  }

  /** Resolves with an empty answer if the thread ends. */
  ask(question: Question): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ kind: 'asked', id, question });
    });
  }

  told({ id, answer }: { readonly id: number; readonly answer: Answer }): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Nobody answers any more. */
  end(): void {
    for (const resolve of this.#waiting.values()) resolve({});
    this.#waiting.clear();
  }
}
