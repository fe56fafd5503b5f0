// Persistent map from strings to values, sorted by the keys' UTF-8 bytes: set and delete return a new map that shares
// all but one path with the old one, so old maps are free snapshots. It is a B+tree whose branches know the number of
// entries below them.

/** Maximum entries of a leaf and children of a branch. A larger node is split. */
const WIDEST = 24;
/** A smaller node is merged with a neighbour; the root may be smaller. */
const NARROWEST = 8;
/** Fill of nodes built from sorted entries, with room for a few insertions. */
const BUILT = 20;

/** Keys from `from`, inclusive, to `before`, exclusive. An absent bound is open. */
export interface KeyRange {
  readonly from?: string;
  readonly before?: string;
}

/** Negative if `one` precedes `other` by their UTF-8 bytes, 0 if they are equal. */
export function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  return precedes(one, other, hasHighUnits(one)) ? -1 : 1;
}

/** The smallest key greater than `key`. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}

/**
 * The smallest key greater than all with a prefix, as `before` of a range.
 *
 * @param prefix not empty; its last character must be ASCII, and not U+007F.
 */
export function keyAfterPrefix(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

export class SortedMap<V> {
  readonly #root: Node<V>;

  private constructor(root: Node<V>) {
    this.#root = root;
  }

  static empty<V>(): SortedMap<V> {
    return new SortedMap<V>(new Leaf<V>([], []));
  }

  /** A map of `keys[i]` to `values[i]`. Throws RangeError if the keys are not strictly increasing. */
  static fromSorted<V>(keys: readonly string[], values: readonly V[]): SortedMap<V> {
    for (let index = 1; index < keys.length; index++) {
      if (compareKeys(keys[index - 1]!, keys[index]!) >= 0) {
        throw new RangeError(`key ${JSON.stringify(keys[index])} is not in order`);
      }
    }
    let level: Node<V>[] = portions(keys.length).map(
      ([start, end]) => new Leaf(keys.slice(start, end), values.slice(start, end)),
    );
    while (level.length > 1) level = portions(level.length).map(([start, end]) => branchOf(level.slice(start, end)));
    return level.length === 0 ? SortedMap.empty<V>() : new SortedMap(level[0]!);
  }

  get size(): number {
    return this.#root.size;
  }

  get(key: string): V | undefined {
    const { keys, values } = leafOf(this.#root, key);
    const at = floor(keys, key, hasHighUnits(key));
    return at >= 0 && keys[at] === key ? values[at] : undefined;
  }

  /** This map with `value` at `key`. */
  set(key: string, value: V): SortedMap<V> {
    const root = this.#root.set(key, value, hasHighUnits(key));
    return new SortedMap(root.width > WIDEST ? branchOf(root.halves()) : root);
  }

  /** This map without `key`; the same map if it has none. */
  delete(key: string): SortedMap<V> {
    const root = this.#root.delete(key, hasHighUnits(key));
    if (root === this.#root) return this;
    return new SortedMap(root instanceof Branch && root.width === 1 ? root.children[0]! : root);
  }

  /** The number of keys in a range, in logarithmic time. */
  count(range: KeyRange): number {
    const before = range.before === undefined ? this.size : this.#rank(range.before);
    const from = range.from === undefined ? 0 : this.#rank(range.from);
    return Math.max(0, before - from);
  }

  /** The values in a range, in key order; filtered by `accept`, if given. */
  *values(range: KeyRange = {}, accept?: (value: V) => boolean): Generator<V, void, undefined> {
    for (const slice = new Slice(this.#root, range); slice.next(); ) {
      const { values } = slice.leaf;
      for (let at = slice.start; at < slice.end; at++) {
        const value = values[at]!;
        if (accept === undefined || accept(value)) yield value;
      }
    }
  }

  /** The values in a range, in key order, in groups of a few: for work that pauses between groups. */
  *groups(range: KeyRange = {}): Generator<readonly V[], void, undefined> {
    for (const slice = new Slice(this.#root, range); slice.next(); ) {
      const { leaf, start, end } = slice;
      yield start === 0 && end === leaf.width ? leaf.values : leaf.values.slice(start, end);
    }
  }

  /** The entries in a range, in key order. */
  *entries(range: KeyRange = {}): Generator<[key: string, value: V], void, undefined> {
    for (const slice = new Slice(this.#root, range); slice.next(); ) {
      const { keys, values } = slice.leaf;
      for (let at = slice.start; at < slice.end; at++) yield [keys[at]!, values[at]!];
    }
  }

  /** The number of keys before `key`. */
  #rank(key: string): number {
    const high = hasHighUnits(key);
    let node = this.#root;
    let rank = 0;
    while (node instanceof Branch) {
      const at = node.childFor(key, high);
      for (let index = 0; index < at; index++) rank += node.children[index]!.size;
      node = node.children[at]!;
    }
    return rank + rankIn(node.keys, key);
  }
}

/**
 * Immutable nodes. set and delete may return a node that is too large or too small, which its parent, or the map for
 * its root, corrects. `high` is the result of hasHighUnits for the key.
 */
type Node<V> = Leaf<V> | Branch<V>;

class Leaf<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];

  constructor(keys: readonly string[], values: readonly V[]) {
    this.keys = keys;
    this.values = values;
  }

  get size(): number {
    return this.keys.length;
  }

  get width(): number {
    return this.keys.length;
  }

  set(key: string, value: V, high: boolean): Leaf<V> {
    const at = floor(this.keys, key, high);
    if (at >= 0 && this.keys[at] === key) return new Leaf(this.keys, replaced(this.values, at, value));
    return new Leaf(inserted(this.keys, at + 1, key), inserted(this.values, at + 1, value));
  }

  delete(key: string, high: boolean): Leaf<V> {
    const at = floor(this.keys, key, high);
    if (at < 0 || this.keys[at] !== key) return this;
    return new Leaf(removed(this.keys, at), removed(this.values, at));
  }

  halves(): [Leaf<V>, Leaf<V>] {
    const middle = this.width >> 1;
    return [
      new Leaf(this.keys.slice(0, middle), this.values.slice(0, middle)),
      new Leaf(this.keys.slice(middle), this.values.slice(middle)),
    ];
  }
}

class Branch<V> {
  /** The smallest key below each child. */
  readonly keys: readonly string[];
  readonly children: readonly Node<V>[];
  readonly size: number;

  constructor(keys: readonly string[], children: readonly Node<V>[], size: number) {
    this.keys = keys;
    this.children = children;
    this.size = size;
  }

  get width(): number {
    return this.keys.length;
  }

  /** The index of the child that contains `key`, or would. */
  childFor(key: string, high: boolean): number {
    return Math.max(0, floor(this.keys, key, high));
  }

  set(key: string, value: V, high: boolean): Branch<V> {
    const at = this.childFor(key, high);
    const child = this.children[at]!.set(key, value, high);
    if (child.width <= WIDEST) return this.#with(at, child);
    return branchOf(this.children.toSpliced(at, 1, ...child.halves()));
  }

  delete(key: string, high: boolean): Branch<V> {
    const at = this.childFor(key, high);
    const child = this.children[at]!.delete(key, high);
    if (child === this.children[at]) return this;
    if (child.width >= NARROWEST) return this.#with(at, child);
    return at > 0
      ? branchOf(this.children.toSpliced(at - 1, 2, ...joined(this.children[at - 1]!, child)))
      : branchOf(this.children.toSpliced(at, 2, ...joined(child, this.children[at + 1]!)));
  }

  halves(): [Branch<V>, Branch<V>] {
    const middle = this.width >> 1;
    return [branchOf(this.children.slice(0, middle)), branchOf(this.children.slice(middle))];
  }

  /** This branch with one child replaced. Keys are shared if possible: most writes add none. */
  #with(at: number, child: Node<V>): Branch<V> {
    const least = child.keys[0]!;
    const keys = this.keys[at] === least ? this.keys : replaced(this.keys, at, least);
    return new Branch(keys, replaced(this.children, at, child), this.size + child.size - this.children[at]!.size);
  }
}

function branchOf<V>(children: readonly Node<V>[]): Branch<V> {
  const keys = children.map((child) => child.keys[0]!);
  const size = children.reduce((sum, child) => sum + child.size, 0);
  return new Branch(keys, children, size);
}

/** Merges two neighbours of equal height, or balances them if they do not fit into one node. */
function joined<V>(left: Node<V>, right: Node<V>): Node<V>[] {
  const node =
    left instanceof Leaf
      ? new Leaf(left.keys.concat(right.keys), left.values.concat((right as Leaf<V>).values))
      : branchOf(left.children.concat((right as Branch<V>).children));
  return node.width > WIDEST ? node.halves() : [node];
}

/** The leaves of a range, one after the other, each with the part that is in the range. */
class Slice<V> {
  leaf: Leaf<V>;
  start: number;
  end = 0;
  /** The way from the root to the leaf. */
  readonly #branches: Branch<V>[] = [];
  readonly #places: number[] = [];
  /** The only leaf that may have keys after the range, and the number of its other keys. */
  readonly #last: Leaf<V> | undefined;
  readonly #lastEnd: number = 0;
  #begun = false;

  constructor(root: Node<V>, { from, before }: KeyRange) {
    this.leaf = this.#descend(root, from);
    this.start = from === undefined ? 0 : rankIn(this.leaf.keys, from);
    if (before === undefined) return;
    const isEmpty = from !== undefined && compareKeys(from, before) >= 0;
    this.#last = isEmpty ? this.leaf : leafOf(root, before);
    this.#lastEnd = isEmpty ? 0 : rankIn(this.#last.keys, before);
  }

  /** Moves to the next leaf with keys in the range; false if there is none. */
  next(): boolean {
    do {
      if (this.#begun && (this.leaf === this.#last || !this.#advance())) return false;
      this.#begun = true;
      this.end = this.leaf === this.#last ? this.#lastEnd : this.leaf.width;
    } while (this.start >= this.end);
    return true;
  }

  #advance(): boolean {
    let depth = this.#branches.length - 1;
    while (depth >= 0 && this.#places[depth]! + 1 === this.#branches[depth]!.children.length) depth--;
    if (depth < 0) return false;
    const place = this.#places[depth]! + 1;
    const child = this.#branches[depth]!.children[place]!;
    this.#places[depth] = place;
    this.start = 0;
    // Usually the next leaf is below the same branch.
    if (child instanceof Branch) {
      this.#branches.length = depth + 1;
      this.#places.length = depth + 1;
    }
    this.leaf = child instanceof Branch ? this.#descend(child, undefined) : child;
    return true;
  }

  /** @param key the leaf that has it, or would; the first one if undefined */
  #descend(from: Node<V>, key: string | undefined): Leaf<V> {
    const high = key !== undefined && hasHighUnits(key);
    let node = from;
    while (node instanceof Branch) {
      const place = key === undefined ? 0 : node.childFor(key, high);
      this.#branches.push(node);
      this.#places.push(place);
      node = node.children[place]!;
    }
    return node;
  }
}

/** The leaf that has a key, or would; those before it have smaller keys only. */
function leafOf<V>(root: Node<V>, key: string): Leaf<V> {
  const high = hasHighUnits(key);
  let node = root;
  while (node instanceof Branch) node = node.children[node.childFor(key, high)]!;
  return node;
}

/** Splits `count` items into equal portions of about BUILT, none smaller than NARROWEST unless it is the only one. */
function portions(count: number): [start: number, end: number][] {
  const parts = Math.ceil(count / BUILT);
  return Array.from({ length: parts }, (_, part) => [
    Math.floor((count * part) / parts),
    Math.floor((count * (part + 1)) / parts),
  ]);
}

/** The index of the last key that is not greater than `key`; -1 if all are. */
function floor(keys: readonly string[], key: string, high: boolean): number {
  let low = 0;
  let end = keys.length;
  while (low < end) {
    const middle = (low + end) >> 1;
    if (precedes(key, keys[middle]!, high)) end = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** The number of `keys` before `key`. */
function rankIn(keys: readonly string[], key: string): number {
  const at = floor(keys, key, hasHighUnits(key));
  return at >= 0 && keys[at] === key ? at : at + 1;
}

/**
 * Whether `one` precedes `other` by their UTF-8 bytes. JavaScript compares UTF-16 units, which is the same order except
 * for surrogates: they stand for characters above U+E000–U+FFFF but are smaller units. That only matters if both sides
 * have high units, so `high` is computed for one key only, once per operation.
 */
function precedes(one: string, other: string, high: boolean): boolean {
  return high ? precedesByBytes(one, other) : one < other;
}

function precedesByBytes(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const mine = one.charCodeAt(index);
    const theirs = other.charCodeAt(index);
    if (mine !== theirs) return byteRank(mine) < byteRank(theirs);
  }
  return one.length < other.length;
}

/** Moves surrogates above U+FFFF, where the characters they stand for belong. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const HIGH_UNITS = /[\ud800-\uffff]/;

function hasHighUnits(key: string): boolean {
  return HIGH_UNITS.test(key);
}

function replaced<T>(items: readonly T[], at: number, item: T): T[] {
  // slice and an assignment take half the time of Array.prototype.with.
  const copy = items.slice();
  copy[at] = item;
  return copy;
}

function inserted<T>(items: readonly T[], at: number, item: T): T[] {
  // A loop takes a fraction of the time of Array.prototype.toSpliced.
  const length = items.length + 1;
  const copy = new Array<T>(length);
  for (let index = 0; index < at; index++) copy[index] = items[index]!;
  copy[at] = item;
  for (let index = at + 1; index < length; index++) copy[index] = items[index - 1]!;
  return copy;
}

function removed<T>(items: readonly T[], at: number): T[] {
  const length = items.length - 1;
  const copy = new Array<T>(length);
  for (let index = 0; index < at; index++) copy[index] = items[index]!;
  for (let index = at; index < length; index++) copy[index] = items[index + 1]!;
  return copy;
}
