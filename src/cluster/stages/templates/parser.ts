// Parser of Go templates.

import { limits } from '../../../base/limits.ts';
import { lookup } from '../../../base/lookup.ts';
import { TemplateSyntaxError } from './error.ts';
import { type TemplatePiece, type TemplateToken, templatePieces } from './lexer.ts';
import type { Command, Operand, ParsedTemplate, Pipeline, TemplateNode } from './syntax.ts';

/** Whether there is a function of this name. */
type Knows = (name: string) => boolean;

/** @throws TemplateSyntaxError */
export function parseTemplate(source: string, knows: Knows): ParsedTemplate {
  return new Parser(templatePieces(source), knows).parsed();
}

/** How a list of nodes ends: the word, and the rest of its action. */
interface End {
  readonly word: 'end' | 'else' | '';
  readonly action: ActionParser | undefined;
}

class Parser {
  readonly #pieces: readonly TemplatePiece[];
  readonly #knows: Knows;
  readonly #defined = new Map<string, readonly TemplateNode[]>();
  /** Names of variables in scope, the innermost last. */
  readonly #variables: string[] = ['$'];
  #at = 0;
  #depth = 0;
  #loops = 0;

  constructor(pieces: readonly TemplatePiece[], knows: Knows) {
    this.#pieces = pieces;
    this.#knows = knows;
  }

  parsed(): ParsedTemplate {
    const { nodes, end } = this.#list();
    if (end.word !== '') throw end.action!.fault(`unexpected {{${end.word}}}`);
    return { main: nodes, defined: this.#defined };
  }

  #list(): { nodes: TemplateNode[]; end: End } {
    if (++this.#depth > limits.templateDepth) throw new TemplateSyntaxError('the template is nested too deeply');
    const nodes: TemplateNode[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at++];
      if (piece === undefined || piece.type === 'action') {
        const action = piece && new ActionParser(piece.tokens, piece.line, this);
        const word = action?.word ?? '';
        if (action === undefined || word === 'end' || word === 'else') {
          this.#depth--;
          action?.skipWord();
          if (word === 'end') action?.expectEnd();
          return { nodes, end: { word: word as End['word'], action } };
        }
        const node = this.#action(action, word);
        if (node !== undefined) nodes.push(node);
      } else nodes.push(piece);
    }
  }

  #action(action: ActionParser, word: string): TemplateNode | undefined {
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        action.skipWord();
        return this.#branches(word, action);
      case 'define':
        action.skipWord();
        this.#define(action.name(), action);
        return undefined;
      case 'block': {
        action.skipWord();
        const name = action.name();
        const pipeline = action.pipeline();
        action.expectEnd();
        this.#define(name, action);
        return { type: 'template', name, pipeline };
      }
      case 'template': {
        action.skipWord();
        const name = action.name();
        const pipeline = action.isAtEnd ? undefined : action.pipeline();
        action.expectEnd();
        return { type: 'template', name, pipeline };
      }
      case 'break':
      case 'continue':
        action.skipWord();
        action.expectEnd();
        if (this.#loops === 0) throw action.fault(`{{${word}}} outside {{range}}`);
        return { type: word };
      default: {
        const pipeline = action.pipeline();
        action.expectEnd();
        return { type: 'action', pipeline };
      }
    }
  }

  /** Variables that are declared in it are known to its end. */
  #branches(type: 'if' | 'with' | 'range', action: ActionParser): TemplateNode {
    const known = this.#variables.length;
    const pipeline = action.pipeline(type === 'range' ? 2 : 1);
    action.expectEnd();
    const declared = this.#variables.length;
    if (type === 'range') this.#loops++;
    const { nodes: body, end } = this.#list();
    if (type === 'range') this.#loops--;
    this.#variables.length = declared;
    let otherwise: readonly TemplateNode[] = [];
    if (end.word === 'else') otherwise = this.#otherwise(type, end.action!);
    else if (end.word === '') throw action.fault('unexpected EOF');
    this.#variables.length = known;
    return { type, pipeline, body, otherwise };
  }

  #otherwise(type: 'if' | 'with' | 'range', action: ActionParser): readonly TemplateNode[] {
    if (action.word === type && type !== 'range') {
      action.skipWord();
      if (++this.#depth > limits.templateDepth) throw action.fault('the template is nested too deeply');
      const nested = this.#branches(type, action);
      this.#depth--;
      return [nested];
    }
    action.expectEnd();
    const { nodes, end } = this.#list();
    if (end.word !== 'end') throw action.fault('expected {{end}}');
    return nodes;
  }

  #define(name: string, action: ActionParser): void {
    const outer = this.#variables.splice(1);
    const loops = this.#loops;
    this.#loops = 0;
    const { nodes, end } = this.#list();
    if (end.word !== 'end') throw action.fault(`unexpected ${end.word === '' ? 'EOF' : '{{else}}'} in definition`);
    this.#defined.set(name, nodes);
    this.#loops = loops;
    this.#variables.splice(1, this.#variables.length, ...outer);
  }

  knows(name: string): boolean {
    return this.#knows(name);
  }

  hasVariable(name: string): boolean {
    return this.#variables.includes(name);
  }

  declare(names: readonly string[]): void {
    this.#variables.push(...names);
  }
}

const LITERALS: Readonly<Record<string, boolean>> = lookup({ true: true, false: false });

/** Parser of the tokens of one action. */
class ActionParser {
  readonly #tokens: readonly TemplateToken[];
  readonly #line: number;
  readonly #scope: Parser;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly TemplateToken[], line: number, scope: Parser) {
    this.#tokens = tokens;
    this.#line = line;
    this.#scope = scope;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** The word that comes next; '' for anything else. */
  get word(): string {
    const token = this.#tokens[this.#at];
    return token?.type === 'word' ? token.text : '';
  }

  skipWord(): void {
    this.#at++;
  }

  name(): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== 'string') throw this.fault('the name of a template must be a string');
    return token.text;
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw this.#unexpected();
  }

  fault(what: string): TemplateSyntaxError {
    return new TemplateSyntaxError(`line ${this.#line}: ${what}`);
  }

  /** @param most the number of variables that it may set */
  pipeline(most = 1): Pipeline {
    if (++this.#depth > limits.templateDepth) throw this.fault('the template is nested too deeply');
    const variables = this.#targets(most);
    const declares = variables.length > 0 && this.#takes(':=');
    if (variables.length > 0 && !declares) this.#takes('=');
    if (!declares) for (const name of variables) this.#checkVariable(name);
    const commands = [this.#command()];
    while (this.#takes('|')) {
      const command = this.#command();
      if (command.type !== 'call') throw this.fault('only functions can follow | in a pipeline');
      commands.push(command);
    }
    if (declares) this.#scope.declare(variables);
    this.#depth--;
    return { variables, declares, commands };
  }

  /** The variables before `:=` or `=`, if that follows. */
  #targets(most: number): string[] {
    const names: string[] = [];
    for (let at = this.#at; ; at += 2) {
      const [token, next] = [this.#tokens[at], this.#tokens[at + 1]];
      if (token?.type !== 'variable' || next?.type !== 'mark') return [];
      names.push(token.text);
      if (next.text === ':=' || next.text === '=') {
        if (names.length > most) throw this.fault('too many declarations');
        this.#at = at + 1;
        return names;
      }
      if (next.text !== ',') return [];
    }
  }

  #command(): Command {
    const operands: Operand[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand === undefined) break;
      operands.push(operand);
    }
    const [first, ...given] = operands;
    if (first === undefined) throw this.isAtEnd ? this.fault('missing value for command') : this.#unexpected();
    if (first.base.type === 'call' && first.fields.length === 0) return { type: 'call', name: first.base.name, given };
    if (first.base.type === 'nil') throw this.fault('nil is not a command');
    if (given.length > 0) throw this.fault('what is not a function cannot have arguments');
    return { type: 'operand', operand: first };
  }

  /** An operand with the fields that directly follow it; undefined if none comes next. */
  #operand(): Operand | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    const base = this.#base(token);
    if (base === undefined) return undefined;
    const fields = token.type === 'field' ? [token.text] : [];
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next?.type !== 'field' || next.isApart) return { base, fields };
      this.#at++;
      fields.push(next.text);
    }
  }

  #base(token: TemplateToken): Operand['base'] | undefined {
    if (token.type === 'mark' && token.text !== '.' && token.text !== '(') return undefined;
    this.#at++;
    switch (token.type) {
      case 'string':
        return { type: 'literal', value: token.text };
      case 'number':
        return { type: 'literal', value: token.value };
      case 'field':
        return { type: 'dot' };
      case 'variable':
        this.#checkVariable(token.text);
        return { type: 'variable', name: token.text };
      case 'word':
        return this.#named(token.text);
      case 'mark': {
        if (token.text === '.') return { type: 'dot' };
        const pipeline = this.pipeline(0);
        if (!this.#takes(')')) throw this.#unexpected();
        return { type: 'pipeline', pipeline };
      }
    }
  }

  #named(name: string): Operand['base'] {
    if (Object.hasOwn(LITERALS, name)) return { type: 'literal', value: LITERALS[name]! };
    if (name === 'nil') return { type: 'nil' };
    if (!this.#scope.knows(name)) throw this.fault(`function "${name}" not defined`);
    return { type: 'call', name };
  }

  #checkVariable(name: string): void {
    if (!this.#scope.hasVariable(name)) throw this.fault(`undefined variable "${name}"`);
  }

  #takes(mark: string): boolean {
    const token = this.#tokens[this.#at];
    const is = token?.type === 'mark' && token.text === mark;
    if (is) this.#at++;
    return is;
  }

  #unexpected(): TemplateSyntaxError {
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.fault('the action ends unexpectedly');
    const text = token.type === 'number' ? String(token.value) : token.text;
    return this.fault(`unexpected ${JSON.stringify(text)}`);
  }
}
