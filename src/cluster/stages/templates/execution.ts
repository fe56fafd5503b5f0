// Execution of a parsed template.

import { limits } from '../../../base/limits.ts';
import { type Budget, BudgetError } from '../budget.ts';
import { TemplateError } from './error.ts';
import type { FunctionNeeds, TemplateFunction } from './function.ts';
import type { Command, Operand, ParsedTemplate, Pipeline, TemplateNode } from './syntax.ts';
import { DataNumber, isMap, isTrue, memberOf, membersOf, textOf, typeNameOf, type Value } from './values.ts';

interface Variable {
  readonly name: string;
  value: Value;
}

/** What an execution needs. */
interface ExecutionNeeds extends FunctionNeeds {
  readonly functionOf: (name: string) => TemplateFunction | undefined;
}

type Outcome = 'next' | 'break' | 'continue';

export class Execution {
  readonly #template: ParsedTemplate;
  readonly #needs: ExecutionNeeds;
  readonly #pieces: string[] = [];
  #characters = 0;
  /** In scope, the innermost last. */
  #variables: Variable[] = [];
  #depth = 0;

  constructor(template: ParsedTemplate, needs: ExecutionNeeds) {
    this.#template = template;
    this.#needs = needs;
  }

  /** The text of the template for data. @throws TemplateError; BudgetError */
  run(data: Value): string {
    this.#call(this.#template.main, data);
    return this.#pieces.join('');
  }

  #call(nodes: readonly TemplateNode[], dot: Value): void {
    if (++this.#depth > limits.templateDepth) throw new TemplateError('exceeded maximum template depth');
    const outer = this.#variables;
    this.#variables = [{ name: '$', value: dot }];
    this.#walk(nodes, dot);
    this.#variables = outer;
    this.#depth--;
  }

  #write(text: string): void {
    this.#characters += text.length;
    if (this.#characters > limits.templateResultCharacters) throw new BudgetError('the result is too long');
    this.#pieces.push(text);
  }

  #walk(nodes: readonly TemplateNode[], dot: Value): Outcome {
    for (const node of nodes) {
      this.#needs.budget.spend();
      const outcome = this.#step(node, dot);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  #step(node: TemplateNode, dot: Value): Outcome {
    switch (node.type) {
      case 'text':
        this.#write(node.text);
        return 'next';
      case 'action': {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0) {
          this.#write(value === undefined ? '<no value>' : textOf(value, this.#needs.budget));
        }
        return 'next';
      }
      case 'if':
      case 'with':
        return this.#scoped(() => {
          const value = this.#pipeline(node.pipeline, dot);
          const inner = node.type === 'with' ? value : dot;
          return isTrue(value) ? this.#walk(node.body, inner) : this.#walk(node.otherwise, dot);
        });
      case 'range':
        return this.#scoped(() => this.#range(node, dot));
      case 'template': {
        const nodes = this.#template.defined.get(node.name);
        if (nodes === undefined) throw new TemplateError(`template "${node.name}" not defined`);
        this.#call(nodes, node.pipeline && this.#pipeline(node.pipeline, dot));
        return 'next';
      }
      default:
        return node.type;
    }
  }

  #scoped(run: () => Outcome): Outcome {
    const known = this.#variables.length;
    const outcome = run();
    this.#variables.length = known;
    return outcome;
  }

  #range({ pipeline, body, otherwise }: Extract<TemplateNode, { type: 'range' }>, dot: Value): Outcome {
    const { variables, declares, commands } = pipeline;
    const entries = entriesOf(this.#pipeline({ variables: [], declares: false, commands }, dot), this.#needs.budget);
    if (entries.length === 0) return this.#walk(otherwise, dot);
    for (const [key, item] of entries) {
      const outcome = this.#scoped(() => {
        const values = variables.length === 2 ? [key, item] : [item];
        for (const [index, name] of variables.entries()) this.#set(name, values[index], declares);
        return this.#walk(body, item);
      });
      if (outcome === 'break') break;
    }
    return 'next';
  }

  #pipeline({ variables, declares, commands }: Pipeline, dot: Value): Value {
    let value: Value;
    for (const [index, command] of commands.entries()) {
      value = this.#command(command, dot, index === 0 ? [] : [value]);
    }
    for (const name of variables) this.#set(name, value, declares);
    return value;
  }

  #set(name: string, value: Value, declares: boolean): void {
    if (declares) this.#variables.push({ name, value });
    else this.#variable(name).value = value;
  }

  #variable(name: string): Variable {
    const variable = this.#variables.findLast((each) => each.name === name);
    if (variable === undefined) throw new TemplateError(`undefined variable: ${name}`);
    return variable;
  }

  /** @param piped the value of the previous command, if any: the last argument */
  #command(command: Command, dot: Value, piped: readonly Value[]): Value {
    this.#needs.budget.spend();
    if (command.type === 'operand') return this.#operand(command.operand, dot);
    const { name, given } = command;
    if (name === 'and' || name === 'or') return this.#logical(name, { given, piped }, dot);
    return this.#function(name, [...given.map((operand) => this.#operand(operand, dot)), ...piped]);
  }

  /** Arguments after the one that decides are not evaluated. */
  #logical(
    name: 'and' | 'or',
    { given, piped }: { readonly given: readonly Operand[]; readonly piped: readonly Value[] },
    dot: Value,
  ): Value {
    if (given.length + piped.length === 0) throw new TemplateError(`wrong number of args for ${name}: want at least 1`);
    let value: Value;
    for (const operand of given) {
      value = this.#operand(operand, dot);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return piped.length === 0 ? value : piped[0];
  }

  #function(name: string, given: readonly Value[]): Value {
    const call = this.#needs.functionOf(name);
    if (call === undefined) throw new TemplateError(`function "${name}" not defined`);
    try {
      return call(given, this.#needs);
    } catch (error) {
      if (error instanceof TemplateError) throw new TemplateError(`error calling ${name}: ${error.message}`);
      throw error;
    }
  }

  #operand({ base, fields }: Operand, dot: Value): Value {
    this.#needs.budget.spend();
    let value = this.#base(base, dot);
    for (const field of fields) value = fieldOf(value, field);
    return value;
  }

  #base(base: Operand['base'], dot: Value): Value {
    switch (base.type) {
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
      case 'literal':
        return base.value;
      case 'variable':
        return this.#variable(base.name).value;
      case 'call':
        return base.name === 'and' || base.name === 'or'
          ? this.#logical(base.name, { given: [], piped: [] }, dot)
          : this.#function(base.name, []);
      case 'pipeline':
        return this.#pipeline(base.pipeline, dot);
    }
  }
}

/** @throws TemplateError for a value without fields */
function fieldOf(value: Value, field: string): Value {
  if (value === undefined) return undefined;
  if (isMap(value)) return memberOf(value, field);
  throw new TemplateError(`can't evaluate field ${field} in type ${typeNameOf(value)}`);
}

/** What `range` goes through: keys and items. @throws TemplateError */
function entriesOf(value: Value, budget: Budget): (readonly [Value, Value])[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return [...value.entries()];
  if (isMap(value)) return membersOf(value);
  if (value instanceof DataNumber || typeof value !== 'number' || !Number.isInteger(value)) {
    throw new TemplateError(`range can't iterate over ${typeNameOf(value)}`);
  }
  budget.spend(Math.max(0, value));
  return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index] as const);
}
