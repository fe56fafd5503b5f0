// Extra attributes of a user that headers name: one header for each key, or several whose keys are escaped differently.

export class ExtraValues {
  readonly #values = new Map<string, string[]>();

  /** Adds the values of one header. */
  add(key: string, values: readonly string[]): void {
    const before = this.#values.get(key);
    if (before === undefined) this.#values.set(key, [...values]);
    else for (const value of values) before.push(value);
  }

  /** Every key is an own property, whatever its name. */
  byKey(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#values);
  }
}

/** Keys in names of headers may be percent-encoded; malformed ones are used as they are. */
export function unescapedExtraKey(key: string): string {
  if (!key.includes('%')) return key;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
