// A conversation with both servers: each step is sent to both, and their responses are compared.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../conformance/client.ts';
import type { RequestStep } from '../conformance/scenario.ts';
import { capture, substitute, type Variables } from '../conformance/variables.ts';
import { CBOR, cborAnswer } from './cbor-bodies.ts';
import { answerDifferences, generatedSuffix, Side } from './compare.ts';
import { type Reply, send, textOf } from './send.ts';

/** How often, and at what interval, `until` polls. */
const patience = 200;
const pauseMs = 25;

/** Built-in kinds may return their fields in another order than declared. */
const definitions = '/apis/apiextensions.k8s.io/';

/** Stands for a connection that closed before the response: kube-apiserver does that when it panics. */
const connectionEnded = 'socket hang up';

export interface Pair {
  readonly reference: Target;
  readonly ours: Target;
}

/** A step with both responses. */
export interface Asked {
  readonly step: RequestStep;
  readonly expected: Record<string, unknown>;
  readonly actual: Record<string, unknown>;
  /** Differences, one per line. */
  readonly lines: readonly string[];
  /** The reference's response: its status and, if it is JSON or CBOR, its body. */
  readonly status: number;
  readonly body: unknown;
  /**
   * The reference panicked, and closed the connection, on a request that we rejected: there is no response to compare.
   */
  readonly isUnanswered: boolean;
}

/** Thrown if a conversation cannot continue because the servers now have different objects. */
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

  /** Prefixes for which the servers have generated names. */
  readonly #prefixes = new Set(['kube-api-access-']);
  readonly #isOrdered: boolean;

  /**
   * @param names the values of `{u}` and `{ns}`
   * @param options.ordered whether the order of fields is compared
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

  /** Sends a step to both. @throws Diverged if responses to a write differ */
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

  /** The suffix that each server generates becomes a variable: it differs on each side and in each run. */
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
   * Polls both until both responses match, or the time is over.
   * @param isThere checks a response of either side, given that side's previous body
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

  /** Returns the text of a response with this conversation's names replaced by variables again. */
  asTemplate<T>(value: T): T {
    let text = JSON.stringify(value);
    // Variables saved from responses replace values that each server generated: a uid in labels, a generated name.
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
      // A variable that could not be saved shows in the requests that use it.
    }
    return reply;
  }
}

function madeName(reply: Reply, prefix: string): string | undefined {
  const escaped = prefix.replace(/[^\w-]/g, '\\$&');
  return new RegExp(`"(${escaped}${generatedSuffix})"`).exec(textOf(reply))?.[1];
}

function bodyOf(reply: Reply): unknown {
  if (reply.headers['content-type'] === CBOR) return (cborAnswer(reply.bytes) as { json?: unknown }).json;
  try {
    return JSON.parse(textOf(reply));
  } catch {
    return undefined;
  }
}

/** How much of a prefix is sure to be in a generated name. */
const keptPrefix = 58;

/** Selects the compared part of a response: all of it, or the fields named by the step. */
function narrowed(answer: Record<string, unknown>, { only }: RequestStep): Record<string, unknown> {
  return only === undefined ? answer : Object.fromEntries(Object.entries(answer).filter(([key]) => only.includes(key)));
}

function prefixIn(body: unknown): string[] {
  const prefix = (body as { metadata?: { generateName?: unknown } } | undefined)?.metadata?.generateName;
  return typeof prefix === 'string' && prefix !== '' ? [prefix.slice(0, keptPrefix)] : [];
}
