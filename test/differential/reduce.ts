// Reduction to the smallest conversation that still shows a difference: removes steps, then fields and items of bodies,
// as long as the last step violates the same rule.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestStep } from '../conformance/scenario.ts';
import { ruleOf } from './groups.ts';
import { isQuiet } from './objects.ts';
import { type Asked, Diverged, type Session } from './session.ts';

/** How long a changed definition takes to be served. */
const changedPauseMs = 300;

export interface Reducer {
  /** Returns a new conversation with its own names. */
  readonly open: () => Session;
  /** Requests that restore both servers. */
  readonly close: (session: Session) => Promise<void>;
  /** The maximum number of attempts. */
  readonly attempts: number;
}

/** Repeats the conversation; returns the last step, undefined if it was not reached. */
export async function hold(steps: readonly RequestStep[], reducer: Reducer): Promise<Asked | undefined> {
  const session = reducer.open();
  try {
    for (const [index, step] of steps.entries()) {
      // A new definition is served a moment later.
      const made = session.asked.at(-1)?.step;
      if (index > 0 && made?.method === 'POST' && made.path.endsWith('/customresourcedefinitions')) {
        await session.until(
          { path: step.path.includes('/customresourcedefinitions/') ? '/api' : collectionIn(step.path) },
          (status) => status === 200,
        );
      }
      if (made?.method === 'PATCH' && made.path.includes('/customresourcedefinitions/')) await sleep(changedPauseMs);
      if (step.record === false) await session.until(step, isQuiet);
      await session.ask(step);
    }
  } catch (error) {
    if (!(error instanceof Diverged)) throw error;
  } finally {
    await reducer.close(session);
  }
  return session.asked.length === steps.length ? session.asked.at(-1) : undefined;
}

/**
 * Returns a shorter conversation whose last step violates the same rule, and that step's responses; undefined if it is
 * not reproducible.
 */
export async function reduce(
  steps: readonly RequestStep[],
  reducer: Reducer,
): Promise<{ steps: readonly RequestStep[]; last: Asked } | undefined> {
  let left = reducer.attempts;
  const try_ = async (candidate: readonly RequestStep[]): Promise<Asked | undefined> => {
    if (left-- <= 0) return undefined;
    return hold(candidate, reducer);
  };
  const first = await try_(steps);
  if (first === undefined || first.lines.length === 0) return undefined;
  const rule = ruleOf(first);
  let best: { steps: readonly RequestStep[]; last: Asked } = { steps, last: first };
  const better = async (candidate: readonly RequestStep[]): Promise<boolean> => {
    const last = await try_(candidate);
    if (last === undefined || last.lines.length === 0 || ruleOf(last) !== rule) return false;
    best = { steps: candidate, last };
    return true;
  };
  for (let index = steps.length - 2; index >= 0; index--) await better(best.steps.toSpliced(index, 1));
  for (let index = best.steps.length - 1; index >= 0; index--) {
    let smaller = true;
    while (smaller && left > 0) {
      smaller = false;
      const body = best.steps[index]!.body;
      for (const shrunk of shrinkings(body)) {
        if (left <= 0) break;
        if (await better(best.steps.with(index, { ...best.steps[index]!, body: shrunk }))) {
          smaller = true;
          break;
        }
      }
    }
  }
  return best;
}

type Members = Record<string, unknown>;

/** Returns the value without one of its fields or items; outer ones first. */
function* shrinkings(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries()) for (const each of shrinkings(item)) yield value.with(index, each);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === 'kind' || key === 'apiVersion') continue;
    const { [key]: _, ...rest } = value as Members;
    yield rest;
  }
  for (const [key, item] of Object.entries(value)) for (const each of shrinkings(item)) yield { ...value, [key]: each };
}

/** Returns the collection of a custom resource's path. */
function collectionIn(path: string): string {
  return path.split('?')[0]!.replace(/(\/things)\/.*/, '$1');
}
