// Graph of owner references: the objects that have owners, found by their own uid and by those of their owners. An
// owner need not be known, nor be there: what has neither owners nor dependents is not kept at all.

/** An object that has owners. */
export interface Dependent<Place> {
  readonly uid: string;
  /** Where the object is; the graph has no use for it. */
  readonly place: Place;
  /** The uids of its owners, and whether it keeps each of them from being deleted in the foreground. */
  readonly owners: ReadonlyMap<string, { readonly blocks: boolean }>;
}

export class OwnerGraph<Place> {
  readonly #byUid = new Map<string, Dependent<Place>>();
  readonly #byOwner = new Map<string, Set<string>>();

  /** How many objects have owners. */
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

  /** Takes in an object, in place of what was known of it. One without owners is forgotten. */
  set(dependent: Dependent<Place>): void {
    const before = this.#byUid.get(dependent.uid);
    for (const owner of before?.owners.keys() ?? []) {
      if (!dependent.owners.has(owner)) this.#unlink(owner, dependent.uid);
    }
    for (const owner of dependent.owners.keys()) this.#link(owner, dependent.uid);
    if (dependent.owners.size > 0) this.#byUid.set(dependent.uid, dependent);
    else this.#byUid.delete(dependent.uid);
  }

  /** Forgets an object; answers what was known of it. Its own dependents stay. */
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

  /** Whether some dependent keeps the owner from being deleted in the foreground. */
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
