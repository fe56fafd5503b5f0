// Comparison of responses: a step selects the relevant part, which is then normalised.

import { Buffer } from 'node:buffer';
import { isObject } from '../../src/api/is-object.ts';
import { differences } from './difference.ts';
import type { Normaliser } from './normalise.ts';
import { keepAt, namesOf, putAt, removeAt, valueAt } from './place.ts';
import type { Compared } from './scenario.ts';
import { substitute, type Variables } from './variables.ts';

type Answer = Record<string, unknown>;

/** The response in the form that is compared. */
export function comparable(
  answer: Answer,
  step: Compared,
  run: { variables: Variables; normaliser: Normaliser },
): Answer {
  const places = substitute({ only: step.only, ignore: step.ignore }, run.variables);
  return run.normaliser.answer(narrowed(answer, { ...step, ...places }), step.times);
}

/** Returns lines that describe where a normalised response differs from the expected one. */
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

/** Sorts the lists at the paths in `unordered`. */
function inOrder(answer: Answer, step: Compared): Answer {
  for (const place of step.unordered ?? []) {
    const list = valueAt(answer, namesOf(place));
    if (Array.isArray(list)) list.sort((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
  }
  return answer;
}

/** JSON with fields sorted by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1))) : item,
  );
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
