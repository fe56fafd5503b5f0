// Functions of jq without arguments.

import { isObject } from '../../../api/is-object.ts';
import { JsonError, parseJson } from '../../../api/json-reader.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import type { Json } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import { lookup } from '../../../base/lookup.ts';
import { goTime } from '../go-time.ts';
import { JqError } from './error.ts';
import { itemAt, itemsOf, type JqRun } from './filters.ts';
import { flattened, textIn } from './text-functions.ts';
import { add, compare, described, isTrue, membersOf, numberIn, sorted, textOf, typeOf } from './values.ts';

type Compute = (input: Json, run: JqRun) => Json;

/** By name and number of arguments. */
export const VALUE_FUNCTIONS: Readonly<Record<string, Compute>> = lookup({
  'not/0': (input) => !isTrue(input),
  'length/0': (input, { budget }) => {
    if (input === null) return 0;
    if (Array.isArray(input)) return input.length;
    if (isObject(input)) return membersOf(input, budget).length;
    if (typeof input === 'string') {
      budget.spendText(input.length);
      return [...input].length;
    }
    if (typeof input === 'boolean') throw new JqError(`${described(input)} has no length`);
    return Math.abs(Number(input));
  },
  'utf8bytelength/0': (input, { budget }) => {
    budget.spendText(textIn(input).length);
    return Buffer.byteLength(textIn(input));
  },
  'type/0': (input) => typeOf(input),
  'keys/0': (input, run) => keysOf(input, run),
  'to_entries/0': (input, { budget }) => {
    if (!isObject(input)) throw new JqError(`${described(input)} has no entries`);
    return membersOf(input, budget).map(([key, value]) => ({ key, value }));
  },
  'from_entries/0': (input, { budget }) => Object.fromEntries(itemsOf(input, budget).map(entryIn)),
  'add/0': (input, { budget }) => itemsOf(input, budget).reduce((sum, item) => add(sum, item, budget), null as Json),
  'flatten/0': (input, run) => flattened(input, Number.POSITIVE_INFINITY, run),
  'reverse/0': (input, run) => itemsIn(input, run).toReversed(),
  'sort/0': (input, run) => sorted(itemsIn(input, run), run.budget),
  'unique/0': (input, { budget }) =>
    sorted(itemsIn(input, { budget }), budget).filter(
      (item, index, all) => index === 0 || compare(all[index - 1]!, item, budget) !== 0,
    ),
  'min/0': (input, run) => sorted(itemsIn(input, run), run.budget)[0] ?? null,
  'max/0': (input, run) => sorted(itemsIn(input, run), run.budget).at(-1) ?? null,
  'first/0': (input) => itemAt(input, 0),
  'last/0': (input, run) => itemsIn(input, run).at(-1) ?? null,
  'floor/0': (input) => Math.floor(numberIn(input)),
  'ceil/0': (input) => Math.ceil(numberIn(input)),
  'round/0': (input) => Math.sign(numberIn(input)) * Math.round(Math.abs(numberIn(input))),
  'sqrt/0': (input) => Math.sqrt(numberIn(input)),
  'fabs/0': (input) => Math.abs(numberIn(input)),
  'abs/0': (input) => Math.abs(numberIn(input)),
  'tostring/0': (input, { budget }) => textOf(input, budget),
  'tojson/0': (input, { budget }) => {
    const text = stringifyJson(input);
    budget.spendText(text.length);
    return text;
  },
  'fromjson/0': (input, { budget }) => {
    budget.spend(textIn(input).length);
    try {
      return parseJson(textIn(input));
    } catch (error) {
      if (error instanceof JsonError) throw new JqError(`${described(input)} is not JSON`);
      throw error;
    }
  },
  'tonumber/0': (input) => {
    if (typeOf(input) === 'number') return input;
    const text = textIn(input);
    if (!/^-?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text))
      throw new JqError(`${described(input)} is not a number`);
    return Number(text);
  },
  'ascii_downcase/0': (input) => textIn(input).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  'ascii_upcase/0': (input) => textIn(input).replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'trim/0': (input) => textIn(input).trim(),
  'ltrim/0': (input) => textIn(input).trimStart(),
  'rtrim/0': (input) => textIn(input).trimEnd(),
  'now/0': (_input, { nowMs }) => nowMs / 1000,
  'todate/0': (input) => dateOf(input),
  'todateiso8601/0': (input) => dateOf(input),
  'fromdate/0': (input) => secondsOf(input),
  'fromdateiso8601/0': (input) => secondsOf(input),
});

function itemsIn(value: Json, { budget }: Pick<JqRun, 'budget'>): Json[] {
  if (!Array.isArray(value)) throw new JqError(`${described(value)} is not an array`);
  return itemsOf(value, budget);
}

function keysOf(value: Json, { budget }: JqRun): Json[] {
  if (Array.isArray(value)) {
    budget.spend(value.length);
    return [...value.keys()];
  }
  if (!isObject(value)) throw new JqError(`${described(value)} has no keys`);
  return membersOf(value, budget).map(([name]) => name);
}

/** A member from `{"key": …, "value": …}`; `name` is as good as `key`. */
function entryIn(entry: Json): [string, Json] {
  if (!isObject(entry)) throw new JqError(`${described(entry)} is not an entry`);
  const given = (names: string[]) => names.map((name) => ownMember(entry, name) ?? null).find((each) => each !== null);
  const name = given(['key', 'Key', 'name', 'Name']) ?? null;
  const value = given(['value', 'Value']) ?? null;
  if (typeof name === 'object') throw new JqError(`an object cannot have the key ${described(name)}`);
  return [String(name), value];
}

function dateOf(value: Json): string {
  return goTime(Math.floor(numberIn(value)) * 1000);
}

function secondsOf(value: Json): number {
  const ms = Date.parse(textIn(value));
  if (Number.isNaN(ms)) throw new JqError(`${described(value)} is not a time`);
  return Math.floor(ms / 1000);
}
