// The grammar of expressions, one method per rule, which reads tokens into a parse tree. It follows cel-go's grammar
// rule by rule, because syntax errors are reported in its terms; the tree reader interprets the constructs.

import { CollectionGrammar } from './collection-grammar.ts';
import type { GrammarLimits } from './grammar-rules.ts';
import { AFTER, FIRST, PRODUCT_SET, RELATION_SET, SUM_SET } from './grammar-sets.ts';
import type {
  CallNode,
  ConditionalNode,
  IndexNode,
  LiteralNode,
  MethodCallNode,
  NameNode,
  ParseNode,
  SelectNode,
  StructNode,
  UnaryNode,
} from './parse-tree.ts';
import { type Follow, ParseAbort, type SyntaxIssue } from './recovery.ts';
import type { Token } from './tokens.ts';

interface GrammarOutcome {
  /** Absent when a limit ended the reading. */
  readonly tree: ParseNode | undefined;
  readonly issues: readonly SyntaxIssue[];
}

/** Reads a text by the grammar. */
export function readExpression(text: string, limits: GrammarLimits): GrammarOutcome {
  return new Grammar(text, limits).read();
}

const MISSING: ParseNode = { kind: 'missing', start: undefined };

class Grammar extends CollectionGrammar {
  read(): GrammarOutcome {
    let tree: ParseNode | undefined;
    try {
      tree = this.#whole();
    } catch (stop) {
      if (!(stop instanceof ParseAbort)) {
        throw stop;
      }
    }
    return { tree, issues: this.input.issues };
  }

  #whole(): ParseNode {
    const tree = this.expression(AFTER.whole);
    try {
      this.input.take('EOF', AFTER.end);
    } catch (fault) {
      this.recover(fault);
    }
    return tree;
  }

  protected override expression(follow: Follow): ParseNode {
    let node: ParseNode = MISSING;
    this.enter(follow, 'expression');
    try {
      const start = this.start();
      node = this.#logic('||', AFTER.condition);
      if (this.next() === '?') {
        const operator = this.input.take('?', AFTER.expression);
        const conditional: ConditionalNode = { kind: 'conditional', start, operator, condition: node };
        node = conditional;
        conditional.whenTrue = this.#logic('||', AFTER.whenTrue);
        this.input.take(':', AFTER.expression, 'conditional');
        conditional.whenFalse = this.expression(AFTER.end);
      }
    } catch (fault) {
      this.recover(fault);
    }
    this.leave('expression');
    return node;
  }

  /** Terms joined by `||`, each of them terms joined by `&&`. */
  #logic(operator: '||' | '&&', follow: Follow): ParseNode {
    this.enter(follow);
    const start = this.start();
    const terms = [this.#term(operator)];
    const operators: Token[] = [];
    while (this.next() === operator) {
      operators.push(this.input.takeAny());
      terms.push(this.#term(operator));
    }
    this.leave();
    return operators.length === 0 ? (terms[0] as ParseNode) : { kind: 'logic', start, operators, terms };
  }

  #term(operator: '||' | '&&'): ParseNode {
    return operator === '||' ? this.#logic('&&', AFTER.orTerm) : this.#relation(0, AFTER.andTerm);
  }

  /** Comparisons, from the left; `level` 1 for one on the right of another, which takes none itself. */
  #relation(level: number, follow: Follow): ParseNode {
    this.enter(follow, 'relation');
    const start = this.start();
    let node = this.#calculation(0, AFTER.relationTerm);
    while (level === 0 && RELATION_SET.has(this.next())) {
      const operator = this.input.takeAny();
      node = { kind: 'binary', start, operator, left: node, right: this.#relation(1, AFTER.relationTerm) };
    }
    this.leave('relation');
    return node;
  }

  /** Sums and products, from the left; at `level` 1 products alone, at 2 a single term. */
  #calculation(level: number, follow: Follow): ParseNode {
    this.enter(follow, 'calculation');
    const start = this.start();
    let node = this.#unary(AFTER.calculationTerm);
    for (let strength = this.#strength(); strength > level; strength = this.#strength()) {
      const operator = this.input.takeAny();
      node = { kind: 'binary', start, operator, left: node, right: this.#calculation(strength, AFTER.calculationTerm) };
    }
    this.leave('calculation');
    return node;
  }

  /** How strongly the next token binds: 2 in a product, 1 in a sum, else 0. */
  #strength(): number {
    const type = this.next();
    return PRODUCT_SET.has(type) ? 2 : SUM_SET.has(type) ? 1 : 0;
  }

  #unary(follow: Follow): ParseNode {
    let node: ParseNode = { kind: 'missing', start: this.start() };
    this.enter(follow);
    try {
      this.input.expect(FIRST.expression, 'unary');
      const operator = this.next();
      if (!FIRST.expression.has(operator)) {
        throw this.input.noAlternative(0, 'unary');
      }
      if (operator === '!' || (operator === '-' && !this.#startsNumber(1))) {
        if (operator === '-') {
          this.#checkNegation('unary');
        }
        const unary: UnaryNode = { kind: 'unary', start: this.start(), operators: [] };
        node = unary;
        this.#operators(operator, unary.operators);
        unary.operand = this.#member(AFTER.end);
      } else {
        node = this.#member(AFTER.end);
      }
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    return node;
  }

  /** One `!` or `-` after the other. */
  #operators(operator: '!' | '-', taken: Token[]): void {
    do {
      taken.push(this.input.takeAny());
      this.input.expectInLoop(operator === '!' ? FIRST.not : FIRST.negation);
      if (operator === '-' && this.next() === '-') {
        this.#checkNegation('negation');
      }
    } while (this.next() === operator);
  }

  #checkNegation(place: string): void {
    if (!FIRST.negation.has(this.input.peek(1).type)) {
      throw this.input.noAlternative(1, place);
    }
  }

  #startsNumber(distance: number): boolean {
    const { type } = this.input.peek(distance);
    return type === 'NUM_INT' || type === 'NUM_FLOAT';
  }

  #member(follow: Follow): ParseNode {
    this.enter(follow);
    const start = this.start();
    let node = this.#primary(AFTER.memberPart);
    try {
      for (let next = this.next(); next === '.' || next === '['; next = this.next()) {
        if (next === '[') {
          const index: IndexNode = { kind: 'index', start, operand: node };
          node = index;
          this.#index(index);
        } else if (this.#callsMethod()) {
          const call: MethodCallNode = { kind: 'methodCall', start, target: node, arguments: [] };
          node = call;
          this.input.take('.', AFTER.name);
          call.name = this.input.take('IDENTIFIER', AFTER.openParenthesis);
          this.#arguments(call);
        } else {
          const select: SelectNode = { kind: 'select', start, operand: node };
          node = select;
          this.#select(select);
        }
      }
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    return node;
  }

  #callsMethod(): boolean {
    const after = this.input.peek(1).type;
    if (after !== '?' && !FIRST.name.has(after)) {
      throw this.input.noAlternative(1, 'member');
    }
    return after === 'IDENTIFIER' && this.input.peek(2).type === '(';
  }

  #select(select: SelectNode): void {
    select.operator = this.input.take('.', AFTER.optionalName);
    if (this.next() === '?') {
      select.optional = this.input.take('?', AFTER.names);
    }
    this.fieldName(select, AFTER.memberPart);
  }

  #index(index: IndexNode): void {
    index.operator = this.input.take('[', AFTER.optionalExpression);
    this.input.expect(FIRST.optionalExpression, 'index');
    if (this.next() === '?') {
      index.optional = this.input.take('?', AFTER.expression);
    }
    index.index = this.expression(AFTER.inBrackets);
    this.input.take(']', AFTER.memberPart, 'index');
  }

  /** From the opening parenthesis to the closing one. */
  #arguments(call: CallNode | MethodCallNode): void {
    call.open = this.input.take('(', AFTER.arguments);
    this.input.expect(FIRST.arguments, `arguments of ${call.kind}`);
    if (FIRST.expression.has(this.next())) {
      const list: ParseNode[] = [];
      call.arguments = list;
      this.enter(AFTER.inParentheses);
      list.push(this.expression(AFTER.item));
      while (this.next() === ',') {
        this.input.take(',', AFTER.expression);
        list.push(this.expression(AFTER.item));
      }
      this.leave();
    }
    this.input.take(')', call.kind === 'call' ? AFTER.end : AFTER.memberPart, call.kind);
  }

  #primary(follow: Follow): ParseNode {
    let node: ParseNode = MISSING;
    this.enter(follow);
    try {
      this.input.expect(FIRST.member, 'primary');
      const start = this.start();
      const type = this.next();
      if (type === '(') {
        this.input.take('(', AFTER.expression);
        node = this.expression(AFTER.inParentheses);
        this.input.take(')', AFTER.end, 'parentheses');
      } else if (type === '[') {
        this.list((node = { kind: 'list', start, elements: [] }));
      } else if (type === '{') {
        this.map((node = { kind: 'map', start, entries: [] }));
      } else if (type === '.' || type === 'IDENTIFIER') {
        node = this.#nameForm(start);
        this.#named(node);
      } else if (FIRST.member.has(type)) {
        node = this.#literal(AFTER.end);
      } else {
        throw this.input.noAlternative(0, 'primary');
      }
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    return node;
  }

  /** A name, a function call or a struct, which the token after the name or names determines. */
  #nameForm(start: number): NameNode | CallNode | StructNode {
    const first = this.next() === '.' ? 1 : 0;
    if (this.input.peek(first).type !== 'IDENTIFIER') {
      throw this.input.noAlternative(first, 'primary');
    }
    let after = first + 1;
    while (this.input.peek(after).type === '.' && this.input.peek(after + 1).type === 'IDENTIFIER') {
      after += 2;
    }
    if (this.input.peek(after).type === '{') {
      return { kind: 'struct', start, names: [], fields: [], fieldsStart: start };
    }
    return this.input.peek(first + 1).type === '(' ? { kind: 'call', start, arguments: [] } : { kind: 'name', start };
  }

  #named(node: NameNode | CallNode | StructNode): void {
    if (this.next() === '.') {
      node.dot = this.input.take('.', AFTER.name);
    }
    const name = this.input.take('IDENTIFIER', AFTER.end);
    if (node.kind === 'struct') {
      node.names.push(name);
      this.struct(node);
      return;
    }
    node.name = name;
    if (node.kind === 'call') {
      this.#arguments(node);
    }
  }

  #literal(follow: Follow): ParseNode {
    const literal: LiteralNode = { kind: 'literal', start: this.start() };
    let node: ParseNode = MISSING;
    this.enter(follow);
    try {
      if (this.next() === '-') {
        if (!this.#startsNumber(1)) {
          throw this.input.noAlternative(1, 'literal');
        }
        literal.minus = this.input.take('-', AFTER.number);
      }
      literal.token = this.input.takeAny();
      node = literal;
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    return node;
  }
}
