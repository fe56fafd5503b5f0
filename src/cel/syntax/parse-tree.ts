// Parse tree of the grammar: constructs and their tokens, before macros and node IDs. After a syntax error, later parts
// of a construct are absent.

import type { Token } from './tokens.ts';

/** A construct; `start` is the position of its first token. */
export type ParseNode =
  | MissingNode
  | ConditionalNode
  | LogicNode
  | BinaryNode
  | UnaryNode
  | SelectNode
  | MethodCallNode
  | IndexNode
  | NameNode
  | CallNode
  | ListNode
  | MapNode
  | StructNode
  | LiteralNode;

/** A missing expression, and where it was expected, if known. */
interface MissingNode {
  readonly kind: 'missing';
  readonly start: number | undefined;
}

/** `condition ? whenTrue : whenFalse` */
export interface ConditionalNode {
  readonly kind: 'conditional';
  readonly start: number;
  readonly operator: Token;
  readonly condition: ParseNode;
  whenTrue?: ParseNode;
  whenFalse?: ParseNode;
}

/** Terms between `&&` or between `||`. */
export interface LogicNode {
  readonly kind: 'logic';
  readonly start: number;
  readonly operators: Token[];
  readonly terms: ParseNode[];
}

interface BinaryNode {
  readonly kind: 'binary';
  readonly start: number;
  readonly operator: Token;
  readonly left: ParseNode;
  readonly right: ParseNode;
}

/** One or more `!` or `-` before an operand. */
export interface UnaryNode {
  readonly kind: 'unary';
  readonly start: number;
  readonly operators: Token[];
  operand?: ParseNode;
}

/** `operand.name`, `operand.?name` */
export interface SelectNode {
  readonly kind: 'select';
  readonly start: number;
  readonly operand: ParseNode;
  operator?: Token;
  optional?: Token;
  /** Where a name was expected. */
  nameStart?: number;
  name?: Token;
}

/** `target.name(arguments)` */
export interface MethodCallNode {
  readonly kind: 'methodCall';
  readonly start: number;
  readonly target: ParseNode;
  name?: Token;
  open?: Token;
  arguments: readonly ParseNode[];
}

/** `operand[index]`, `operand[?index]` */
export interface IndexNode {
  readonly kind: 'index';
  readonly start: number;
  readonly operand: ParseNode;
  operator?: Token;
  optional?: Token;
  index?: ParseNode;
}

/** A name; `dot` is the dot before it. */
export interface NameNode {
  readonly kind: 'name';
  readonly start: number;
  dot?: Token;
  name?: Token;
}

/** `name(arguments)` */
export interface CallNode {
  readonly kind: 'call';
  readonly start: number;
  dot?: Token;
  name?: Token;
  open?: Token;
  arguments: readonly ParseNode[];
}

export interface ListNode {
  readonly kind: 'list';
  readonly start: number;
  open?: Token;
  elements: readonly OptionalNode[];
}

/** An element or a key, with its `?`. */
export interface OptionalNode {
  readonly start: number;
  optional?: Token;
  node?: ParseNode;
}

export interface MapNode {
  readonly kind: 'map';
  readonly start: number;
  open?: Token;
  entries: readonly MapEntryNode[];
}

export interface MapEntryNode {
  key: OptionalNode;
  colon?: Token;
  value?: ParseNode;
}

/** `Name{field: value}` */
export interface StructNode {
  readonly kind: 'struct';
  readonly start: number;
  dot?: Token;
  readonly names: Token[];
  open?: Token;
  fields: readonly FieldNode[];
  /** Where the first field begins. */
  fieldsStart: number;
}

export interface FieldNode {
  readonly start: number;
  optional?: Token;
  nameStart?: number;
  name?: Token;
  colon?: Token;
  value?: ParseNode;
}

export interface LiteralNode {
  readonly kind: 'literal';
  readonly start: number;
  minus?: Token;
  token?: Token;
}
