// Path of a node's value from a variable, for looking up its size.

/**
 * Names from a variable inwards. Paths with a common prefix may share memory, and appending to one may overwrite the
 * last name of another: kube-apiserver's estimate has this behavior (its paths are Go slices), and the costs of some
 * rules, such as `self.items.all(i, i.tags.all(t, t == i.name))`, depend on it.
 */
export class VariablePath {
  static readonly EMPTY = new VariablePath([], 0, 0);

  readonly length: number;
  readonly #names: string[];
  readonly #capacity: number;

  private constructor(names: string[], length: number, capacity: number) {
    this.#names = names;
    this.length = length;
    this.#capacity = capacity;
  }

  static of(variable: string): VariablePath {
    return new VariablePath([variable], 1, 1);
  }

  /** The path extended by a name. */
  append(name: string): VariablePath {
    const { length } = this;
    if (length < this.#capacity) {
      this.#names[length] = name;
      return new VariablePath(this.#names, length + 1, this.#capacity);
    }
    const names = [...this.names(), name];
    return new VariablePath(names, names.length, length === 0 ? 1 : length * 2);
  }

  /** The current names. */
  names(): string[] {
    return this.#names.slice(0, this.length);
  }
}
