// A syntax tree as text, in the format of cel-go's debug output, which the vectors use.

import type { Expression, Literal, NodeId } from '../../src/cel/syntax/expression.ts';

/** Adornments of a node or an entry of a map or struct: its kind as named in the vectors, its type, its id. */
export type Adornment = (node: { readonly id: NodeId; readonly kind: string }) => string;

/** The names of node kinds in the vectors. */
const KINDS: Readonly<Record<string, string>> = {
  null: 'Constant_NullValue',
  bool: 'Constant_BoolValue',
  int: 'Constant_Int64Value',
  uint: 'Constant_Uint64Value',
  double: 'Constant_DoubleValue',
  string: 'Constant_StringValue',
  bytes: 'Constant_BytesValue',
  identifier: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  entry: 'Expr_CreateStruct_Entry',
  comprehension: 'Expr_ComprehensionExpr',
};

export const kindAdornment: Adornment = ({ kind }) => `^#*expr.${KINDS[kind]}#`;

export function debugText(root: Expression, adornment: Adornment = kindAdornment): string {
  return new DebugWriter(adornment).text(root);
}

class DebugWriter {
  readonly #adornment: Adornment;
  #indent = '';

  constructor(adornment: Adornment) {
    this.#adornment = adornment;
  }

  text(node: Expression): string {
    const kind = node.kind === 'constant' ? node.literal.type : node.kind;
    return `${this.#bare(node)}${this.#adornment({ id: node.id, kind })}`;
  }

  #bare(node: Expression): string {
    switch (node.kind) {
      case 'constant':
        return literalText(node.literal);
      case 'identifier':
        return node.name;
      case 'select':
        return `${this.text(node.operand)}.${node.field}${node.test ? '~test-only~' : ''}`;
      case 'call': {
        const target = node.target === undefined ? '' : `${this.text(node.target)}.`;
        return this.#inside([`${target}${node.function}(`, ')'], node.arguments, (argument) => this.text(argument));
      }
      case 'list':
        return this.#inside(['[', ']'], node.elements, (element) => this.text(element));
      case 'map':
        return this.#inside(['{', '}'], node.entries, (entry) =>
          this.#entry(entry, `${this.text(entry.key)}:${this.text(entry.value)}`),
        );
      case 'struct':
        return this.#inside([`${node.typeName}{`, '}'], node.fields, (field) =>
          this.#entry(field, `${field.name}:${this.text(field.value)}`),
        );
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  #entry(entry: { readonly id: NodeId; readonly optional: boolean }, text: string): string {
    return `${entry.optional ? '?' : ''}${text}${this.#adornment({ id: entry.id, kind: 'entry' })}`;
  }

  #inside<Part>(
    [open, close]: readonly [string, string],
    parts: readonly Part[],
    text: (part: Part) => string,
  ): string {
    if (parts.length === 0) {
      return open + close;
    }
    const outer = this.#indent;
    this.#indent += '  ';
    const lines = parts.map((part) => `\n${this.#indent}${text(part)}`).join(',');
    this.#indent = outer;
    return `${open}${lines}\n${outer}${close}`;
  }

  #comprehension(node: Extract<Expression, { kind: 'comprehension' }>): string {
    const outer = this.#indent;
    this.#indent += '  ';
    const lines = [
      [
        'Variable',
        node.variable2 === undefined ? node.variable : `${node.variable},\n${this.#indent}${node.variable2}`,
      ],
      ['Target', this.text(node.range)],
      ['Accumulator', node.accumulator],
      ['Init', this.text(node.initial)],
      ['LoopCondition', this.text(node.condition)],
      ['LoopStep', this.text(node.step)],
      ['Result', this.text(node.result)],
    ].map(([name, part]) => `// ${name}\n${this.#indent}${part}`);
    const text = `__comprehension__(\n${this.#indent}${lines.join(`,\n${this.#indent}`)})`;
    this.#indent = outer;
    return text;
  }
}

function literalText(literal: Literal): string {
  switch (literal.type) {
    case 'uint':
      return `${literal.value}u`;
    case 'double':
      return doubleText(literal.value);
    case 'string':
      return `"${Array.from(literal.value, quotedCharacter).join('')}"`;
    case 'bytes':
      return `b"${quotedBytes(literal.value)}"`;
    default:
      return String(literal.value);
  }
}

function doubleText(value: number): string {
  if (Math.abs(value) < 1e6) {
    return `${Object.is(value, -0) ? '-' : ''}${value}`;
  }
  return value.toExponential().replace(/e\+([0-9])$/, 'e+0$1');
}

const NAMED_ESCAPES = new Map(Array.from('\x07\b\t\n\v\f\r"\\', (code, index) => [code, `\\${'abtnvfr"\\'[index]}`]));

function quotedCharacter(character: string): string {
  const named = NAMED_ESCAPES.get(character);
  if (named !== undefined || /[\p{L}\p{M}\p{N}\p{S}\p{P} ]/u.test(character)) {
    return named ?? character;
  }
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code < 0x80) {
    return `\\x${hex.padStart(2, '0')}`;
  }
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

function quotedBytes(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const decoded = [1, 2, 3, 4]
      .map((length) => new TextDecoder().decode(bytes.slice(index, index + length)))
      .find((character) => !character.includes('\ufffd') && Array.from(character).length === 1);
    if (decoded === undefined) {
      text += `\\x${(bytes[index] as number).toString(16).padStart(2, '0')}`;
      index++;
    } else {
      text += quotedCharacter(decoded);
      index += new TextEncoder().encode(decoded).length;
    }
  }
  return text;
}
