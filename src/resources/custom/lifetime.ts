// Lifetime of a served CustomResourceDefinition. Watches of its resources end with it.

export class Lifetime {
  readonly #listeners = new Set<() => void>();

  /** Calls back once when it ends; the returned function unsubscribes. */
  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
