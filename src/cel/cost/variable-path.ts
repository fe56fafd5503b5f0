// Path of a variable from which a node's value comes, by which its size can be looked up.

/**
 * Names from a variable inwards. Paths that start alike may share their memory, and appending to one may overwrite the
 * last name of another: that is how the estimate of kube-apiserver works (its paths are Go slices), and the costs of
 * some rules, such as `self.items.all(i, i.tags.all(t, t == i.name))`, come out as they do because of it.
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

  /** The path one name further. */
  append(name: string): VariablePath {
    const { length } = this;
    if (length < this.#capacity) {
      this.#names[length] = name;
      return new VariablePath(this.#names, length + 1, this.#capacity);
    }
    const names = [...this.names(), name];
    return new VariablePath(names, names.length, length === 0 ? 1 : length * 2);
  }

  /** The names as they are now. */
  names(): string[] {
    return this.#names.slice(0, this.length);
  }
}
