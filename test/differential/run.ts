// A run of one area: concurrent conversations until the time is over, then the reduction of the differences found.

import { SeededRandom } from '../../src/base/seeded-random.ts';
import type { RequestStep } from '../conformance/scenario.ts';
import type { Area } from './area.ts';
import type { Bodies } from './bodies.ts';
import { type Group, resourceOf, ruleOf, unanswered } from './groups.ts';
import { nameIn } from './objects.ts';
import { type Reducer, reduce } from './reduce.ts';
import { type Asked, Diverged, type Pair, Session } from './session.ts';
import { Turn } from './turn.ts';

export interface RunOptions {
  readonly bodies: Bodies;
  readonly seed: number;
  readonly concurrency: number;
  readonly cases: number;
  readonly minutes: number;
  /** How many groups are reduced. */
  readonly reduced: number;
  readonly only: string;
}

export interface Result {
  /** Responses compared, by verb, and those of ours without a counterpart. */
  readonly counts: Map<string, Count>;
  readonly groups: readonly Group[];
}

export interface Count {
  answers: number;
  sameStatus: number;
  same: number;
}

const attemptsOfOne = 120;

interface Found extends Omit<Group, 'steps'> {
  steps: readonly RequestStep[];
}

export async function runArea(area: Area, pair: Pair, options: RunOptions): Promise<Result> {
  const counts = new Map<string, Count>();
  const found = new Map<string, Found>();
  const turn = new Turn();
  const end = Date.now() + options.minutes * 60_000;
  let next = 0;
  const work = async (worker: number) => {
    const ns = `d${options.seed}-${area.name}-${worker}`;
    await prepare(pair, ns);
    for (let index = next++; index < options.cases && Date.now() < end; index = next++) {
      const session = new Session(pair, { u: uniqueOf(options.seed, index), ns }, area);
      await converse(area, session, { turn, bodies: options.bodies, seed: seedOf(options.seed, index) });
      for (const [at, asked] of session.asked.entries()) {
        note(counts, asked);
        if (asked.lines.length > 0) noteGroup(found, asked, session.asked.slice(0, at + 1));
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, (_, worker) => work(worker)));
  const groups = [...found.values()].sort((one, other) => other.count - one.count);
  const ns = `d${options.seed}-${area.name}-r`;
  await prepare(pair, ns);
  await reduceAll(groups, pair, { ...options, ns, area });
  return { counts, groups };
}

interface Around {
  readonly turn: Turn;
  readonly bodies: Bodies;
  readonly seed: number;
}

async function converse(area: Area, session: Session, { turn, bodies, seed }: Around): Promise<void> {
  await turn.enter();
  try {
    await area.run({ session, random: new SeededRandom(seed), bodies, alone: () => turn.alone() });
  } catch (error) {
    if (!(error instanceof Diverged)) throw error;
  } finally {
    await undo(session);
    turn.leave();
  }
}

/** A namespace in which pods can be created although no controller creates the service account. */
async function prepare(pair: Pair, ns: string): Promise<void> {
  const session = new Session(pair, { u: 'prepare', ns });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}' } };
  // A busy machine may leave one without an answer.
  for (let round = 0; round < 3; round++) {
    await session.tidy({ method: 'POST', path: '/api/v1/namespaces', body: namespace });
    await session.tidy({ method: 'POST', path: '/api/v1/namespaces/{ns}/serviceaccounts', body: account });
  }
}

/** The seed of one conversation; exact for seeds of any size. */
function seedOf(seed: number, index: number): number {
  return Math.imul(seed % 2 ** 32, 1_000_003) + index;
}

function uniqueOf(seed: number, index: number): string {
  return `q${seed.toString(36)}x${index.toString(36).padStart(4, '0')}`;
}

function note(counts: Map<string, Count>, { step, expected, actual, lines, isUnanswered }: Asked): void {
  if (step.record === false) return;
  const verb = (step.method ?? 'GET') === 'POST' ? 'creates' : 'others';
  const key = isUnanswered ? `${verb} ${unanswered}` : verb;
  const count = counts.get(key) ?? { answers: 0, sameStatus: 0, same: 0 };
  count.answers++;
  if (expected['status'] === actual['status']) count.sameStatus++;
  if (lines.length === 0) count.same++;
  counts.set(key, count);
}

function noteGroup(found: Map<string, Found>, asked: Asked, all: readonly Asked[]): void {
  const rule = ruleOf(asked);
  const group = found.get(rule) ?? {
    rule,
    count: 0,
    resources: new Set<string>(),
    steps: all.map(({ step }) => step),
    expected: asked.expected,
    actual: asked.actual,
    lines: asked.lines,
  };
  group.count++;
  group.resources.add(resourceOf(asked.step));
  found.set(rule, group);
}

async function reduceAll(
  groups: Found[],
  pair: Pair,
  { ns, area, seed, reduced, only }: RunOptions & { ns: string; area: Area },
): Promise<void> {
  let names = 0;
  const reducer: Reducer = {
    attempts: attemptsOfOne,
    open: () => new Session(pair, { u: `r${uniqueOf(seed, names++)}`, ns }, area),
    close: (session) => undo(session),
  };
  const wanted = groups.filter(({ rule, resources }) => `${rule} ${[...resources]}`.includes(only)).slice(0, reduced);
  for (const group of wanted) {
    const least = await reduce(group.steps, reducer);
    if (least === undefined) continue;
    const { steps, last } = least;
    Object.assign(group, { steps, expected: last.expected, actual: last.actual, lines: last.lines });
  }
}

/** Deletes what a conversation has created. */
async function undo(session: Session): Promise<void> {
  for (const { step, expected, actual, body } of session.asked.toReversed()) {
    const made = expected['status'] === 201 || actual['status'] === 201;
    const name = nameIn(body) ?? nameIn(step.body);
    if (!made || step.query?.['dryRun'] !== undefined || name === undefined) continue;
    const at = step.path.split('?')[0]!;
    // A generated name differs between the servers.
    const path = step.method === 'POST' ? `${at}/${session.asTemplate(name)}` : at;
    const headers = { 'content-type': 'application/merge-patch+json' };
    await session.tidy({ method: 'PATCH', path, headers, body: { metadata: { finalizers: null } } });
    await session.tidy({ method: 'DELETE', path, query: { gracePeriodSeconds: '0' } });
    // Its name is taken until a controller of each server has released it.
    if (path.includes('/customresourcedefinitions/')) await session.until({ path }, (status) => status === 404);
  }
}
