// The type checker: walks an expression once, determines the type of every node and the meaning of every name, and
// reports errors as cel-go does. Typing is gradual: `dyn` is checked at run time.

import { limits } from '../../base/limits.ts';
import type { Overload } from '../library/library.ts';
import { CROSS_TYPE_COMPARISONS } from '../library/standard/comparisons.ts';
import {
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type IdentifierExpression,
  type Issue,
  type ListExpression,
  type MapExpression,
  type NodeId,
  type ParsedExpression,
  qualifiedName,
  type SelectExpression,
  type StructExpression,
} from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  type StructDescription,
  type Type,
  UINT,
} from '../types/type.ts';
import { isDyn, isDynOrError, optionalContent } from '../types/type-relations.ts';
import { operandsText } from '../types/type-text.ts';
import { TypesTooLarge, Unifier } from '../types/unifier.ts';
import { CheckIssues } from './check-issues.ts';
import type { CheckedExpression, Reference } from './checked-expression.ts';
import type { Declarations, DeclaredFunction, DeclaredOverload, Identifier } from './declarations.ts';
import { resultType } from './overload-result.ts';
import { replaceNodes } from './replace-nodes.ts';
import { structType } from './struct-type.ts';
import { TypedScope } from './typed-scope.ts';

interface CheckOptions {
  /** Whether `<`, `<=`, `>`, `>=` compare int, uint and double with each other. */
  readonly crossTypeNumericComparisons: boolean;
}

/** Type-checks an expression; `checked` is absent if there are issues. */
export function check(
  parsed: ParsedExpression,
  declarations: Declarations,
  options: CheckOptions,
): { readonly checked?: CheckedExpression; readonly issues: readonly Issue[] } {
  return new Checker(parsed, declarations, options).run();
}

const LITERAL_TYPES = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
} as const;

class Checker {
  readonly #parsed: ParsedExpression;
  readonly #declarations: Declarations;
  readonly #options: CheckOptions;
  readonly #unifier: Unifier;
  readonly #types = new Map<NodeId, Type<unknown>>();
  readonly #references = new Map<NodeId, Reference>();
  /** Nodes that are replaced, with their operands unchanged. */
  readonly #replaced = new Map<NodeId, Expression>();
  readonly #issues: CheckIssues;
  #scope: TypedScope | undefined;

  constructor(parsed: ParsedExpression, declarations: Declarations, options: CheckOptions) {
    this.#parsed = parsed;
    this.#declarations = declarations;
    this.#options = options;
    this.#unifier = new Unifier(limits.typingSteps + parsed.positions.size * limits.typingStepsPerNode);
    this.#issues = new CheckIssues({ parsed, unifier: this.#unifier, container: declarations.container });
  }

  run(): { readonly checked?: CheckedExpression; readonly issues: readonly Issue[] } {
    try {
      this.#check(this.#parsed.root);
      if (this.#issues.all.length > 0) return { issues: this.#issues.all };
      return { checked: this.#result(), issues: [] };
    } catch (error) {
      if (!(error instanceof TypesTooLarge)) throw error;
      return { issues: [{ message: 'the types of the expression are too large', offset: 0 }] };
    }
  }

  #result(): CheckedExpression {
    const parsed = this.#parsed;
    for (const [id, type] of this.#types) {
      const resolved = this.#unifier.resolveFully(type);
      if (resolved !== type) this.#types.set(id, resolved);
    }
    return {
      root: replaceNodes(parsed.root, this.#replaced),
      source: parsed.source,
      positions: parsed.positions,
      macroCalls: parsed.macroCalls,
      types: this.#types,
      references: this.#references,
      type: this.#types.get(parsed.root.id)!,
    };
  }

  /** The type of a node, which may contain parameters that are bound later. */
  #check(expression: Expression): Type<unknown> {
    const type = this.#typeOf(expression);
    this.#types.set(expression.id, type);
    return type;
  }

  #typeOf(expression: Expression): Type<unknown> {
    switch (expression.kind) {
      case 'constant':
        return LITERAL_TYPES[expression.literal.type];
      case 'identifier':
        return this.#checkIdentifier(expression);
      case 'select':
        return this.#checkSelect(expression);
      case 'call':
        return this.#checkCall(expression);
      case 'list':
        return this.#checkList(expression);
      case 'map':
        return this.#checkMap(expression);
      case 'struct':
        return this.#checkStruct(expression);
      case 'comprehension':
        return this.#checkComprehension(expression);
    }
  }

  #checkIdentifier(expression: IdentifierExpression): Type<unknown> {
    const identifier = this.#find(expression.name);
    return identifier === undefined
      ? this.#issues.undeclared(expression.id, expression.name)
      : this.#refer(expression, identifier);
  }

  #checkSelect(expression: SelectExpression): Type<unknown> {
    const name = qualifiedName(expression);
    const identifier = name === undefined ? undefined : this.#find(name);
    if (identifier !== undefined) return this.#refer(expression, identifier);
    const { operand, field } = expression;
    const type = this.#fieldType(expression, { operand, field, optional: false });
    return expression.test ? BOOL : this.#unifier.resolve(type);
  }

  /** The type of `operand.field` or `operand.?field`; fields of an optional are optional too. */
  #fieldType(at: Expression, { operand, field, optional }: FieldSelection): Type<unknown> {
    const type = this.#unifier.resolve(this.#check(operand));
    const content = optionalContent(type);
    const member = this.#memberType(at.id, content ?? type, field);
    return optional || content !== undefined ? optionalOf(member) : member;
  }

  #memberType(at: NodeId, type: Type<unknown>, field: string): Type<unknown> {
    switch (type.kind) {
      case 'map':
        return type.parameters[1]!;
      case 'struct':
        return this.#structField(at, { struct: type.name, field }) ?? ERROR;
      case 'parameter':
        this.#unifier.isAssignable(DYN, type);
        return DYN;
      default:
        if (!isDynOrError(type)) {
          this.#issues.add(at, `type '${this.#issues.typeText(type)}' does not support field selection`);
        }
        return DYN;
    }
  }

  #structField(at: NodeId, name: { readonly struct: string; readonly field: string }): Type<unknown> | undefined {
    const struct: StructDescription | undefined = this.#declarations.findStruct(name.struct);
    const type = struct?.fields.get(name.field);
    if (struct === undefined) this.#issues.add(at, `unexpected failed resolution of '${name.struct}'`);
    else if (type === undefined) this.#issues.add(at, `undefined field '${name.field}'`);
    return type;
  }

  #checkCall(call: CallExpression): Type<unknown> {
    if (call.function === OPERATORS.optionalSelect) return this.#checkOptionalSelect(call);
    const operands = call.arguments.map((argument) => this.#check(argument));
    if (call.target === undefined) {
      const found = this.#declarations.findFunction(call.function);
      if (found === undefined) return this.#issues.undeclared(call.id, call.function);
      if (found.name !== call.function) this.#replaced.set(call.id, { ...call, function: found.name });
      return this.#callType(call, { found, overloads: found.functions, operands, method: false });
    }
    const namespace = qualifiedName(call.target);
    const qualified = namespace && this.#declarations.findFunction(`${namespace}.${call.function}`);
    if (qualified) {
      this.#replaced.set(call.id, { ...call, function: qualified.name, target: undefined });
      return this.#callType(call, { found: qualified, overloads: qualified.functions, operands, method: false });
    }
    operands.unshift(this.#check(call.target));
    const found = this.#declarations.findFunction(call.function);
    if (found === undefined) return this.#issues.undeclared(call.id, call.function);
    return this.#callType(call, { found, overloads: found.methods, operands, method: true });
  }

  #checkOptionalSelect(call: CallExpression): Type<unknown> {
    const [operand, field] = call.arguments;
    if (call.target !== undefined || operand === undefined || field === undefined || call.arguments.length !== 2) {
      const member = call.target === undefined ? '' : ' member call with';
      const fault = `incorrect signature.${member} argument count: ${call.arguments.length}`;
      this.#issues.add(call.id, `unsupported optional field selection: ${fault}`);
      return ERROR;
    }
    if (field.kind !== 'constant' || field.literal.type !== 'string') {
      this.#issues.add(field.id, 'unsupported optional field selection');
      return ERROR;
    }
    const type = this.#fieldType(call, { operand, field: field.literal.value, optional: true });
    this.#types.set(field.id, STRING);
    this.#references.set(call.id, { kind: 'function', overloads: [] });
    return this.#unifier.resolve(type);
  }

  /** The result type over all matching overloads. */
  #callType(call: CallExpression, candidates: Candidates): Type<unknown> {
    const { name } = candidates.found;
    if (name === OPERATORS.and || name === OPERATORS.or) return this.#logicType(call, candidates);
    const possible: Overload[] = [];
    let type: Type<unknown> | undefined;
    for (const declared of candidates.overloads) {
      if (!this.#options.crossTypeNumericComparisons && CROSS_TYPE_COMPARISONS.has(declared.overload.id)) continue;
      const result = resultType(this.#unifier, declared, candidates.operands);
      if (result === undefined) continue;
      possible.push(declared.overload);
      if (type === undefined) type = result;
      else if (!isDyn(type) && !this.#unifier.isSame(result, type)) type = DYN;
    }
    if (type === undefined) {
      const operands = candidates.operands.map((operand) => this.#unifier.resolveFully(operand));
      const applied = operandsText(operands, candidates.method);
      this.#issues.add(call.id, `found no matching overload for '${name}' applied to '${applied}'`);
      return ERROR;
    }
    this.#references.set(call.id, { kind: 'function', overloads: possible });
    return type;
  }

  /** `&&` and `||` report which side is not a bool. */
  #logicType(call: CallExpression, candidates: Candidates): Type<unknown> {
    const overload: Overload | undefined = candidates.overloads[0]?.overload;
    const faults = candidates.operands.filter((type, index) => !this.#expect(call.arguments[index]!, BOOL, type));
    if (faults.length > 0 || overload === undefined) return ERROR;
    this.#references.set(call.id, { kind: 'function', overloads: [overload] });
    return BOOL;
  }

  #checkList(list: ListExpression): Type<unknown> {
    let items: Type<unknown> | undefined;
    list.elements.forEach((element, index) => {
      const type = this.#check(element);
      const item = list.optional.includes(index) ? this.#unwrapOptional(element, type) : type;
      items = this.#join(items, item);
    });
    return listOf(items ?? this.#unifier.freshParameter());
  }

  #checkMap(map: MapExpression): Type<unknown> {
    let keys: Type<unknown> | undefined;
    let values: Type<unknown> | undefined;
    for (const { key, value, optional } of map.entries) {
      keys = this.#join(keys, this.#check(key));
      const type = this.#check(value);
      values = this.#join(values, optional ? this.#unwrapOptional(value, type) : type);
    }
    return mapOf(keys ?? this.#unifier.freshParameter(), values ?? this.#unifier.freshParameter());
  }

  /** The content type of an optional element, entry or field. */
  #unwrapOptional(at: Expression, type: Type<unknown>): Type<unknown> {
    const content = optionalContent(type);
    if (content === undefined && !isDyn(type)) this.#issues.mismatch(at.id, optionalOf(type), type);
    return content ?? type;
  }

  /** The common type of the items so far and another one. */
  #join(previous: Type<unknown> | undefined, current: Type<unknown>): Type<unknown> {
    if (previous === undefined) return current;
    return this.#unifier.isAssignable(previous, current) ? this.#unifier.mostGeneral(previous, current) : DYN;
  }

  #checkStruct(struct: StructExpression): Type<unknown> {
    const identifier = this.#find(struct.typeName);
    if (identifier === undefined) return this.#issues.undeclared(struct.id, struct.typeName);
    const { name } = identifier;
    if (name !== struct.typeName) this.#replaced.set(struct.id, { ...struct, typeName: name });
    this.#references.set(struct.id, { kind: 'identifier', name, value: undefined });
    const type = structType(struct.id, identifier, this.#issues);
    for (const { id, name: field, value, optional } of struct.fields) {
      const given = this.#check(value);
      const expected = this.#structField(id, { struct: name, field }) ?? ERROR;
      const provided = optional ? this.#unwrapOptional(value, given) : given;
      if (!this.#unifier.isAssignable(expected, provided)) {
        const types = `is '${this.#issues.typeText(expected)}' but provided type is '${this.#issues.typeText(provided)}'`;
        this.#issues.add(id, `expected type of field '${field}' ${types}`);
      }
    }
    return type;
  }

  #checkComprehension(comprehension: ComprehensionExpression): Type<unknown> {
    const range = this.#unifier.resolve(this.#check(comprehension.range));
    const accumulated = this.#check(comprehension.initial);
    const outer = this.#scope;
    this.#scope = new TypedScope(comprehension.accumulator, accumulated, this.#scope);
    const inner = this.#scope;
    const [first, second] = this.#iterationTypes(comprehension, range);
    this.#scope = new TypedScope(comprehension.variable, first, this.#scope);
    if (comprehension.variable2 !== undefined)
      this.#scope = new TypedScope(comprehension.variable2, second, this.#scope);
    this.#expect(comprehension.condition, BOOL, this.#check(comprehension.condition));
    const step = this.#check(comprehension.step);
    if (!this.#unifier.isAssignable(accumulated, step)) this.#issues.mismatch(comprehension.step.id, accumulated, step);
    this.#scope = inner;
    const result = this.#check(comprehension.result);
    this.#scope = outer;
    return this.#unifier.resolve(result);
  }

  /** The types of comprehension variables: item, or key; with two, index and item, or key and value. */
  #iterationTypes(
    comprehension: ComprehensionExpression,
    range: Type<unknown>,
  ): readonly [Type<unknown>, Type<unknown>] {
    const two = comprehension.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, range.parameters[0]!] : [range.parameters[0]!, ERROR];
      case 'map':
        return [range.parameters[0]!, range.parameters[1]!];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#unifier.isAssignable(DYN, range);
        return [DYN, DYN];
      default: {
        const fault = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.#issues.add(comprehension.range.id, `expression of type '${this.#issues.typeText(range)}' ${fault}`);
        return [ERROR, ERROR];
      }
    }
  }

  #find(name: string): Identifier | undefined {
    return this.#declarations.findIdentifier(name, (local) => this.#scope?.find(local));
  }

  #refer(expression: IdentifierExpression | SelectExpression, { name, type, value }: Identifier): Type<unknown> {
    this.#references.set(expression.id, { kind: 'identifier', name, value });
    if (expression.kind === 'select' || expression.name !== name) {
      this.#replaced.set(expression.id, { kind: 'identifier', id: expression.id, name });
    }
    return type;
  }

  /** Reports a value that does not have the required type. */
  #expect(at: Expression, expected: Type<unknown>, actual: Type<unknown>): boolean {
    if (this.#unifier.isAssignable(actual, expected)) return true;
    this.#issues.mismatch(at.id, expected, actual);
    return false;
  }
}

interface FieldSelection {
  readonly operand: Expression;
  readonly field: string;
  readonly optional: boolean;
}

interface Candidates {
  readonly found: DeclaredFunction;
  readonly overloads: readonly DeclaredOverload[];
  /** The receiver of a method comes first. */
  readonly operands: readonly Type<unknown>[];
  readonly method: boolean;
}
