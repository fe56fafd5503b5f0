// Label selectors: a `labelSelector` parameter or a LabelSelector object, compiled to a predicate over labels. Grammar
// and messages are Kubernetes'; https://kubernetes.io/docs/concepts/overview/working-with-objects/labels.

import { eachOf, inParts } from '../base/resumed.ts';
import { sorting } from '../base/sorting.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { type FieldError, fieldError, fieldErrorBody } from './errors.ts';
import { labelValueFaults, qualifiedNameFaults } from './names.ts';
import type { JsonObject } from './object.ts';
import { ownMember } from './own-member.ts';

export type Labels = Readonly<Record<string, string>> | undefined;

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}

export interface LabelSelector {
  /** By key. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether it matches everything. */
  readonly empty: boolean;
  matches(labels: Labels): boolean;
  /** The canonical form: requirements sorted by key, values sorted. */
  toString(): string;
}

/** An invalid selector; the message is Kubernetes'. */
export class LabelSelectorError extends Error {
  override name = 'LabelSelectorError';
}

/** Matches nothing: the meaning of a null LabelSelector. */
export const NO_LABELS: LabelSelector = Object.freeze({
  requirements: [],
  empty: false,
  matches: () => false,
  toString: () => '',
});

/** @throws LabelSelectorError */
export function parseLabelSelector(text: string): LabelSelector {
  return atOnce(parsingLabelSelector(text));
}

/** The same in steps, for long selectors. @throws LabelSelectorError */
export function* parsingLabelSelector(text: string): Steps<LabelSelector> {
  return yield* buildingSelector(yield* new Parser(text).requirements());
}

/**
 * The selector of a LabelSelector object (`matchLabels`, `matchExpressions`); an absent one matches nothing, an empty
 * one everything.
 * @throws LabelSelectorError for unknown operators and invalid keys and values
 */
export function labelSelectorOf(object: JsonObject | null | undefined): LabelSelector {
  if (object === undefined || object === null) return NO_LABELS;
  const labels = Object.entries(object.matchLabels ?? {});
  const requirements = eachOf(labels, ([key, value]) => atOnce(requirement(key, '=', [String(value)])));
  const expressions = Array.isArray(object.matchExpressions) ? (object.matchExpressions as JsonObject[]) : [];
  for (const each of eachOf(expressions, requirementOf)) requirements.push(each);
  return inParts(() => buildingSelector(requirements));
}

/** @throws LabelSelectorError */
function requirementOf({ key, operator, values }: JsonObject): LabelRequirement {
  const name = EXPRESSION_OPERATORS.get(String(operator));
  if (name === undefined) {
    throw new LabelSelectorError(`${JSON.stringify(operator ?? '')} is not a valid label selector operator`);
  }
  return inParts(() => requirement(String(key ?? ''), name, Array.isArray(values) ? values.map(String) : []));
}

const EXPRESSION_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

const MATCHERS_IN_STEP = 500;

/** A selector that is the conjunction of requirements. */
function* buildingSelector(found: LabelRequirement[]): Steps<LabelSelector> {
  const requirements = yield* sorting(found, (one, other) =>
    one.key === other.key ? 0 : one.key < other.key ? -1 : 1,
  );
  const matchers: Matcher[] = [];
  for (const each of requirements) {
    matchers.push(requirementMatcher(each));
    if (matchers.length % MATCHERS_IN_STEP === 0) yield;
  }
  return {
    requirements,
    empty: requirements.length === 0,
    matches: matcher(matchers),
    toString: () => requirements.map(requirementText).join(','),
  };
}

type Matcher = (labels: Labels) => boolean;

function matcher(matchers: readonly Matcher[]): Matcher {
  const [first, second] = matchers;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (matchers.length === 2) return (labels) => first(labels) && second(labels);
  return (labels) => {
    for (const matches of matchers) if (!matches(labels)) return false;
    return true;
  };
}

function requirementMatcher({ key, operator, values }: LabelRequirement): Matcher {
  // Properties of Object.prototype are not labels; reading through it is the fastest lookup.
  if (key in Object.prototype) return slowMatcher({ key, operator, values });
  const [only] = values;
  switch (operator) {
    case '=':
    case '==':
      return (labels) => labels !== undefined && ownMember(labels, key) === only;
    case '!=':
      return (labels) => labels === undefined || ownMember(labels, key) !== only;
    case 'in': {
      if (values.length === 1) return (labels) => labels !== undefined && ownMember(labels, key) === only;
      const wanted: ReadonlySet<string | undefined> = new Set(values);
      return (labels) => labels !== undefined && wanted.has(ownMember(labels, key));
    }
    case 'notin': {
      const unwanted: ReadonlySet<string | undefined> = new Set(values);
      return (labels) => labels === undefined || !unwanted.has(ownMember(labels, key));
    }
    case 'exists':
      return (labels) => labels !== undefined && ownMember(labels, key) !== undefined;
    case '!':
      return (labels) => labels === undefined || ownMember(labels, key) === undefined;
    case 'gt':
    case 'lt':
      return integerMatcher(key, operator, only ?? '');
  }
}

function slowMatcher(found: LabelRequirement): Matcher {
  const matches = requirementMatcher({ ...found, key: 'own' });
  return (labels) => {
    const own = labels !== undefined && Object.hasOwn(labels, found.key) ? labels[found.key] : undefined;
    return matches(own === undefined ? undefined : { own });
  };
}

function integerMatcher(key: string, operator: 'gt' | 'lt', bound: string): Matcher {
  const limit = int64(bound);
  return (labels) => {
    const value = labels === undefined ? undefined : int64(ownMember(labels, key));
    if (value === undefined || limit === undefined) return false;
    return operator === 'gt' ? value > limit : value < limit;
  };
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[-+]?[0-9]{1,63}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const OPERATOR_TEXT: Readonly<Record<LabelOperator, string>> = Object.freeze({
  '=': '=',
  '==': '==',
  '!=': '!=',
  in: ' in ',
  notin: ' notin ',
  gt: '>',
  lt: '<',
  exists: '',
  '!': '',
});

function requirementText({ key, operator, values }: LabelRequirement): string {
  const listed = operator === 'in' || operator === 'notin' ? `(${values.join(',')})` : values.join(',');
  return `${operator === '!' ? '!' : ''}${key}${OPERATOR_TEXT[operator]}${listed}`;
}

/** Validates a requirement as Kubernetes does; fields in messages have no root. */
function* requirement(key: string, operator: LabelOperator, given: readonly string[]): Steps<LabelRequirement> {
  const found: FieldError[] = [];
  const keyFaults = qualifiedNameFaults(key);
  if (keyFaults.length > 0) found.push(fieldError.invalid('key', key, keyFaults.join('; ')));
  const countFault = valueCountFault(operator, given.length);
  if (countFault !== undefined) found.push(fieldError.invalid('values', given, countFault));
  for (const [index, value] of given.entries()) {
    if ((operator === 'gt' || operator === 'lt') && int64(value) === undefined) {
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      found.push(fieldError.invalid(`values[${index}]`, value, detail));
    }
  }
  for (const [index, value] of given.entries()) {
    const faults = labelValueFaults(value);
    if (faults.length > 0) found.push(fieldError.invalid(`values[${index}][${key}]`, value, faults.join('; ')));
    if (index % VALUES_IN_STEP === VALUES_IN_STEP - 1) yield;
  }
  if (found.length > 0) throw new LabelSelectorError(aggregate(found));
  return { key, operator, values: given.length < 2 ? given : yield* sorting([...new Set(given)]) };
}

const VALUES_IN_STEP = 256;

function valueCountFault(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

function aggregate(found: readonly FieldError[]): string {
  const texts = [...new Set(found.map((each) => `${each.field}: ${fieldErrorBody(each)}`))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

interface Token {
  readonly kind: 'symbol' | 'word' | 'end';
  readonly text: string;
}

const END: Token = Object.freeze({ kind: 'end', text: '' });
const TOKEN = /[ \t\r\n\0]*(?:([=!]=|[=!(),<>])|([^ \t\r\n\0=!(),<>]+))/y;

/** Reads a text token by token: nothing behind an error is read. */
class Lexer {
  readonly #text: string;
  readonly #pattern = new RegExp(TOKEN);

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    const match = this.#pattern.exec(this.#text);
    if (match === null) {
      // A sticky pattern that does not match begins again.
      this.#pattern.lastIndex = this.#text.length;
      return END;
    }
    const [, symbol, word = ''] = match;
    return symbol === undefined ? { kind: 'word', text: word } : { kind: 'symbol', text: symbol };
  }
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

class Parser {
  readonly #lexer: Lexer;
  #ahead: Token;

  constructor(text: string) {
    this.#lexer = new Lexer(text);
    this.#ahead = this.#lexer.next();
  }

  *requirements(): Steps<LabelRequirement[]> {
    const found: LabelRequirement[] = [];
    if (this.#peek().kind === 'end') return found;
    for (;;) {
      const { text } = this.#peek();
      if (!this.#startsRequirement()) fail(text, "!, identifier, or 'end of string'");
      found.push(yield* this.#wrapped());
      yield;
      const after = this.#take();
      if (after.kind === 'end') return found;
      if (!isSymbol(after, ',')) fail(after.text, "',' or 'end of string'");
      if (!this.#startsRequirement()) fail(this.#peek().text, "identifier after ','");
    }
  }

  *#wrapped(): Steps<LabelRequirement> {
    try {
      return yield* this.#requirement();
    } catch (error) {
      if (error instanceof LabelSelectorError)
        throw new LabelSelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  *#requirement(): Steps<LabelRequirement> {
    const negated = isSymbol(this.#peek(), '!');
    if (negated) this.#take();
    const { kind, text: key } = this.#take();
    if (kind !== 'word') fail(key, 'identifier');
    const faults = qualifiedNameFaults(key);
    if (faults.length > 0) {
      throw new LabelSelectorError(`<nil>: ${fieldErrorBody(fieldError.invalid('', key, faults.join('; ')))}`);
    }
    if (negated) return yield* requirement(key, '!', []);
    if (this.#atEnd()) return yield* requirement(key, 'exists', []);
    const { text } = this.#take();
    const operator = OPERATORS.get(text);
    if (operator === undefined) fail(text, 'in, notin, =, ==, !=, gt, lt');
    const isSet = operator === 'in' || operator === 'notin';
    return yield* requirement(key, operator, isSet ? yield* this.#values() : [this.#value()]);
  }

  #value(): string {
    if (this.#atEnd()) return '';
    const { kind, text } = this.#take();
    return kind === 'word' ? text : fail(text, 'identifier');
  }

  /** `(a,b)`; a comma without an adjacent word stands for an empty value, as do empty parentheses. */
  *#values(): Steps<string[]> {
    const open = this.#take();
    if (!isSymbol(open, '(')) throw new LabelSelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (isSymbol(first, ')')) {
      this.#take();
      return [''];
    }
    if (first.kind !== 'word' && !isSymbol(first, ',')) fail(first.text, "',', ')' or identifier");
    const values = new Set<string>();
    for (let lastWasComma = true, read = 1; ; read++) {
      if (read % VALUES_IN_STEP === 0) yield;
      const token = this.#take();
      if (isSymbol(token, ')')) {
        if (lastWasComma) values.add('');
        return [...values];
      }
      if (isSymbol(token, ',')) {
        if (lastWasComma) values.add('');
        lastWasComma = true;
      } else if (token.kind === 'word' && lastWasComma) {
        values.add(token.text);
        lastWasComma = false;
      } else {
        fail(token.text, lastWasComma ? "',', or identifier" : "',' or ')'");
      }
    }
  }

  #startsRequirement(): boolean {
    const token = this.#peek();
    return token.kind === 'word' || isSymbol(token, '!');
  }

  #atEnd(): boolean {
    const token = this.#peek();
    return token.kind === 'end' || isSymbol(token, ',');
  }

  #peek(): Token {
    return this.#ahead;
  }

  #take(): Token {
    const token = this.#ahead;
    this.#ahead = this.#lexer.next();
    return token;
  }
}

function isSymbol({ kind, text }: Token, symbol: string): boolean {
  return kind === 'symbol' && text === symbol;
}

function fail(found: string, expected: string): never {
  throw new LabelSelectorError(`found '${found}', expected: ${expected}`);
}
