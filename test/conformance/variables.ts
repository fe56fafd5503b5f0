// The variables of a scenario: `{u}` and `{ns}`, generated for each run, and values that its steps save from responses.

import { Buffer } from 'node:buffer';
import { namesOf, valueAt } from './place.ts';
import type { Capture } from './scenario.ts';

export type Variables = Record<string, unknown>;

const whole = /^\{(\w+)\}$/;
const variable = /\{(\w+)\}/g;
const filling = /\{fill:(\d+)(?::([^}]*))?\}/g;

/**
 * Returns the value with variables replaced, in keys too. A string that consists of one variable becomes its value, of
 * any type; `{fill:N:text}` becomes N times the text, or N times `x`.
 */
export function substitute<T>(value: T, variables: Variables): T {
  return substituted(value, variables) as T;
}

function substituted(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return inText(value, variables);
  if (Array.isArray(value)) return value.map((item) => substituted(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(inText(key, variables)), substituted(item, variables)]),
  );
}

function inText(text: string, variables: Variables): unknown {
  const name = whole.exec(text)?.[1];
  if (name !== undefined && Object.hasOwn(variables, name)) return variables[name];
  return text
    .replace(filling, (_, count: string, fill: string | undefined) => (fill ?? 'x').repeat(Number(count)))
    .replace(variable, (found, each: string) => (Object.hasOwn(variables, each) ? String(variables[each]) : found));
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Saves the values that a step asks for. Throws if one is missing. */
export function capture(wanted: Capture | undefined, answer: Answered, variables: Variables): void {
  for (const [name, place] of Object.entries(wanted ?? {})) {
    const value = captured(String(place), answer, place);
    if (value === undefined) {
      const body = JSON.stringify(answer.body)?.slice(0, 300);
      throw new Error(`nothing at ${place} to keep as ${name}; status ${answer.status} ${body}`);
    }
    variables[name] = value;
  }
}

function captured(text: string, { headers, body }: Answered, place: Capture[string]): unknown {
  if (text.startsWith('headers.')) return headers?.[text.slice('headers.'.length)];
  if (!text.startsWith('base64:')) return valueAt(body, namesOf(place));
  const encoded = valueAt(body, namesOf(text.slice('base64:'.length)));
  return encoded === undefined ? undefined : Buffer.from(String(encoded), 'base64').toString('utf8');
}
