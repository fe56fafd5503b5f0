// One sequence, on both sides in step: after each request that is waited for, both must come to rest in the same state.

import { SeededRandom } from '../../../src/base/seeded-random.ts';
import { look } from './settled-objects.ts';
import type { Side } from './sides.ts';
import type { Sequence, Step } from './step.ts';
import { take } from './take-step.ts';
import { WatchHistory } from './watch-history.ts';
import { sequence } from './workloads.ts';

/** Where the sides differ. */
export interface Difference {
  readonly seed: number;
  readonly steps: readonly Step[];
  /** The number of the step after which they do, from 0. */
  readonly after: number;
  readonly resource: string;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** How long nothing may change, unless a step says otherwise, and how long the sides may differ before that counts. */
const QUIET_MS = 1_500;
const LIMIT_MS = 20_000;
const POLL_MS = 100;
/** How many polls after a difference the sides are looked at again. */
const AGAIN_POLLS = 10;

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The sequence of a seed. */
export function sequenceOf(seed: number): Sequence {
  return sequence(new SeededRandom(seed));
}

/** @param namespace what the sequence happens in, a new one. @returns none if the sides were always equal at rest */
export async function compared(seed: number, sides: readonly [Side, Side], namespace: string): Promise<Difference[]> {
  const { steps, isAlone } = sequenceOf(seed);
  const path = '/api/v1/namespaces';
  await Promise.all(sides.map(({ server }) => server.request('POST', path, { metadata: { name: namespace } })));
  await ready(sides, namespace);
  using expected = new WatchHistory(sides[0], namespace);
  using actual = new WatchHistory(sides[1], namespace);
  const differ = async (): Promise<Omit<Difference, 'seed' | 'steps'>[]> => {
    for (const [after, step] of steps.entries()) {
      const [theirs, ours] = await take(sides, namespace, step);
      if (theirs !== ours) return [{ after, resource: 'answers', expected: [String(theirs)], actual: [String(ours)] }];
      const isLast = after === steps.length - 1;
      if (!step.waits && !isLast) continue;
      // What happened in a hurry may be reported in fewer events.
      const hasEvents = isLast && steps.every(({ waits }) => waits);
      const found = await atRest(sides, [expected, actual], {
        ...{ namespace, quietMs: step.quietMs ?? QUIET_MS, hasEvents },
      });
      if (found.length > 0) return found.map((each) => ({ after, ...each }));
      for (const history of [expected, actual]) history.cameToRest();
    }
    return isAlone ? [] : inHistory(expected, actual).map((each) => ({ after: steps.length - 1, ...each }));
  };
  const found = await differ();
  await Promise.all(sides.map((side) => cleaned(side, namespace, steps)));
  return found.map((each) => ({ seed, steps, ...each }));
}

/** Waits for the account that pods need, which another controller makes. */
async function ready(sides: readonly Side[], namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  for (const { server } of sides) {
    while ((await server.request('GET', path)).status !== 200) await waited(POLL_MS);
  }
}

/** Removes the namespace, and what the sequence has made outside of it. */
async function cleaned({ server }: Side, namespace: string, steps: readonly Step[]): Promise<void> {
  await server.request('DELETE', `/api/v1/namespaces/${namespace}`);
  for (const { method, path, body } of steps) {
    if (method !== 'POST' || path.includes('/NS/')) continue;
    const { name } = (body as { metadata: { name: string } }).metadata;
    await server.request('DELETE', `/${path}/${name.replaceAll('$NS', namespace)}`);
  }
}

interface Found {
  readonly resource: string;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** Resolves when both sides are at rest and equal, or have differed for too long. */
async function atRest(
  sides: readonly [Side, Side],
  histories: readonly WatchHistory[],
  {
    namespace,
    quietMs,
    hasEvents,
  }: { readonly namespace: string; readonly quietMs: number; readonly hasEvents: boolean },
): Promise<Found[]> {
  const latest = () => Math.max(...histories.map((each) => each.changedMs));
  // Counted in polls, so that a busy machine, on which they come late, takes as much longer.
  let [polls, quiet, before] = [0, 0, latest()];
  for (;;) {
    for (; quiet * POLL_MS < quietMs; polls++) {
      await waited(POLL_MS);
      quiet = latest() === before ? quiet + 1 : 0;
      before = latest();
    }
    const [expected, actual] = await Promise.all(sides.map((side) => look(side, namespace)));
    const found = differences(expected!, actual!, hasEvents);
    const isStill = latest() === before;
    if (isStill && (found.length === 0 || polls * POLL_MS > quietMs + LIMIT_MS)) return found;
    quiet = isStill ? quiet - AGAIN_POLLS : 0;
  }
}

type Look = ReadonlyMap<string, readonly string[]>;

function differences(expected: Look, actual: Look, hasEvents: boolean): Found[] {
  const found: Found[] = [];
  for (const [resource, theirs] of expected) {
    const ours = actual.get(resource) ?? [];
    if ((resource === 'events' && !hasEvents) || JSON.stringify(theirs) === JSON.stringify(ours)) continue;
    const only = (one: readonly string[], other: readonly string[]) => {
      const left = [...other];
      return one.filter((text) => {
        const at = left.indexOf(text);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
    };
    found.push({ resource, expected: only(theirs, ours), actual: only(ours, theirs) });
  }
  return found;
}

/** Orders that differ, and rules that were broken here but not by Kubernetes' own controllers. */
function inHistory(expected: WatchHistory, actual: WatchHistory): Found[] {
  const orders = [expected.order(), actual.order()] as const;
  const found: Found[] = [];
  if (JSON.stringify(orders[0]) !== JSON.stringify(orders[1]))
    found.push({ resource: 'order', expected: orders[0], actual: orders[1] });
  const theirs = new Set(expected.violations());
  const broken = actual.violations().filter((each) => !theirs.has(each));
  return broken.length === 0 ? found : [...found, { resource: 'bounds', expected: [...theirs], actual: broken }];
}
