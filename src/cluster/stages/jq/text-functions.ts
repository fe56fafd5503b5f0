// Functions of jq whose arguments are values, most of them texts.

import { equalJson } from '../../../api/json-equal.ts';
import type { Json } from '../../../api/object.ts';
import { lookup } from '../../../base/lookup.ts';
import { patternFor } from '../patterns.ts';
import { JqError } from './error.ts';
import type { JqRun } from './filters.ts';
import { described, split, textOf, typeOf } from './values.ts';

/** By name and number of arguments. */
export const TEXT_FUNCTIONS: Readonly<Record<string, (input: Json, given: Json[], run: JqRun) => Json>> = lookup({
  'startswith/1': (input, [prefix]) => textIn(input).startsWith(textIn(prefix!)),
  'endswith/1': (input, [suffix]) => textIn(input).endsWith(textIn(suffix!)),
  'ltrimstr/1': (input, [prefix]) => {
    const text = textIn(input);
    return text.startsWith(textIn(prefix!)) ? text.slice(textIn(prefix!).length) : text;
  },
  'rtrimstr/1': (input, [suffix]) => {
    const text = textIn(input);
    return text.endsWith(textIn(suffix!)) ? text.slice(0, text.length - textIn(suffix!).length) : text;
  },
  'split/1': (input, [separator], { budget }) => split(textIn(input), textIn(separator!), budget),
  'join/1': (input, [separator], { budget }) => {
    if (!Array.isArray(input)) throw new JqError(`${described(input)} is not an array`);
    budget.spend(input.length);
    const texts = input.map((item) => {
      if (typeof item === 'object' && item !== null) throw new JqError(`cannot join ${described(item)}`);
      return item === null ? '' : textOf(item, budget);
    });
    budget.spendText(textIn(separator!).length * texts.length);
    return texts.join(textIn(separator!));
  },
  'test/1': (input, [pattern], run) => matches(input, textIn(pattern!), run),
  'test/2': (input, [pattern, flags], run) => {
    const given = flags === null ? '' : textIn(flags!);
    if (!/^[ixgn]*$/.test(given) || given.includes('x')) throw new JqError(`flags ${given} are not supported`);
    return matches(input, `${given.includes('i') ? '(?i)' : ''}${textIn(pattern!)}`, run);
  },
  'flatten/1': (input, [depth], run) => flattened(input, Number(depth), run),
  'indices/1': (input, [part], { budget }) => {
    if (input === null) return null;
    if (Array.isArray(input) && !Array.isArray(part)) {
      budget.spend(input.length);
      return input.flatMap((item, index) => (equalJson(item, part) ? [index] : []));
    }
    const [text, wanted] = [textIn(input), textIn(part!)];
    budget.spend(text.length);
    if (wanted === '') return [];
    const found: number[] = [];
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push(at);
    return found;
  },
});

export function textIn(value: Json): string {
  if (typeof value !== 'string') throw new JqError(`${described(value)} is not a string`);
  return value;
}

/** The items of nested arrays in one array. */
export function flattened(value: Json, depth: number, { budget }: JqRun): Json[] {
  if (!Array.isArray(value)) throw new JqError(`cannot flatten ${described(value)}`);
  let items: Json[] = value;
  for (let level = 0; level < depth && items.some(Array.isArray); level++) {
    budget.spend(items.length);
    items = items.flat();
  }
  return items;
}

function matches(input: Json, pattern: string, { budget }: JqRun): boolean {
  if (typeOf(input) !== 'string') throw new JqError(`cannot match ${described(input)}`);
  try {
    return patternFor(pattern, input as string, budget).test(input as string);
  } catch (error) {
    if (error instanceof Error && error.name === 'RE2JSSyntaxException') throw new JqError(error.message);
    throw error;
  }
}
