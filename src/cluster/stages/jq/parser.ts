// Parser of jq expressions: it compiles them to filters while it reads them.

import type { Json } from '../../../api/object.ts';
import { limits } from '../../../base/limits.ts';
import { lookup } from '../../../base/lookup.ts';
import { JqSyntaxError } from './error.ts';
import {
  alternative,
  attempted,
  binary,
  bound,
  collected,
  comma,
  conditional,
  constructed,
  type Filter,
  identity,
  indexed,
  iterated,
  literal,
  logical,
  pipe,
  reduced,
  type Suffix,
  single,
  sliced,
  variable,
} from './filters.ts';
import { call } from './functions.ts';
import { type JqToken, jqTokens } from './lexer.ts';
import { textOf } from './values.ts';

/** Binary operators from the weakest to the strongest, after `//`; comparisons do not chain. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];
const COMPARISON_LEVEL = 2;
const ASSIGNMENTS = ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='];
const CONSTANTS: Readonly<Record<string, Json>> = lookup({ null: null, true: true, false: false });
/** Words that begin or end a construct, and name no function. */
const KEYWORDS = new Set(
  'def then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
);

/** @throws JqSyntaxError */
export function parseJq(source: string): Filter {
  return new Parser(source, 0, new Set()).whole();
}

class Parser {
  readonly #tokens: readonly JqToken[];
  readonly #variables: ReadonlySet<string>;
  #at = 0;
  #depth: number;

  constructor(source: string, depth: number, variables: ReadonlySet<string>) {
    this.#tokens = jqTokens(source);
    this.#depth = depth;
    this.#variables = variables;
  }

  whole(): Filter {
    const filter = this.#pipeline(this.#variables);
    if (this.#next.type !== 'end') throw this.#unexpected();
    return filter;
  }

  get #next(): JqToken {
    return this.#tokens[this.#at]!;
  }

  #pipeline(known: ReadonlySet<string>): Filter {
    return this.#nested(() => {
      const first = this.#commas(known);
      return this.#takes('|') ? pipe(first, this.#pipeline(known)) : first;
    });
  }

  /** Parses what recurs. @throws JqSyntaxError for too many levels of it */
  #nested(parse: () => Filter): Filter {
    if (++this.#depth > limits.jqDepth) throw new JqSyntaxError('the expression is nested too deeply');
    const filter = parse();
    this.#depth--;
    return filter;
  }

  #commas(known: ReadonlySet<string>): Filter {
    let filter = this.#alternatives(known);
    while (this.#takes(',')) filter = comma(filter, this.#alternatives(known));
    return filter;
  }

  /** `//` associates to the right. */
  #alternatives(known: ReadonlySet<string>): Filter {
    const operands = [this.#level(0, known)];
    while (this.#takes('//')) operands.push(this.#level(0, known));
    const filter = operands.reduceRight((second, first) => alternative(first, second));
    const assignment = ASSIGNMENTS.find((each) => this.#is(each));
    if (assignment !== undefined) throw new JqSyntaxError(`${assignment} is not supported`);
    return filter;
  }

  #level(level: number, known: ReadonlySet<string>): Filter {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary(known);
    let filter = this.#level(level + 1, known);
    for (;;) {
      const operator = operators.find((each) => this.#is(each));
      if (operator === undefined) return filter;
      this.#at++;
      const right = this.#level(level + 1, known);
      filter = level < COMPARISON_LEVEL ? logical(filter, right, operator === 'or') : binary(operator, filter, right);
      if (level === COMPARISON_LEVEL) return filter;
    }
  }

  #unary(known: ReadonlySet<string>): Filter {
    if (this.#takes('-')) return this.#nested(() => binary('-', literal(0), this.#unary(known)));
    const term = this.#postfix(known);
    if (!this.#takes('as')) return term;
    const name = this.#variableName();
    this.#expect('|');
    return bound(term, name, this.#pipeline(new Set([...known, name])));
  }

  #postfix(known: ReadonlySet<string>): Filter {
    let filter = this.#term(known);
    for (;;) {
      const take = this.#suffix(known);
      if (take !== undefined) filter = take({ of: filter, isOptional: this.#takes('?') });
      else if (this.#takes('?')) filter = attempted(filter);
      else return filter;
    }
  }

  /** `.name`, `."name"`, `[]`, `[index]` or `[from:to]` after a term, if one follows. */
  #suffix(known: ReadonlySet<string>): ((suffix: Suffix) => Filter) | undefined {
    const token = this.#next;
    if (token.type === 'field') {
      this.#at++;
      return (suffix) => indexed(suffix, literal(token.text));
    }
    if (this.#takes('.') && !this.#is('[')) {
      const name = this.#string(known);
      return (suffix) => indexed(suffix, name);
    }
    return this.#takes('[') ? this.#bracket(known) : undefined;
  }

  #bracket(known: ReadonlySet<string>): (suffix: Suffix) => Filter {
    if (this.#takes(']')) return iterated;
    const from = this.#is(':') ? literal(null) : this.#pipeline(known);
    if (!this.#takes(':')) {
      this.#expect(']');
      return (suffix) => indexed(suffix, from);
    }
    const to = this.#is(']') ? literal(null) : this.#pipeline(known);
    this.#expect(']');
    return (suffix) => sliced(suffix, from, to);
  }

  /** What a name at the beginning of a term, or of a member, refers to. */
  #ofInput(name: Filter): Filter {
    return indexed({ of: identity, isOptional: this.#takes('?') }, name);
  }

  #term(known: ReadonlySet<string>): Filter {
    const token = this.#next;
    switch (token.type) {
      case 'number':
        this.#at++;
        return literal(token.value);
      case 'string':
        return this.#string(known);
      case 'field':
        this.#at++;
        return this.#ofInput(literal(token.text));
      case 'variable':
        this.#at++;
        if (!known.has(token.text)) throw new JqSyntaxError(`$${token.text} is not defined`);
        return variable(token.text);
      case 'word':
        return this.#word(token.text, known);
      default:
        return this.#marked(known);
    }
  }

  #marked(known: ReadonlySet<string>): Filter {
    if (this.#takes('..')) return call('recurse', []);
    if (this.#takes('.')) {
      return this.#next.type === 'string' ? this.#ofInput(this.#string(known)) : identity;
    }
    if (this.#takes('(')) {
      const filter = this.#pipeline(known);
      this.#expect(')');
      return filter;
    }
    if (this.#takes('[')) {
      if (this.#takes(']')) return single(() => []);
      const filter = this.#pipeline(known);
      this.#expect(']');
      return collected(filter);
    }
    if (this.#takes('{')) return this.#object(known);
    throw this.#unexpected();
  }

  #word(word: string, known: ReadonlySet<string>): Filter {
    this.#at++;
    if (Object.hasOwn(CONSTANTS, word)) return literal(CONSTANTS[word]!);
    if (word === 'if') return this.#if(known);
    if (word === 'try') {
      const body = this.#nested(() => this.#postfix(known));
      return this.#takes('catch') ? attempted(body, this.#postfix(known)) : attempted(body);
    }
    if (word === 'reduce') return this.#reduce(known);
    if (KEYWORDS.has(word)) throw new JqSyntaxError(`${word} is not supported here`);
    const given: Filter[] = [];
    if (this.#takes('(')) {
      do given.push(this.#pipeline(known));
      while (this.#takes(';'));
      this.#expect(')');
    }
    return call(word, given);
  }

  #if(known: ReadonlySet<string>): Filter {
    const condition = this.#pipeline(known);
    this.#expect('then');
    const yes = this.#pipeline(known);
    if (this.#takes('elif')) return this.#nested(() => conditional(condition, yes, this.#if(known)));
    const no = this.#takes('else') ? this.#pipeline(known) : identity;
    this.#expect('end');
    return conditional(condition, yes, no);
  }

  #reduce(known: ReadonlySet<string>): Filter {
    const source = this.#postfix(known);
    this.#expect('as');
    const name = this.#variableName();
    this.#expect('(');
    const initial = this.#pipeline(known);
    this.#expect(';');
    const update = this.#pipeline(new Set([...known, name]));
    this.#expect(')');
    return reduced(source, name, { initial, update });
  }

  #object(known: ReadonlySet<string>): Filter {
    const members: { name: Filter; value: Filter }[] = [];
    while (!this.#takes('}')) {
      if (members.length > 0) this.#expect(',');
      members.push(this.#member(known));
    }
    return constructed(members);
  }

  #member(known: ReadonlySet<string>): { name: Filter; value: Filter } {
    const token = this.#next;
    if (token.type === 'variable') {
      const value = this.#term(known);
      return { name: literal(token.text), value };
    }
    let name: Filter;
    if (this.#takes('(')) {
      name = this.#pipeline(known);
      this.#expect(')');
    } else if (token.type === 'word') {
      this.#at++;
      name = literal(token.text);
    } else name = this.#string(known);
    if (this.#takes(':')) return { name, value: this.#memberValue(known) };
    return { name, value: this.#ofInput(name) };
  }

  /** A value of an object ends at a comma. */
  #memberValue(known: ReadonlySet<string>): Filter {
    const first = this.#alternatives(known);
    return this.#takes('|') ? pipe(first, this.#memberValue(known)) : first;
  }

  /** A string; the expressions in it are evaluated for the input. */
  #string(known: ReadonlySet<string>): Filter {
    const token = this.#next;
    if (token.type !== 'string') throw this.#unexpected();
    this.#at++;
    const { texts, expressions } = token;
    return expressions
      .map((source) => new Parser(source, this.#depth + 1, known).whole())
      .reduce<Filter>((text, expression, index) => {
        const suffix = literal(texts[index + 1]!);
        const asText = pipe(
          expression,
          single((value, { budget }) => textOf(value, budget)),
        );
        return binary('+', binary('+', text, asText), suffix);
      }, literal(texts[0]!));
  }

  #variableName(): string {
    const token = this.#next;
    if (token.type !== 'variable') throw this.#unexpected();
    this.#at++;
    return token.text;
  }

  /** Whether a mark or a word comes next. */
  #is(text: string): boolean {
    const token = this.#next;
    return (token.type === 'mark' || token.type === 'word') && token.text === text;
  }

  #takes(text: string): boolean {
    const is = this.#is(text);
    if (is) this.#at++;
    return is;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected();
  }

  #unexpected(): JqSyntaxError {
    const token = this.#next;
    switch (token.type) {
      case 'end':
        return new JqSyntaxError('the expression ends unexpectedly');
      case 'string':
        return new JqSyntaxError('unexpected string');
      case 'number':
        return new JqSyntaxError(`unexpected ${token.value}`);
      default:
        return new JqSyntaxError(`unexpected ${JSON.stringify(token.text)}`);
    }
  }
}
