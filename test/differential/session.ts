// A conversation held with both servers at once: each step is sent to both, and their answers are compared.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../conformance/client.ts';
import type { RequestStep } from '../conformance/scenario.ts';
import { capture, substitute, type Variables } from '../conformance/variables.ts';
import { answerDifferences, generatedSuffix, Side } from './compare.ts';
import { type Reply, send, textOf } from './send.ts';

/** How often, and how far apart, `until` asks. */
const patience = 200;
const pauseMs = 25;

/** Built-in kinds may show their members in another order than that of their declaration. */
const definitions = '/apis/apiextensions.k8s.io/';

/** What is said of a connection that ended before its answer came: kube-apiserver does that where it panics. */
const connectionEnded = 'socket hang up';

export interface Pair {
  readonly reference: Target;
  readonly ours: Target;
}

/** A step, asked of both. */
export interface Asked {
  readonly step: RequestStep;
  readonly expected: Record<string, unknown>;
  readonly actual: Record<string, unknown>;
  /** Where they differ, a line each. */
  readonly lines: readonly string[];
  /** The reference's answer: its status and, where it is JSON, its body. */
  readonly status: number;
  readonly body: unknown;
  /** The reference panicked, and ended the connection, over what we refused: there is no answer to compare. */
  readonly isUnanswered: boolean;
}

/** Thrown where a conversation cannot go on: from here on the servers hold different objects. */
export class Diverged extends Error {}

export class Session {
  readonly asked: Asked[] = [];
  readonly unique: string;
  readonly namespace: string;
  readonly #pair: Pair;
  readonly #own: Variables;
  readonly #theirs: Variables;
  readonly #ourSide: Side;
  readonly #theirSide: Side;

  /** Those behind which the servers have made names. */
  readonly #prefixes = new Set(['kube-api-access-']);
  readonly #isOrdered: boolean;

  /**
   * @param names what `{u}` and `{ns}` stand for
   * @param options.ordered whether the order of members is compared
   */
  constructor(pair: Pair, names: { u: string; ns: string }, options: { readonly ordered?: boolean | undefined } = {}) {
    this.#isOrdered = options.ordered === true;
    this.#pair = pair;
    this.unique = names.u;
    this.namespace = names.ns;
    this.#own = { ...names };
    this.#theirs = { ...names };
    this.#ourSide = new Side(this.#own);
    this.#theirSide = new Side(this.#theirs);
  }

  /** Sends a step to both. @throws Diverged after an answer that changed something differed */
  async ask(step: RequestStep): Promise<Asked> {
    const [reference, ours] = await Promise.all([
      this.#send(this.#pair.reference, step, this.#theirs),
      this.#send(this.#pair.ours, step, this.#own),
    ]);
    for (const prefix of prefixIn(substitute(step.body, this.#theirs))) this.#prefixes.add(prefix);
    const prefixes = [...this.#prefixes];
    const expected = narrowed(this.#theirSide.comparable(reference, prefixes), step);
    const actual = narrowed(this.#ourSide.comparable(ours, prefixes), step);
    const isUnanswered = reference.status === 0 && textOf(reference) === connectionEnded && ours.status >= 400;
    const lines =
      step.record === false || isUnanswered
        ? []
        : answerDifferences(
            expected,
            actual,
            this.#isOrdered && !step.path.startsWith(definitions) ? { reference, ours } : undefined,
          );
    this.#keepMadeNames(reference, ours, prefixes);
    const asked = { step, expected, actual, lines, status: reference.status, body: bodyOf(reference), isUnanswered };
    this.asked.push(asked);
    if (lines.length > 0 && (reference.status < 400 || ours.status < 400)) throw new Diverged();
    return asked;
  }

  /** What each server put behind a prefix is a variable from then on: another name on each side, and each time. */
  #keepMadeNames(reference: Reply, ours: Reply, prefixes: readonly string[]): void {
    for (const prefix of prefixes) {
      const [theirs, own] = [madeName(reference, prefix), madeName(ours, prefix)];
      if (theirs === undefined || own === undefined || Object.values(this.#theirs).includes(theirs)) continue;
      const known = `made${prefix.replaceAll(/[^a-z]/g, '')}`;
      const before = Object.keys(this.#theirs).filter((kept) => kept.startsWith(known)).length;
      const name = before === 0 ? known : `${known}${before}`;
      this.#theirs[name] = theirs;
      this.#own[name] = own;
    }
  }

  /**
   * Asks both until both answer as they should, or the time is over.
   * @param isThere judges an answer of either side, and is told the body of that side's answer before
   */
  async until(step: RequestStep, isThere: (status: number, body: unknown, before: unknown) => boolean): Promise<void> {
    const wait = async (target: Target, variables: Variables) => {
      let before: unknown;
      for (let left = patience; left > 0; left--) {
        const reply = await this.#send(target, step, variables);
        const body = bodyOf(reply);
        if (isThere(reply.status, body, before)) return;
        before = body;
        await sleep(pauseMs);
      }
    };
    await Promise.all([wait(this.#pair.reference, this.#theirs), wait(this.#pair.ours, this.#own)]);
  }

  /** Sends a step to both and compares nothing. */
  async tidy(step: RequestStep): Promise<void> {
    await Promise.all([
      this.#send(this.#pair.reference, step, this.#theirs),
      this.#send(this.#pair.ours, step, this.#own),
    ]);
  }

  /** What an answer says, with the names that are this conversation's as variables again. */
  asTemplate<T>(value: T): T {
    let text = JSON.stringify(value);
    // What was kept of the answers stands for what each server made up: a uid in labels, a name that was generated.
    for (const kept of ['uid', 'name'].filter((each) => (this.#theirs[each] ?? '') !== '')) {
      text = text.replaceAll(`"${this.#theirs[kept]}"`, `"{${kept}}"`);
    }
    for (const [kept, made] of Object.entries(this.#theirs)) {
      if (kept.startsWith('made')) text = text.replaceAll(String(made), `{${kept}}`);
    }
    return JSON.parse(text.replaceAll(this.namespace, '{ns}').replaceAll(this.unique, '{u}')) as T;
  }

  async #send(target: Target, step: RequestStep, variables: Variables): Promise<Reply> {
    const reply = await send(target, substitute(step, variables)).catch((error: Error) => ({
      status: 0,
      headers: {},
      bytes: Buffer.from(error.message),
    }));
    try {
      capture(step.capture, { status: reply.status, headers: reply.headers, body: bodyOf(reply) }, variables);
    } catch {
      // What was not there to be kept shows in the requests that would have used it.
    }
    return reply;
  }
}

function madeName(reply: Reply, prefix: string): string | undefined {
  const escaped = prefix.replace(/[^\w-]/g, '\\$&');
  return new RegExp(`"(${escaped}${generatedSuffix})"`).exec(textOf(reply))?.[1];
}

function bodyOf(reply: Reply): unknown {
  try {
    return JSON.parse(textOf(reply));
  } catch {
    return undefined;
  }
}

/** How much of a prefix surely stands in a generated name. */
const keptPrefix = 58;

/** What of an answer the step compares: all of it, or the members that it names. */
function narrowed(answer: Record<string, unknown>, { only }: RequestStep): Record<string, unknown> {
  return only === undefined ? answer : Object.fromEntries(Object.entries(answer).filter(([key]) => only.includes(key)));
}

function prefixIn(body: unknown): string[] {
  const prefix = (body as { metadata?: { generateName?: unknown } } | undefined)?.metadata?.generateName;
  return typeof prefix === 'string' && prefix !== '' ? [prefix.slice(0, keptPrefix)] : [];
}
