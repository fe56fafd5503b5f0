// Lifetime of a CustomResourceDefinition that is served. Whoever streams what it defines ends with it.

export class Lifetime {
  readonly #listeners = new Set<() => void>();

  /** Calls back once when it ends; the function that is returned cancels that. */
  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
