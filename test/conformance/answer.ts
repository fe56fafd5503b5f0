// Comparison of answers: a step narrows it, and only then is it made comparable.

import { Buffer } from 'node:buffer';
import { differences } from './difference.ts';
import type { Normaliser } from './normalise.ts';
import { keepAt, namesOf, putAt, removeAt, valueAt } from './place.ts';
import type { Compared } from './scenario.ts';
import { substitute, type Variables } from './variables.ts';

type Answer = Record<string, unknown>;

/** The answer as it is compared. */
export function comparable(
  answer: Answer,
  step: Compared,
  run: { variables: Variables; normaliser: Normaliser },
): Answer {
  const places = substitute({ only: step.only, ignore: step.ignore }, run.variables);
  return run.normaliser.answer(narrowed(answer, { ...step, ...places }), step.times);
}

/** Lines that say where a comparable answer differs from the one that the step expects. */
export function answerDifferences(actual: Answer, step: Compared): string[] {
  if (step.expect === undefined) return [];
  return differences(inOrder(structuredClone(step.expect), step), inOrder(actual, step));
}

function narrowed(answer: Answer, step: Compared): Answer {
  const copy = structuredClone(answer);
  for (const [place, pattern] of Object.entries(step.part ?? {})) {
    const text = valueAt(copy, namesOf(place));
    if (typeof text !== 'string') continue;
    putAt(copy, namesOf(place), new RegExp(pattern, 's').exec(text)?.[0] ?? `nothing like ${pattern}`);
  }
  for (const place of step.jwt ?? []) {
    const token = valueAt(copy, namesOf(place));
    if (typeof token === 'string' && token !== '') putAt(copy, namesOf(place), claimsOf(token));
  }
  for (const place of step.ignore ?? []) removeAt(copy, namesOf(place));
  inOrder(copy, step);
  if (step.only === undefined) return copy;
  const kept: Answer = {};
  for (const place of step.only) {
    const names = namesOf(place);
    if (names.includes('*')) keepAt(kept, copy, names);
    else putAt(kept, names, valueAt(copy, names));
  }
  return kept;
}

/** The answer, its lists at the places named `unordered` sorted by their items. */
function inOrder(answer: Answer, step: Compared): Answer {
  for (const place of step.unordered ?? []) {
    const list = valueAt(answer, namesOf(place));
    if (Array.isArray(list)) list.sort((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
  }
  return answer;
}

/** JSON with the members of objects in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
