// Values of Go templates: what JSON becomes in Go, and how Go tells truth, equality and text of it.

import type { Json } from '../../../api/object.ts';
import { goQuote } from '../../../base/go-quote.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';

/** A number from the data of a template. In Go it is a text, json.Number: it is never empty, and equal to its text. */
export class DataNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface ValueMap {
  [name: string]: Value;
}

/** Numbers are those of the template itself; undefined is nil. */
export type Value = undefined | boolean | number | string | DataNumber | Value[] | ValueMap;

/** Values that cost as much to convert as one step. */
const CONVERTED_PER_STEP = 3;

/** A private copy of data as values. @throws BudgetError */
export function valueFrom(json: Json | undefined, budget: Budget): Value {
  budget.spend(1 / CONVERTED_PER_STEP);
  if (json === null || json === undefined) return undefined;
  if (typeof json === 'number' || typeof json === 'bigint') return new DataNumber(String(json));
  if (Array.isArray(json)) return json.map((item) => budget.within(() => valueFrom(item, budget)));
  if (typeof json !== 'object') return json;
  const members = Object.entries(json).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, budget.within(() => valueFrom(member, budget))]));
}

/** The same value as JSON, its members in the order of their names. @throws BudgetError */
export function jsonOf(value: Value, budget: Budget): Json {
  budget.spend(1 / CONVERTED_PER_STEP);
  if (value === undefined) return null;
  if (value instanceof DataNumber) return Number(value.text);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => budget.within(() => jsonOf(item, budget)));
  return Object.fromEntries(
    membersOf(value).map(([name, member]) => [name, budget.within(() => jsonOf(member, budget))]),
  );
}

export function isMap(value: Value): value is ValueMap {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof DataNumber);
}

/** The own member of a map; undefined if it has none. */
export function memberOf(map: ValueMap, name: string): Value {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Members in the order of their names. */
export function membersOf(map: ValueMap): [string, Value][] {
  return Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1));
}

export function isTrue(value: Value): boolean {
  if (value === undefined) return false;
  if (value instanceof DataNumber) return true;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Go's kind of a value, as far as comparisons distinguish them. */
type Kind = 'nil' | 'bool' | 'string' | 'int' | 'float' | 'other';

function kindOf(value: Value): Kind {
  if (value === undefined) return 'nil';
  if (value instanceof DataNumber || typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return 'other';
}

function scalarOf(value: Value): boolean | number | string {
  return value instanceof DataNumber ? value.text : (value as boolean | number | string);
}

/** @throws TemplateError for values that Go does not compare */
export function areEqual(one: Value, other: Value): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if (kind === 'nil' || otherKind === 'nil') return kind === otherKind;
  if (kind !== otherKind) throw new TemplateError('incompatible types for comparison');
  if (kind === 'other') throw new TemplateError('non-comparable types');
  return scalarOf(one) === scalarOf(other);
}

/** @throws TemplateError for values that have no order */
export function isLess(one: Value, other: Value): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if (['nil', 'bool', 'other'].some((each) => each === kind || each === otherKind)) {
    throw new TemplateError('invalid type for comparison');
  }
  if (kind !== otherKind) throw new TemplateError('incompatible types for comparison');
  return scalarOf(one) < scalarOf(other);
}

/** The name of the type in Go. */
export function typeNameOf(value: Value): string {
  if (value === undefined) return '<nil>';
  if (value instanceof DataNumber) return 'json.Number';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'int' : 'float64';
}

/** The text of a value as Go's verb `%v` gives it, or `%q` with quotes; lists and maps may be long. */
export function textOf(value: Value, budget: Budget, quotes = false): string {
  budget.spend();
  if (value === undefined) return '<nil>';
  if (typeof value === 'string') {
    budget.spendText(value.length);
    return quotes ? goQuote(value) : value;
  }
  if (value instanceof DataNumber) return quotes ? goQuote(value.text) : value.text;
  if (Array.isArray(value))
    return `[${value.map((item) => budget.within(() => textOf(item, budget, quotes))).join(' ')}]`;
  if (typeof value === 'object') {
    const members = membersOf(value).map(([name, member]) => {
      return `${quotes ? goQuote(name) : name}:${budget.within(() => textOf(member, budget, quotes))}`;
    });
    return `map[${members.join(' ')}]`;
  }
  return typeof value === 'number' ? numberText(value) : String(value);
}

function numberText(value: number): string {
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) || (magnitude >= 1e-4 && magnitude < 1e21)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
