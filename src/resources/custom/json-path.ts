// JSONPath of printer columns: the subset of kubectl's JSONPath that columns may use. A path selects any number of
// values; finding none is not an error.

import type { Json, JsonObject } from '../../api/object.ts';
import { isObject } from '../value.ts';

type Step =
  | { readonly kind: 'members'; readonly names: readonly string[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'below' }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined; readonly by: number }
  | { readonly kind: 'filter'; readonly left: Operand; readonly operator: string; readonly right: Operand | undefined };

/** A path relative to the current item, or a value. */
type Operand = { readonly path: JsonPath } | { readonly value: Json };

export interface JsonPath {
  readonly steps: readonly Step[];
}

/** Parses a path such as `.status.conditions[?(@.type=="Ready")].status`; undefined if invalid. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const found = nextStep(rest);
    if (found === undefined) return undefined;
    steps.push(...found.steps);
    rest = found.rest;
  }
  return { steps };
}

function nextStep(text: string): { steps: readonly Step[]; rest: string } | undefined {
  if (text.startsWith('..')) {
    const rest = text.slice(2);
    return { steps: [{ kind: 'below' }], rest: rest.startsWith('[') ? rest : `.${rest}` };
  }
  if (text.startsWith('.')) {
    const name = /^(?:\\.|[^.[\]\s\\])+/.exec(text.slice(1))?.[0];
    if (name === undefined) return text === '.' ? { steps: [], rest: '' } : skipTo(text);
    const rest = text.slice(1 + name.length);
    if (name === '*') return { steps: [{ kind: 'all' }], rest };
    return { steps: [{ kind: 'members', names: [name.replace(/\\(.)/g, '$1')] }], rest };
  }
  return text.startsWith('[') ? bracketed(text) : undefined;
}

/** `.[0]` equals `[0]`. */
function skipTo(text: string): { steps: readonly Step[]; rest: string } | undefined {
  return text.startsWith('.[') ? { steps: [], rest: text.slice(1) } : undefined;
}

function bracketed(text: string): { steps: readonly Step[]; rest: string } | undefined {
  const filter = /^\[\?\(((?:"[^"]*"|'[^']*'|[^"'])*?)\)\]/.exec(text);
  if (filter !== null) {
    const step = filterStep(filter[1] as string);
    return step && { steps: [step], rest: text.slice(filter[0].length) };
  }
  const quoted = /^\[\s*('(?:[^'\\]|\\.)*'(?:\s*,\s*'(?:[^'\\]|\\.)*')*)\s*\]/.exec(text);
  if (quoted !== null) {
    const names = [...(quoted[1] as string).matchAll(/(?:\s*,\s*)?'((?:[^'\\]|\\.)*)'/gy)].map(([, name = '']) => name);
    return {
      steps: [{ kind: 'members', names: names.map((name) => name.replace(/\\(.)/g, '$1')) }],
      rest: text.slice(quoted[0].length),
    };
  }
  const all = /^\[\*\]/.exec(text);
  if (all !== null) return { steps: [{ kind: 'all' }], rest: text.slice(3) };
  const slice = /^\[(-?\d+)?(?:(:)(-?\d+)?(?::(-?\d+))?)?\]/.exec(text);
  if (slice === null || (slice[1] === undefined && slice[2] === undefined)) return undefined;
  const rest = text.slice(slice[0].length);
  const from = slice[1] === undefined ? undefined : Number(slice[1]);
  if (slice[2] === undefined) {
    return { steps: [{ kind: 'slice', from, to: from === -1 ? undefined : Number(from) + 1, by: 1 }], rest };
  }
  const to = slice[3] === undefined ? undefined : Number(slice[3]);
  return { steps: [{ kind: 'slice', from, to, by: Math.max(1, Number(slice[4] ?? 1)) }], rest };
}

function filterStep(text: string): Step | undefined {
  const { left, operator, right } = comparison(text.trim());
  const [first, second] = [operandOf(left), right === undefined ? undefined : operandOf(right)];
  if (first === undefined || (right !== undefined && second === undefined)) return undefined;
  return { kind: 'filter', left: first, operator, right: second };
}

/** Split at the first operator with something on both sides. */
function comparison(text: string): { left: string; operator: string; right: string | undefined } {
  const found = /==|!=|<=|>=|<|>/.exec(text.slice(1));
  const place = found === null ? -1 : found.index + 1;
  const operator = found?.[0] ?? '';
  const right = text.slice(place + operator.length).trim();
  if (place < 0 || right === '') return { left: text, operator: '', right: undefined };
  return { left: text.slice(0, place).trim(), operator, right };
}

function operandOf(text: string): Operand | undefined {
  if (text.startsWith('@')) {
    if (/[=<>!]/.test(text)) return undefined;
    const path = parseJsonPath(text.slice(1));
    return path && { path };
  }
  const isQuoted = text.length > 1 && (text[0] === '"' || text[0] === "'") && text.endsWith(text[0]);
  if (isQuoted) return { value: text.slice(1, -1) };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? { value: Number(text) } : undefined;
}

/** The selected values, in order. */
export function findValues(value: Json | undefined, { steps }: JsonPath): Json[] {
  let found: Json[] = value === undefined ? [] : [value];
  for (const step of steps) found = found.flatMap((each) => valuesAt(each, step));
  return found;
}

function valuesAt(value: Json, step: Step): Json[] {
  switch (step.kind) {
    case 'members':
      return isObject(value) ? step.names.flatMap((name) => memberOf(value, name)) : [];
    case 'all':
      return childrenOf(value);
    case 'below':
      return [value, ...childrenOf(value).flatMap((each) => valuesAt(each, step))];
    case 'slice':
      return Array.isArray(value) ? sliceOf(value, step) : [];
    case 'filter':
      return childrenOf(value).filter((each) => holds(each, step));
  }
}

function memberOf(object: JsonObject, name: string): Json[] {
  return Object.hasOwn(object, name) ? [object[name] as Json] : [];
}

function childrenOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((name) => value[name] as Json);
}

function sliceOf(items: readonly Json[], { from, to, by }: Step & { kind: 'slice' }): Json[] {
  return items.slice(from, to).filter((_, index) => index % by === 0);
}

function holds(item: Json, { left, operator, right }: Step & { kind: 'filter' }): boolean {
  const one = resolve(item, left);
  if (right === undefined) return one !== undefined;
  const other = resolve(item, right);
  if (one === undefined || other === undefined || typeof one !== typeof other) return false;
  switch (operator) {
    case '==':
      return one === other;
    case '!=':
      return one !== other;
    case '<':
      return (one as string) < (other as string);
    case '<=':
      return (one as string) <= (other as string);
    case '>':
      return (one as string) > (other as string);
    default:
      return (one as string) >= (other as string);
  }
}

function resolve(item: Json, operand: Operand): Json | undefined {
  return 'value' in operand ? operand.value : findValues(item, operand.path)[0];
}
