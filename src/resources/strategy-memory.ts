// Caches that the rules of kinds keep for one server. What a rule concludes depends on the server's feature gates and
// options, so a conclusion must not be shared with another server in the same process.

export class StrategyMemory {
  readonly #caches = new Map<new () => object, object>();

  /**
   * The cache of a class for this server, created when it is first asked for.
   * @example memory.of(KnownPodSpecs).of(pod.spec)
   */
  of<T extends object>(type: new () => T): T {
    let cache = this.#caches.get(type) as T | undefined;
    if (cache === undefined) this.#caches.set(type, (cache = new type()));
    return cache;
  }
}
