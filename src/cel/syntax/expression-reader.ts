// Builder of the syntax tree from the parse tree: numbers nodes, expands macros, balances `&&` and `||`, decodes
// literals. It visits nodes in cel-go's order, so node IDs are identical.

import { lookup } from '../../base/lookup.ts';
import type { Macro } from '../library/library.ts';
import { balanced } from './balanced.ts';
import type { CodePointOffsets } from './code-point-offsets.ts';
import type { CallExpression, Expression, Issue, Literal, MapEntry, NodeId, StructField } from './expression.ts';
import { literalOf } from './literals.ts';
import { expandMacro, MacroFault, MacroTable } from './macro-expansion.ts';
import { NOWHERE, NodeIds, ReadingStopped } from './node-ids.ts';
import { OPERATORS } from './operators.ts';
import type {
  CallNode,
  IndexNode,
  LiteralNode,
  LogicNode,
  MapEntryNode,
  MapNode,
  MethodCallNode,
  NameNode,
  ParseNode,
  SelectNode,
  StructNode,
  UnaryNode,
} from './parse-tree.ts';
import type { Token } from './tokens.ts';

interface ReaderOptions {
  readonly macros: readonly Macro[];
  readonly optionalSyntax: boolean;
  readonly quotedNames: boolean;
  /** How deep operators, selections and calls may nest. */
  readonly depth: number;
  /** How many nodes the tree may have. */
  readonly nodes: number;
}

/** Words kept for later, which are field names but no variables. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package'],
  ...['namespace', 'return', 'var', 'void', 'while', 'in', 'true', 'false', 'null'],
]);

const BINARY: Readonly<Record<string, string>> = lookup({
  '<': OPERATORS.less,
  '<=': OPERATORS.lessEquals,
  '>': OPERATORS.greater,
  '>=': OPERATORS.greaterEquals,
  '==': OPERATORS.equals,
  '!=': OPERATORS.notEquals,
  in: OPERATORS.in,
  '+': OPERATORS.add,
  '-': OPERATORS.subtract,
  '*': OPERATORS.multiply,
  '/': OPERATORS.divide,
  '%': OPERATORS.modulo,
});

export class ExpressionReader {
  readonly issues: Issue[] = [];
  readonly macroCalls = new Map<NodeId, Expression>();
  readonly #text: string;
  readonly #offsets: CodePointOffsets;
  readonly #options: ReaderOptions;
  readonly #macros: MacroTable;
  readonly #ids: NodeIds;
  #depth = 0;

  constructor(text: string, offsets: CodePointOffsets, options: ReaderOptions) {
    this.#text = text;
    this.#offsets = offsets;
    this.#options = options;
    this.#ids = new NodeIds(options.nodes);
    this.#macros = new MacroTable(options.macros);
  }

  /** The position of each node in the text. */
  get positions(): ReadonlyMap<NodeId, number> {
    return this.#ids.positions;
  }

  /** Parses a whole tree; the tree is meaningless if there are issues. */
  read(tree: ParseNode): Expression {
    try {
      return this.#read(tree);
    } catch (stop) {
      if (!(stop instanceof ReadingStopped)) {
        throw stop;
      }
      this.issues.push({ message: stop.message, offset: undefined });
      return { kind: 'constant', id: 0, literal: { type: 'null', value: null } };
    }
  }

  #read(node: ParseNode | undefined): Expression {
    switch (node?.kind) {
      case 'conditional':
      case 'binary':
      case 'select':
      case 'methodCall':
      case 'index': {
        if (++this.#depth > this.#options.depth) {
          throw new ReadingStopped('max recursion depth exceeded');
        }
        const expression = this.#readNesting(node);
        this.#depth--;
        return expression;
      }
      case 'logic':
        return this.#logic(node);
      case 'unary':
        return this.#unary(node);
      case 'name':
      case 'call':
        return this.#named(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return { kind: 'map', id: this.#id(node.open?.start ?? node.start), entries: this.#entries(node) };
      case 'struct':
        return this.#struct(node);
      case 'literal':
        return this.#literal(node);
      case 'missing':
        return node.start === undefined ? this.#unknownAt(NOWHERE) : this.#unknown(node.start);
      case undefined:
        return this.#unknownAt(NOWHERE);
    }
  }

  #readNesting(node: Extract<ParseNode, { kind: 'conditional' | 'binary' | 'select' | 'methodCall' | 'index' }>) {
    switch (node.kind) {
      case 'conditional': {
        const condition = this.#read(node.condition);
        const id = this.#id(node.operator.start);
        return this.#call(id, OPERATORS.conditional, [
          condition,
          this.#read(node.whenTrue),
          this.#read(node.whenFalse),
        ]);
      }
      case 'binary': {
        const left = this.#read(node.left);
        const id = this.#id(node.operator.start);
        return this.#call(id, BINARY[node.operator.type] as string, [left, this.#read(node.right)]);
      }
      case 'select':
        return this.#select(node);
      case 'methodCall':
        return this.#methodCall(node);
      case 'index':
        return this.#index(node);
    }
  }

  #logic(node: LogicNode): Expression {
    const terms = [this.#read(node.terms[0])];
    const ids: NodeId[] = [];
    for (const [index, operator] of node.operators.entries()) {
      terms.push(this.#read(node.terms[index + 1]));
      ids.push(this.#id(operator.start));
    }
    const name = node.operators[0]?.type === '&&' ? OPERATORS.and : OPERATORS.or;
    return balanced(name, { terms, ids, from: 0, to: ids.length - 1 });
  }

  /** An even number of `!` or `-` leaves nothing of them. */
  #unary(node: UnaryNode): Expression {
    if (node.operators.length % 2 === 0) {
      return this.#read(node.operand);
    }
    const operator = node.operators[0] as Token;
    const id = this.#id(operator.start);
    return this.#call(id, operator.type === '!' ? OPERATORS.not : OPERATORS.negate, [this.#read(node.operand)]);
  }

  #select(node: SelectNode): Expression {
    const operand = this.#read(node.operand);
    const { operator, optional, nameStart } = node;
    if (operator === undefined || nameStart === undefined) {
      return this.#unknown(node.start);
    }
    const field = this.#fieldName(node.name, nameStart) ?? '';
    if (optional === undefined) {
      return { kind: 'select', id: this.#id(operator.start), operand, field, test: false };
    }
    if (!this.#options.optionalSyntax) {
      return this.#fail(operator.start, "unsupported syntax '.?'");
    }
    const name: Expression = {
      kind: 'constant',
      id: this.#id(nameStart),
      literal: { type: 'string', value: field },
    };
    const id = this.#id(operator.start);
    return { kind: 'call', id, function: OPERATORS.optionalSelect, target: undefined, arguments: [operand, name] };
  }

  #methodCall(node: MethodCallNode): Expression {
    const target = this.#read(node.target);
    if (node.name === undefined || node.open === undefined) {
      return this.#unknown(node.start);
    }
    const id = this.#id(node.open.start);
    const operands = node.arguments.map((argument) => this.#read(argument));
    return this.#expanded({ kind: 'call', id, function: this.#textOf(node.name), target, arguments: operands });
  }

  #index(node: IndexNode): Expression {
    const operand = this.#read(node.operand);
    if (node.operator === undefined) {
      return this.#unknown(node.start);
    }
    const id = this.#id(node.operator.start);
    const index = this.#read(node.index);
    if (node.optional === undefined) {
      return this.#call(id, OPERATORS.index, [operand, index]);
    }
    if (!this.#options.optionalSyntax) {
      return this.#fail(node.operator.start, "unsupported syntax '[?'");
    }
    return this.#call(id, OPERATORS.optionalIndex, [operand, index]);
  }

  #named(node: NameNode | CallNode): Expression {
    if (node.name === undefined) {
      return this.#unknown(node.start);
    }
    const text = this.#textOf(node.name);
    if (RESERVED.has(text)) {
      return this.#fail(node.start, `reserved identifier: ${text}`);
    }
    const name = node.dot === undefined ? text : `.${text}`;
    if (node.kind === 'name') {
      return { kind: 'identifier', id: this.#id(node.name.start), name };
    }
    const id = this.#id(node.open?.start ?? node.start);
    return this.#call(
      id,
      name,
      node.arguments.map((argument) => this.#read(argument)),
    );
  }

  #list(node: Extract<ParseNode, { kind: 'list' }>): Expression {
    const id = this.#id(node.open?.start ?? node.start);
    const optional: number[] = [];
    const elements = node.elements.map((element, index) => {
      const expression = this.#read(element.node);
      if (element.optional !== undefined && this.#optionalAllowed(element.optional.start)) {
        optional.push(index);
      }
      return expression;
    });
    return { kind: 'list', id, elements, optional };
  }

  #entries(node: MapNode): MapEntry[] {
    const entries: MapEntry[] = [];
    for (const entry of node.entries) {
      if (!isWholeEntry(entry)) {
        return [];
      }
      const id = this.#id(entry.colon.start);
      const optional = entry.key.optional !== undefined;
      if (!optional || this.#optionalAllowed(entry.key.start)) {
        const key = this.#read(entry.key.node);
        entries.push({ id, key, value: this.#read(entry.value), optional });
      }
    }
    return entries;
  }

  #struct(node: StructNode): Expression {
    const names = node.names.map((name) => this.#textOf(name)).join('.');
    const id = this.#id(node.open?.start ?? node.start);
    const typeName = node.dot === undefined ? names : `.${names}`;
    return { kind: 'struct', id, typeName, fields: this.#fields(node) };
  }

  #fields(node: StructNode): StructField[] {
    const fields: StructField[] = [];
    for (const field of node.fields) {
      if (field.colon === undefined || field.value === undefined) {
        return [];
      }
      const id = this.#id(field.colon.start);
      const optional = field.optional !== undefined;
      if (optional && !this.#optionalAllowed(field.start)) {
        continue;
      }
      const name = this.#fieldName(field.name, node.fieldsStart);
      if (name !== undefined) {
        fields.push({ id, name, value: this.#read(field.value), optional });
      }
    }
    return fields;
  }

  /** Returns the name in a token; undefined, with an issue at `start`, if it is not allowed. */
  #fieldName(token: Token | undefined, start: number): string | undefined {
    if (token?.type === 'IDENTIFIER') {
      return this.#textOf(token);
    }
    if (token === undefined) {
      this.#fail(start, 'unsupported ident kind');
      return undefined;
    }
    if (!this.#options.quotedNames) {
      this.#fail(start, "unsupported syntax: '`'");
      return undefined;
    }
    return this.#textOf(token).slice(1, -1);
  }

  #optionalAllowed(start: number): boolean {
    if (!this.#options.optionalSyntax) {
      this.#fail(start, "unsupported syntax '?'");
    }
    return this.#options.optionalSyntax;
  }

  #literal(node: LiteralNode): Expression {
    const text = node.token === undefined ? '' : this.#textOf(node.token);
    const outcome = literalOf(node.token?.type, text, node.minus !== undefined);
    if (typeof outcome === 'string') {
      this.#fail(node.start, outcome);
    }
    const literal: Literal = typeof outcome === 'string' ? { type: 'null', value: null } : outcome;
    return { kind: 'constant', id: this.#id(node.start), literal };
  }

  #call(id: NodeId, name: string, operands: readonly Expression[]): Expression {
    return this.#expanded({ kind: 'call', id, function: name, target: undefined, arguments: operands });
  }

  /** Returns a call, or the expansion of a macro. */
  #expanded(call: CallExpression): Expression {
    const { id } = call;
    const macro = this.#macros.find(call);
    if (macro === undefined) {
      return call;
    }
    const offset = this.#ids.placeOf(id);
    const expansion = expandMacro(macro, call, {
      fresh: () => this.#ids.add(offset),
      like: (other) => this.#ids.add(this.#ids.placeOf(other)),
    });
    if (expansion === undefined) {
      return call;
    }
    if (expansion instanceof MacroFault) {
      const place = expansion.at === undefined ? offset : this.#ids.placeOf(expansion.at.id);
      this.#ids.forget(id);
      this.issues.push({ message: expansion.message, offset: place });
      return this.#unknownAt(place);
    }
    this.macroCalls.set(expansion.id, call);
    this.#ids.forget(id);
    return expansion;
  }

  #fail(start: number, message: string): Expression {
    this.issues.push({ message, offset: this.#offsets.at(start) });
    return this.#unknown(start);
  }

  /** A placeholder for a node that could not be parsed; the issue was already reported. */
  #unknown(start: number): Expression {
    return this.#unknownAt(this.#offsets.at(start));
  }

  #unknownAt(offset: number): Expression {
    return { kind: 'constant', id: this.#ids.add(offset), literal: { type: 'null', value: null } };
  }

  #id(start: number): NodeId {
    return this.#ids.add(this.#offsets.at(start));
  }

  #textOf(token: Token): string {
    return this.#text.slice(token.start, token.end);
  }
}

function isWholeEntry(entry: MapEntryNode): entry is MapEntryNode & { colon: Token; value: ParseNode } {
  return entry.colon !== undefined && entry.value !== undefined;
}
