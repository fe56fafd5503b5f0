// An operand of a call as seen by cost estimates, and sizes that follow from expressions and types.

import type { Operand } from '../library/library.ts';
import type { Expression, Literal } from '../syntax/expression.ts';
import type { Type } from '../types/type.ts';
import { exactly, type Range, UNKNOWN_SIZE } from './range.ts';
import type { SizeEstimator } from './size-estimator.ts';
import type { VariablePath } from './variable-path.ts';

interface OperandFacts {
  readonly type: Type<unknown>;
  readonly path: VariablePath;
  readonly computedSize: Range | undefined;
  /** The size, if it does not follow from the expression. */
  readonly knownSize?: Range | undefined;
  readonly sizes: SizeEstimator | undefined;
}

export class EstimatedOperand implements Operand {
  readonly expression: Expression;
  readonly type: Type<unknown>;
  readonly computedSize: Range | undefined;
  readonly #knownSize: Range | undefined;
  readonly #path: VariablePath;
  readonly #sizes: SizeEstimator | undefined;

  constructor(expression: Expression, facts: OperandFacts) {
    this.expression = expression;
    this.type = facts.type;
    this.computedSize = facts.computedSize;
    this.#knownSize = facts.knownSize;
    this.#path = facts.path;
    this.#sizes = facts.sizes;
  }

  get path(): readonly string[] | undefined {
    return this.#path.length === 0 ? undefined : this.#path.names();
  }

  get size(): Range {
    return this.computedSize ?? this.#knownSize ?? UNKNOWN_SIZE;
  }

  get literal(): Literal | undefined {
    return this.expression.kind === 'constant' ? this.expression.literal : undefined;
  }

  get items(): Operand | undefined {
    const [type] = this.type.parameters;
    if (type === undefined) return undefined;
    const path = this.path && [...this.path, '@items'];
    const size = this.#sizes?.size(path, type) ?? UNKNOWN_SIZE;
    const { expression } = this;
    return { expression, type, path, size, computedSize: undefined, items: undefined, literal: undefined };
  }
}

/** The size of a literal: of a string in code points, of bytes, lists and maps in items, of others 1. */
export function literalSize(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'constant':
      return exactly(scalarOrLength(expression.literal));
    case 'list':
      return exactly(expression.elements.length);
    case 'map':
      return exactly(expression.entries.length);
    default:
      return undefined;
  }
}

function scalarOrLength(literal: Literal): number {
  switch (literal.type) {
    case 'string':
      return [...literal.value].length;
    case 'bytes':
      return literal.value.length;
    default:
      return 1;
  }
}

/**
 * The size of a type whose values all have the same size.
 * @param inOptionals whether an optional value has the size of its content
 */
export function typeSize(type: Type<unknown>, inOptionals = true): Range | undefined {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'timestamp':
    case 'duration':
      return exactly(1);
    case 'wrapper':
      return typeSize(type.parameters[0]!, inOptionals);
    case 'opaque':
      return inOptionals && type.name === 'optional_type' ? typeSize(type.parameters[0]!) : undefined;
    default:
      return undefined;
  }
}
