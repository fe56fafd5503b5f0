// The syntax tree: created by the parser, rewritten by macros, annotated by the checker by node ID and planned into
// closures. Plain data, independent of types and values.

/** A node's number, unique in its tree and above zero; positions, types and references are kept by it. */
export type NodeId = number;

export type Expression =
  | ConstantExpression
  | IdentifierExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

/** A literal. `number` is the text's value: int and uint as bigint whatever their size. */
export type Literal =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

interface ConstantExpression {
  readonly kind: 'constant';
  readonly id: NodeId;
  readonly literal: Literal;
}

/** A name; one that starts with a dot is looked up from the root of names alone. */
export interface IdentifierExpression {
  readonly kind: 'identifier';
  readonly id: NodeId;
  readonly name: string;
}

/** `operand.field`, or with `test` the `has(operand.field)` that the macro makes. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly id: NodeId;
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** A call; operators are calls of functions named as in `operators.ts`. */
export interface CallExpression {
  readonly kind: 'call';
  readonly id: NodeId;
  readonly function: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListExpression {
  readonly kind: 'list';
  readonly id: NodeId;
  readonly elements: readonly Expression[];
  /** Indexes of the elements written `?element`. */
  readonly optional: readonly number[];
}

export interface MapExpression {
  readonly kind: 'map';
  readonly id: NodeId;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly id: NodeId;
  readonly key: Expression;
  readonly value: Expression;
  /** Written `?key: value`. */
  readonly optional: boolean;
}

export interface StructExpression {
  readonly kind: 'struct';
  readonly id: NodeId;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly id: NodeId;
  readonly name: string;
  readonly value: Expression;
  /** Written `?field: value`. */
  readonly optional: boolean;
}

/**
 * A fold over a list or a map, created only by macros: `accumulator` starts at `initial`; while `condition` is true it
 * becomes `step` for each item; `result` is the final value.
 */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly id: NodeId;
  readonly range: Expression;
  /** The item, a map's key; with `variable2` the index or key. */
  readonly variable: string;
  /** The item or the map's value, in comprehensions of two variables. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A parsed expression with the information that its errors need to refer to its text. */
export interface ParsedExpression {
  readonly root: Expression;
  readonly source: Source;
  /** The offset of each node, in code points from the start of the text. */
  readonly positions: ReadonlyMap<NodeId, number>;
  /** The original form of a macro, by the id of the node that replaced it. */
  readonly macroCalls: ReadonlyMap<NodeId, Expression>;
}

/** An expression's text, read by code points. */
export interface Source {
  readonly text: string;
  /** The name of the text in errors: `<input>` by default. */
  readonly description: string;
}

/** An error in an expression, with its position. For its text see issue-text.ts. */
export interface Issue {
  readonly message: string;
  /** In code points from the start of the text; undefined if it has no position. */
  readonly offset: number | undefined;
}

/** `a.b.c` where an expression is nothing but names; undefined for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const qualifier = qualifiedName(expression.operand);
  return qualifier && `${qualifier}.${expression.field}`;
}
