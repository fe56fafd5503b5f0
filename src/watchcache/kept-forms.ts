// Forms of cached objects that are asked for again and again: the cells of their rows, their protobuf. They are kept
// beside the objects, for as long as these are the newest versions, and all caches of a server share one bound. What does
// not fit is made anew each time, until a cache that nobody has asked for a while gives way.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';

/** A form of an object. */
export interface Form {
  /** Bytes that keeping it takes, roughly. */
  readonly size: number;
}

/** Tells forms of one kind from those of others; made by whoever makes the forms, once for all objects. */
export class FormKind<Kind extends Form> {
  /** Never there: it only says what forms of this kind are. */
  declare readonly form: Kind;
}

/** What forms take in all caches of a server together. */
export class FormBudget {
  readonly clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #users = new Set<KeptForms>();
  #bytes = 0;
  /** Until then nobody is asked for room: nobody had any. */
  #fullUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, most: number = limits.keptFormBytes) {
    this.clock = clock;
    this.#most = most;
  }

  /** Bytes of all forms that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so many bytes more may be kept; from then on they count. */
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

  /** Empties caches that were not asked for a while, the longest first. */
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

/** Of one resource: versions of a definition come and go, and their kinds of forms with them. */
const KINDS = 16;

/** The forms of one cache's objects. */
export class KeptForms {
  readonly #budget: FormBudget;
  readonly #isCurrent: (object: object) => boolean;
  readonly #kinds = new Map<FormKind<Form>, Map<object, Form>>();
  /** When a form was last asked for. */
  usedMs = 0;

  /** @param isCurrent whether an object is its newest version */
  constructor(budget: FormBudget, isCurrent: (object: object) => boolean) {
    this.#budget = budget;
    this.#isCurrent = isCurrent;
  }

  /** The form of an object; `make` makes one that is not there. */
  form<Kind extends Form>(kind: FormKind<Kind>, object: object, make: () => Kind): Kind {
    this.usedMs = this.#budget.clock.now();
    const known = this.#kinds.get(kind)?.get(object);
    if (known !== undefined) return known as Kind;
    const made = make();
    if (this.#isCurrent(object) && this.#budget.take(this, made.size)) this.#ofKind(kind).set(object, made);
    return made;
  }

  /** Lets go of the forms of an object that is superseded. */
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
