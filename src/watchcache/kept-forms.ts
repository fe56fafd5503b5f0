// Cached forms of objects: table cells, protobuf messages. They are cached with the objects while these are the latest
// versions, and all caches of a server share one limit. What does not fit is computed each time, until a cache that has
// been idle for a while is evicted.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';

/** A form of an object. */
export interface Form {
  /** Approximate size in bytes. */
  readonly size: number;
}

/** Identifies a kind of form; created by its producer, once for all objects. */
export class FormKind<Kind extends Form> {
  /** Never present: it only declares the type of forms. */
  declare readonly form: Kind;
}

/** The memory of forms in all caches of a server. */
export class FormBudget {
  readonly clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #users = new Set<KeptForms>();
  #bytes = 0;
  /** Until then no cache is asked for room, because none has any. */
  #fullUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, most: number = limits.keptFormBytes) {
    this.clock = clock;
    this.#most = most;
  }

  /** Bytes of all cached forms. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so many more bytes may be cached; if so, they count from then on. */
  take(user: KeptForms, bytes: number): boolean {
    if (this.#bytes + bytes > this.#most && !this.#makeRoom(bytes)) return false;
    this.#users.add(user);
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }

  forget(user: KeptForms): void {
    this.#users.delete(user);
  }

  /** Evicts idle caches, the least recently used first. */
  #makeRoom(bytes: number): boolean {
    const nowMs = this.clock.now();
    if (nowMs < this.#fullUntilMs) return false;
    const idle = [...this.#users].filter(({ usedMs }) => nowMs - usedMs >= limits.keptFormIdleMs);
    for (const user of idle.sort((one, other) => one.usedMs - other.usedMs)) {
      user.clear();
      if (this.#bytes + bytes <= this.#most) return true;
    }
    this.#fullUntilMs = nowMs + limits.keptFormRetryMs;
    return false;
  }
}

/** Of one resource: versions of a definition may change, and with them their kinds of forms. */
const KINDS = 16;

/** The forms of one cache's objects. */
export class KeptForms {
  readonly #budget: FormBudget;
  readonly #isCurrent: (object: object) => boolean;
  readonly #kinds = new Map<FormKind<Form>, Map<object, Form>>();
  /** When a form was last requested. */
  usedMs = 0;

  /** @param isCurrent whether an object is its latest version */
  constructor(budget: FormBudget, isCurrent: (object: object) => boolean) {
    this.#budget = budget;
    this.#isCurrent = isCurrent;
  }

  /** The cached form of an object; undefined if there is none. */
  known<Kind extends Form>(kind: FormKind<Kind>, object: object): Kind | undefined {
    this.usedMs = this.#budget.clock.now();
    return this.#kinds.get(kind)?.get(object) as Kind | undefined;
  }

  /** The form of an object; `make` computes it if it is not cached. */
  form<Kind extends Form>(kind: FormKind<Kind>, object: object, make: () => Kind): Kind {
    const known = this.known(kind, object);
    if (known !== undefined) return known;
    const made = make();
    if (this.#isCurrent(object) && this.#budget.take(this, made.size)) this.#ofKind(kind).set(object, made);
    return made;
  }

  /** Drops the forms of a superseded object. */
  drop(object: object): void {
    for (const forms of this.#kinds.values()) {
      const form = forms.get(object);
      if (form === undefined) continue;
      forms.delete(object);
      this.#budget.give(form.size);
    }
  }

  clear(): void {
    for (const kind of [...this.#kinds.keys()]) this.#dropKind(kind);
    this.#budget.forget(this);
  }

  #ofKind(kind: FormKind<Form>): Map<object, Form> {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size === KINDS && oldest !== undefined) this.#dropKind(oldest);
    const forms = new Map<object, Form>();
    this.#kinds.set(kind, forms);
    return forms;
  }

  #dropKind(kind: FormKind<Form>): void {
    for (const { size } of this.#kinds.get(kind)!.values()) this.#budget.give(size);
    this.#kinds.delete(kind);
  }
}
