// Validation of well-typed expressions that can never be evaluated, or contain a mistake: literals such as `duration('1
// hour')`, and list and map literals of mixed types.

import { compileRegex } from '../library/standard/regex-cache.ts';
import type { CallExpression, Expression, Issue, ListExpression, MapExpression } from '../syntax/expression.ts';
import { DYN, type Type } from '../types/type.ts';
import { isSameType, optionalContent } from '../types/type-relations.ts';
import { typeText } from '../types/type-text.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { literalValue } from '../value/literal.ts';
import { runtimeType } from '../value/runtime-type.ts';
import type { Value } from '../value/value.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { Declarations } from './declarations.ts';

interface ValidateOptions {
  /** Whether literal durations, timestamps and patterns are validated. */
  readonly validateLiterals: boolean;
  /** Whether the items of a list literal, and keys and values of a map literal, must have one type. */
  readonly homogeneousLiterals: boolean;
}

/** The issues of a well-typed expression: those of functions for their calls and, if enabled, those of literals. */
export function validate(
  checked: CheckedExpression,
  declarations: Declarations,
  options: ValidateOptions,
): readonly Issue[] {
  return new Validation(checked, declarations, options).run();
}

class Validation {
  readonly #checked: CheckedExpression;
  readonly #declarations: Declarations;
  readonly #options: ValidateOptions;
  readonly #issues: Issue[] = [];
  readonly #typeOf = (expression: Expression): Type<unknown> => this.#checked.types.get(expression.id) ?? DYN;
  readonly #report = (message: string, at: Expression): void => {
    this.#issues.push({ message, offset: this.#checked.positions.get(at.id) });
  };

  constructor(checked: CheckedExpression, declarations: Declarations, options: ValidateOptions) {
    this.#checked = checked;
    this.#declarations = declarations;
    this.#options = options;
  }

  run(): readonly Issue[] {
    this.#visit(this.#checked.root, false);
    return this.#issues;
  }

  /** @param mixed whether literals may mix types here */
  #visit(expression: Expression, mixed: boolean): void {
    const homogeneous = this.#options.homogeneousLiterals && !mixed;
    switch (expression.kind) {
      case 'constant':
      case 'identifier':
        return;
      case 'select':
        this.#visit(expression.operand, mixed);
        return;
      case 'call':
        this.#visitCall(expression, mixed);
        return;
      case 'list':
        for (const element of expression.elements) this.#visit(element, mixed);
        if (homogeneous) this.#checkList(expression);
        return;
      case 'map':
        for (const { key, value } of expression.entries) {
          this.#visit(key, mixed);
          this.#visit(value, mixed);
        }
        if (homogeneous) this.#checkMap(expression);
        return;
      case 'struct':
        for (const { value } of expression.fields) this.#visit(value, mixed);
        return;
      case 'comprehension': {
        const { range, initial, condition, step, result } = expression;
        for (const part of [range, initial, condition, step, result]) this.#visit(part, mixed);
      }
    }
  }

  #visitCall(call: CallExpression, mixed: boolean): void {
    const declared = this.#declarations.findFunction(`.${call.function}`);
    const mixedOperands = mixed || (declared?.mixedLiterals ?? false);
    if (call.target !== undefined) this.#visit(call.target, mixedOperands);
    for (const argument of call.arguments) this.#visit(argument, mixedOperands);
    declared?.validate?.(call, { typeOf: this.#typeOf, report: this.#report });
    if (this.#options.validateLiterals) this.#checkLiteral(call);
  }

  /** Whether a call with a literal always fails. */
  #checkLiteral(call: CallExpression): void {
    const [argument] = call.arguments;
    if (argument?.kind !== 'constant') return;
    const value = literalValue(argument.literal);
    if (fails(() => this.#tryCall(call, value))) this.#report(`invalid ${call.function} argument`, argument);
  }

  #tryCall(call: CallExpression, value: Value): void {
    if (call.function === 'matches') compileRegex(String(value));
    if (call.function !== 'duration' && call.function !== 'timestamp') return;
    const reference = this.#checked.references.get(call.id);
    if (reference?.kind !== 'function') return;
    const { kind } = runtimeType(value);
    const overload = reference.overloads.find(({ parameters }) => parameters[0]?.kind === kind);
    if (overload === undefined) throw new EvaluationError('no such overload');
    (overload.evaluate as (operand: Value) => Value)(value);
  }

  #checkList({ elements, optional }: ListExpression): void {
    let first: Type<unknown> | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#itemType(element, optional.includes(index));
      first ??= type;
      if (isSameType(first, type, ALREADY_BOUNDED)) continue;
      this.#mismatch(element, first, type);
      return;
    }
  }

  #checkMap({ entries }: MapExpression): void {
    const [first, ...others] = entries;
    if (first === undefined) return;
    const key = this.#typeOf(first.key);
    const value = this.#itemType(first.value, first.optional);
    for (const entry of others) {
      this.#compare(entry.key, key, this.#typeOf(entry.key));
      this.#compare(entry.value, value, this.#itemType(entry.value, entry.optional));
    }
  }

  #itemType(expression: Expression, optional: boolean): Type<unknown> {
    const type = this.#typeOf(expression);
    return optional ? (optionalContent(type) ?? type) : type;
  }

  #compare(at: Expression, expected: Type<unknown>, actual: Type<unknown>): void {
    if (!isSameType(expected, actual, ALREADY_BOUNDED)) this.#mismatch(at, expected, actual);
  }

  #mismatch(at: Expression, expected: Type<unknown>, actual: Type<unknown>): void {
    this.#report(`expected type '${typeText(expected)}' but found '${typeText(actual)}'`, at);
  }
}

/** The checker has walked through all these types before. */
const ALREADY_BOUNDED = () => {};

function fails(evaluate: () => void): boolean {
  try {
    evaluate();
    return false;
  } catch (error) {
    if (error instanceof EvaluationError) return true;
    throw error;
  }
}
