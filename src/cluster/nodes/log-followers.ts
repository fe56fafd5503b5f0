// Those who follow logs of simulated containers, and wait for something to happen to a pod.

export class LogFollowers {
  /** By the key of the pod. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when the pod has been looked at, or the signal is aborted. */
  next(podKey: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const waiting = this.#waiting.get(podKey) ?? new Set();
      this.#waiting.set(podKey, waiting);
      const done = () => {
        signal.removeEventListener('abort', done);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(podKey) === waiting) this.#waiting.delete(podKey);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** A pod has been looked at. */
  tell(podKey: string): void {
    for (const done of [...(this.#waiting.get(podKey) ?? [])]) done();
  }
}
