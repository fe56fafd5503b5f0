// Field paths as the server writes them in conflicts, `.spec.containers[name="a"].image`: looking them up in an object
// and removing them from it.

import type { Path } from './yaml-text.ts';

/**
 * Resolves a field path in a value. Names are not quoted and may contain dots, so the longest name that exists in the
 * value is used.
 * @returns undefined if the value does not contain the field
 */
export function fieldPath(field: string, value: unknown): Path | undefined {
  if (field === '') return [];
  const step = field.startsWith('.') ? memberStep(field, value) : itemStep(field, value);
  if (step === undefined) return undefined;
  const rest = fieldPath(field.slice(step.length), (value as Record<string | number, unknown>)[step.at]);
  return rest === undefined ? undefined : [step.at, ...rest];
}

interface Step {
  readonly at: string | number;
  /** The length of the text consumed. */
  readonly length: number;
}

function memberStep(field: string, value: unknown): Step | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fitting = Object.keys(value).filter((name) => {
    const next = field[name.length + 1];
    return field.startsWith(name, 1) && (next === undefined || next === '.' || next === '[');
  });
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : { at: longest, length: longest.length + 1 };
}

/** `[3]`, `[="value"]` of a set, or `[name="a",port=80]`. */
function itemStep(field: string, value: unknown): Step | undefined {
  const [text, inside = ''] = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/.exec(field) ?? [];
  if (text === undefined || !Array.isArray(value)) return undefined;
  const at = /^\d+$/.test(inside) ? Number(inside) : value.findIndex((item) => isMeant(inside, item));
  return at < 0 || at >= value.length ? undefined : { at, length: text.length };
}

function isMeant(inside: string, item: unknown): boolean {
  const pairs = pairsOf(inside);
  return (
    pairs.length > 0 &&
    pairs.every(({ name, text }) => {
      const found = name === '' ? item : (item as Record<string, unknown> | null)?.[name];
      return JSON.stringify(found) === text;
    })
  );
}

/** Splits `name="a",port=80` into pairs; a quoted value may contain commas. */
function pairsOf(inside: string): { readonly name: string; readonly text: string }[] {
  const pairs: { name: string; text: string }[] = [];
  for (let at = 0; at < inside.length; ) {
    const equals = inside.indexOf('=', at);
    if (equals < 0) return [];
    const end = endOfText(inside, equals + 1);
    pairs.push({ name: inside.slice(at, equals), text: inside.slice(equals + 1, end) });
    at = end + 1;
  }
  return pairs;
}

/** Returns where a value that starts here ends: after its closing quote, or at the next comma. */
function endOfText(inside: string, start: number): number {
  if (inside[start] !== '"') {
    const comma = inside.indexOf(',', start);
    return comma < 0 ? inside.length : comma;
  }
  for (let at = start + 1; at < inside.length; at++) {
    if (inside[at] === '\\') at++;
    else if (inside[at] === '"') return at + 1;
  }
  return inside.length;
}

/** Returns a value without the field at a path, and without the parents that become empty. */
export function withoutPath(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return undefined;
  const inner = withoutPath((value as Record<string | number, unknown>)[step], rest);
  if (Array.isArray(value)) {
    const items = inner === undefined ? value.toSpliced(Number(step), 1) : value.with(Number(step), inner);
    return items.length === 0 ? undefined : items;
  }
  const { [step]: _, ...others } = value as Record<string, unknown>;
  const members = inner === undefined ? others : { ...(value as object), [step]: inner };
  return Object.keys(members).length === 0 ? undefined : members;
}
