// Replays one recorded conversation against a server and reports where the responses differ from the recorded ones.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerDifferences, comparable } from './answer.ts';
import type { Answer, Client } from './client.ts';
import { differences } from './difference.ts';
import { Normaliser } from './normalise.ts';
import { namesOf, valueAt } from './place.ts';
import type { CollectStep, PollUntil, RequestSpec, Scenario, Step, WatchStep } from './scenario.ts';
import { capture, substitute, type Variables } from './variables.ts';
import { OpenWatch, type WatchEvent } from './watch.ts';

export interface ReplayOptions {
  /** Factor for the timeouts of polls and watches: above 1 for slow machines, below 1 to give up early. */
  readonly patience: number;
}

export interface Outcome {
  readonly id: string;
  /** The differences, one line each; empty if the scenario passes. */
  readonly problems: readonly string[];
}

const serviceAccountTimeoutMs = 5_000;
const pollTimeoutMs = 15_000;
const collectTimeoutMs = 5_000;

/** Runs a scenario to its end, or to the step after which comparison makes no sense. */
export async function replay(client: Client, scenario: Scenario, options: ReplayOptions): Promise<Outcome> {
  const conversation = new Conversation(client, options);
  let problems: string[] = [];
  try {
    if (scenario.namespace !== false) await conversation.makeNamespace(scenario.serviceAccount === true);
    problems = await conversation.hold(scenario.steps);
  } catch (error) {
    problems.push(messageOf(error));
  }
  await conversation.end(scenario);
  return { id: scenario.id, problems };
}

class Conversation {
  readonly #client: Client;
  readonly #patience: number;
  readonly #variables: Variables;
  readonly #normaliser: Normaliser;
  readonly #watches = new Map<string, OpenWatch>();

  constructor(client: Client, { patience }: ReplayOptions) {
    const unique = randomBytes(4).toString('hex');
    this.#client = client;
    this.#patience = patience;
    this.#variables = { u: unique, ns: `cf-${unique}` };
    this.#normaliser = new Normaliser(this.#variables);
  }

  get #namespacePath(): string {
    return `/api/v1/namespaces/${this.#variables['ns']}`;
  }

  async makeNamespace(withServiceAccount: boolean): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#variables['ns'] } };
    await this.#client.send({ method: 'POST', path: '/api/v1/namespaces', body });
    if (!withServiceAccount) return;
    const path = `${this.#namespacePath}/serviceaccounts/default`;
    // A scenario that needs the account reports itself if it is missing.
    const deadline = Date.now() + serviceAccountTimeoutMs * Math.min(1, this.#patience);
    while ((await this.#client.send({ path })).status !== 200 && Date.now() < deadline) await sleep(25);
  }

  async hold(steps: readonly Step[]): Promise<string[]> {
    const problems: string[] = [];
    for (const [index, step] of steps.entries()) {
      const label = labelOf(step, index);
      let actual: Record<string, unknown> | undefined;
      try {
        actual = await this.#take(step);
      } catch (error) {
        problems.push(`${label}: ${messageOf(error)}`);
        break;
      }
      if (actual === undefined) continue;
      const answer = comparable(actual, step, { variables: this.#variables, normaliser: this.#normaliser });
      problems.push(...answerDifferences(answer, step).map((line) => `${label}: ${line}`));
      if (problems.length > 0 && answer['status'] !== step.expect?.['status']) break;
    }
    return problems;
  }

  /** Cleans up. Whether that succeeds is not compared. */
  async end({ namespace, steps, cleanup = [] }: Scenario): Promise<void> {
    for (const watch of this.#watches.values()) watch.close();
    for (const request of cleanup) await this.#tidy(substitute(request, this.#variables));
    if (namespace === false) return;
    if (JSON.stringify(steps).includes('persistentvolumeclaims')) await this.#letGoOfClaims();
    await this.#client.send({ method: 'DELETE', path: this.#namespacePath }).catch(() => {});
  }

  /** The step's response; undefined if nothing is compared. */
  async #take(raw: Step): Promise<Record<string, unknown> | undefined> {
    const { expect: _, ...rest } = raw;
    const step = substitute(rest, this.#variables) as Step;
    switch (step.do) {
      case undefined:
      case 'request':
        return this.#answered(step, await this.#client.send(step));
      case 'poll':
        return this.#answered(step, await this.#poll(step));
      case 'watch':
        return this.#watch(step);
      case 'collect':
        return this.#collect(step);
      case 'close':
        this.#watches.get(step.from)?.close();
        this.#watches.delete(step.from);
        return undefined;
      case 'sleep':
        await sleep(step.ms);
        return undefined;
      case 'parallel': {
        const answers = await Promise.all(step.requests.map((request) => this.#client.send(request)));
        return { statuses: answers.map(({ status }) => status).sort() };
      }
    }
  }

  #answered(step: Extract<Step, RequestSpec>, answer: Answer): Record<string, unknown> | undefined {
    if ('capture' in step) capture(step.capture, answer, this.#variables);
    return step.record === false ? undefined : { ...answer };
  }

  async #poll(step: Extract<Step, { do: 'poll' }>): Promise<Answer> {
    const start = Date.now();
    const deadline = start + (step.timeoutMs ?? pollTimeoutMs) * this.#patience;
    for (;;) {
      const answer = await this.#client.send(step);
      if (isReached(step.until, answer)) return answer;
      if (Date.now() >= deadline) {
        throw new Error(`never became ${JSON.stringify(step.until)}; last status ${answer.status}`);
      }
      await sleep(Math.min(1000, Math.max(25, (Date.now() - start) / 10)));
    }
  }

  async #watch(step: WatchStep): Promise<Record<string, unknown>> {
    const watch = await OpenWatch.open(this.#client, step);
    this.#watches.set(step.as, watch);
    const { status, headers } = watch;
    return { status, headers, body: watch.isLive ? undefined : await watch.refusal() };
  }

  async #collect(step: CollectStep): Promise<Record<string, unknown>> {
    const { until, timeoutMs = collectTimeoutMs } = step;
    const watch = this.#watches.get(step.from);
    if (watch === undefined) throw new Error(`no watch named ${step.from}`);
    const events = await watch.collect(until, until.quiet === true ? timeoutMs : timeoutMs * this.#patience);
    capture(step.capture, { body: { events } }, this.#variables);
    const rising = step.rising === true ? versionsRise(events) : undefined;
    if (step.sort !== undefined) {
      const names = namesOf(step.sort);
      events.sort((one, other) => (String(valueAt(one, names)) < String(valueAt(other, names)) ? -1 : 1));
    }
    return {
      events: step.types === true ? events.map(({ type }) => type) : events,
      rising,
      closed: until.closed === true ? watch.isClosed : undefined,
    };
  }

  /** Sends a cleanup request, and retries on errors and conflicts: a new definition may still be written to. */
  async #tidy(request: RequestSpec): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const status = await this.#client.send(request).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 0 && status !== 409 && (status < 500 || status === 501)) return;
      await sleep(200);
    }
  }

  /** No controller removes a claim's finalizer here, and a namespace with such a claim would never be deleted. */
  async #letGoOfClaims(): Promise<void> {
    const path = `${this.#namespacePath}/persistentvolumeclaims`;
    const { body } = await this.#client.send({ path }).catch(() => ({ body: undefined }));
    const claims = valueAt(body, ['items']);
    for (const claim of Array.isArray(claims) ? claims : []) {
      const headers = { 'content-type': 'application/merge-patch+json' };
      const request = { method: 'PATCH', path: `${path}/${claim.metadata.name}`, headers };
      await this.#client.send({ ...request, body: { metadata: { finalizers: null } } }).catch(() => {});
    }
  }
}

function labelOf(step: Step, index: number): string {
  const { path, from, method } = step as { path?: string; from?: string; method?: string };
  return ['step', index + 1, step.do ?? method, path ?? from].filter((part) => part !== undefined).join(' ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isReached(until: PollUntil, { status, headers, body }: Answer): boolean {
  if (until.status !== undefined && status !== until.status) return false;
  if (until.header !== undefined && headers[until.header] === undefined) return false;
  if (until.at === undefined) return true;
  const value = valueAt(body, namesOf(until.at));
  if (until.absent === true) return value === undefined;
  if ('equals' in until) return differences(until.equals, value).length === 0;
  if ('differs' in until) return value !== undefined && differences(until.differs, value).length > 0;
  return value !== undefined;
}

function versionsRise(events: readonly WatchEvent[]): boolean {
  const versions = events.map(({ object }) => BigInt(String(valueAt(object, ['metadata', 'resourceVersion']))));
  return versions.every((version, index) => index === 0 || version > versions[index - 1]!);
}
