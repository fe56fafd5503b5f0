// Graph of owner references: objects with owners, by their own UID and by those of their owners. Owners need not be
// known or exist; objects with neither owners nor dependents are not stored.

/** An object with owners. */
export interface Dependent<Place> {
  readonly uid: string;
  /** The location of the object, opaque to the graph. */
  readonly place: Place;
  /** The UIDs of its owners, and whether it blocks the foreground deletion of each. */
  readonly owners: ReadonlyMap<string, { readonly blocks: boolean }>;
}

export class OwnerGraph<Place> {
  readonly #byUid = new Map<string, Dependent<Place>>();
  readonly #byOwner = new Map<string, Set<string>>();

  /** The number of objects with owners. */
  get size(): number {
    return this.#byUid.size;
  }

  get(uid: string): Dependent<Place> | undefined {
    return this.#byUid.get(uid);
  }

  /** Every object that has owners. */
  all(): Iterable<Dependent<Place>> {
    return this.#byUid.values();
  }

  /** Adds or replaces an object. One without owners is removed. */
  set(dependent: Dependent<Place>): void {
    const before = this.#byUid.get(dependent.uid);
    for (const owner of before?.owners.keys() ?? []) {
      if (!dependent.owners.has(owner)) this.#unlink(owner, dependent.uid);
    }
    for (const owner of dependent.owners.keys()) this.#link(owner, dependent.uid);
    if (dependent.owners.size > 0) this.#byUid.set(dependent.uid, dependent);
    else this.#byUid.delete(dependent.uid);
  }

  /** Removes an object; returns what was stored. Its dependents remain. */
  remove(uid: string): Dependent<Place> | undefined {
    const before = this.#byUid.get(uid);
    for (const owner of before?.owners.keys() ?? []) this.#unlink(owner, uid);
    this.#byUid.delete(uid);
    return before;
  }

  hasDependents(owner: string): boolean {
    return this.#byOwner.has(owner);
  }

  dependentsOf(owner: string): Dependent<Place>[] {
    return Array.from(this.#byOwner.get(owner) ?? [], (uid) => this.#byUid.get(uid)!);
  }

  /** Whether a dependent blocks the foreground deletion of the owner. */
  isBlocked(owner: string): boolean {
    for (const uid of this.#byOwner.get(owner) ?? []) {
      if (this.#byUid.get(uid)?.owners.get(owner)?.blocks === true) return true;
    }
    return false;
  }

  #link(owner: string, uid: string): void {
    const dependents = this.#byOwner.get(owner);
    if (dependents === undefined) this.#byOwner.set(owner, new Set([uid]));
    else dependents.add(uid);
  }

  #unlink(owner: string, uid: string): void {
    const dependents = this.#byOwner.get(owner);
    dependents?.delete(uid);
    if (dependents?.size === 0) this.#byOwner.delete(owner);
  }
}
