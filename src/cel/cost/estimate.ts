// Static cost estimation: the minimum and maximum cost of a checked expression, without the values of its variables.
// Numbers and rules are cel-go's, because they determine which rules an API server accepts.

import type { CheckedExpression } from '../check/checked-expression.ts';
import type { CallEstimate, EqualityEstimate, Operand, Overload } from '../library/library.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  NodeId,
  SelectExpression,
} from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { DYN, type Type } from '../types/type.ts';
import { EstimatedOperand, literalSize, typeSize } from './operand.ts';
import { add, exactly, multiply, type Range, UNBOUNDED, UNKNOWN_SIZE, union } from './range.ts';
import type { SizeEstimator } from './size-estimator.ts';
import { VariablePath } from './variable-path.ts';

interface EstimateOptions {
  /** The known sizes of variables. */
  readonly sizes?: SizeEstimator;
  /** The cost of `has()` itself. */
  readonly presenceTestCost: number;
  /** Whether sizes are followed through names, `dyn()` and the content of lists, maps and optional values. */
  readonly followsSizes: boolean;
  /** The cost of `==` by the operands' type, if it does not depend on their sizes. */
  readonly equality: (type: Type<unknown>) => EqualityEstimate | undefined;
}

/** Estimates the cost of the expression. */
export function estimate(checked: CheckedExpression, options: EstimateOptions): Range {
  return new Estimation(checked, options).cost(checked.root);
}

const NAME_COST = exactly(1);
const LIST_COST = exactly(10);
const MAP_COST = exactly(30);
const STRUCT_COST = exactly(40);
const NO_COST = exactly(0);
/** The neutral element of unions. */
const NOTHING: Range = { min: UNBOUNDED, max: 0 };

/** The sizes of the content of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A comprehension variable. */
interface Local {
  readonly name: string;
  readonly path: VariablePath;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

interface Scope {
  readonly local: Local;
  readonly outer: Scope | undefined;
}

class Estimation {
  readonly #checked: CheckedExpression;
  readonly #options: EstimateOptions;
  readonly #paths = new Map<NodeId, VariablePath>();
  readonly #sizes = new Map<NodeId, Range>();
  readonly #entries = new Map<NodeId, EntrySizes>();
  #scope: Scope | undefined;

  constructor(checked: CheckedExpression, options: EstimateOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'constant':
        return NO_COST;
      case 'identifier':
        this.#paths.set(expression.id, this.#local(expression.name)?.path ?? VariablePath.of(expression.name));
        return NAME_COST;
      case 'select':
        return this.#selectCost(expression);
      case 'call':
        return this.#callCost(expression);
      case 'list':
        return this.#listCost(expression);
      case 'map':
        return this.#mapCost(expression);
      case 'struct':
        return expression.fields.reduce((sum, { value }) => add(sum, this.cost(value)), STRUCT_COST);
      case 'comprehension':
        return this.#options.followsSizes && isBinding(expression)
          ? this.#bindingCost(expression)
          : this.#comprehensionCost(expression);
    }
  }

  #selectCost(select: SelectExpression): Range {
    const operand = this.cost(select.operand);
    if (select.test) return add(exactly(this.#options.presenceTestCost), operand);
    this.#paths.set(select.id, this.#path(select.operand).append(select.field));
    const { kind } = this.#type(select.operand);
    return kind === 'map' || kind === 'struct' ? add(operand, NAME_COST) : operand;
  }

  #callCost(call: CallExpression): Range {
    const [first] = call.arguments;
    if (this.#options.followsSizes && call.function === 'dyn' && first !== undefined) {
      const cost = add(NAME_COST, this.cost(first));
      this.#copySizes(call, first);
      return cost;
    }
    const costs = call.arguments.map((argument) => this.cost(argument));
    const operands = call.arguments.map((argument) => this.#operand(argument));
    const overloads = this.#overloads(call);
    if (overloads === undefined) return NO_COST;
    if (call.target !== undefined) {
      costs.push(this.cost(call.target));
      operands.unshift(this.#operand(call.target));
    }
    const own = this.#overloadsCost(call, { overloads, operands });
    return operandsCost(call, costs, own);
  }

  /** The overloads of a call; undefined if it is not a call of a known function. */
  #overloads(call: CallExpression): readonly Overload[] | undefined {
    const reference = this.#checked.references.get(call.id);
    return reference?.kind === 'function' ? reference.overloads : undefined;
  }

  /** The cost of the call itself, over all its overloads. */
  #overloadsCost(call: CallExpression, candidates: Candidates): Range {
    if (candidates.overloads.length === 0) return NAME_COST;
    let cost = NOTHING;
    let size: Range | undefined;
    for (const overload of candidates.overloads) {
      const estimated = this.#overloadCost(call, overload, candidates.operands);
      cost = union(cost, estimated.cost);
      if (estimated.resultSize !== undefined) {
        size = size === undefined ? estimated.resultSize : union(size, estimated.resultSize);
      }
      const items = INDEXED_ITEMS.get(overload.id);
      const [indexed] = call.arguments;
      if (items !== undefined && indexed !== undefined) {
        if (this.#options.followsSizes) size = this.#entrySizes(indexed)?.value;
        this.#paths.set(call.id, this.#path(indexed).append(items));
      }
      if (this.#options.followsSizes) size ??= this.#size(call);
    }
    if (size !== undefined) this.#sizes.set(call.id, size);
    return cost;
  }

  #overloadCost(call: CallExpression, overload: Overload, operands: readonly Operand[]): CallEstimate {
    const [first, second, third] = call.arguments;
    if (CONCATENATIONS.has(overload.id)) this.#uniteEntries(call, first, second);
    if (call.function === OPERATORS.conditional) {
      this.#uniteEntries(call, second, third);
      return { cost: NO_COST, resultSize: union(operands[1]?.size ?? UNKNOWN_SIZE, operands[2]?.size ?? UNKNOWN_SIZE) };
    }
    const equality = call.function === OPERATORS.equals ? this.#equalityCost(operands) : undefined;
    return equality ?? overload.estimate?.(...operands) ?? { cost: exactly(1) };
  }

  /** A library's cost of comparing two values of its types. */
  #equalityCost([left, right]: readonly Operand[]): CallEstimate | undefined {
    if (left === undefined || right === undefined || left.type.name !== right.type.name) return undefined;
    const cost = this.#options.equality(left.type)?.(left, right);
    return cost && { cost };
  }

  /** The result of combining two lists or maps may contain elements of either. */
  #uniteEntries(call: CallExpression, one: Expression | undefined, other: Expression | undefined): void {
    const left = one && this.#entrySizes(one);
    const right = other && this.#entrySizes(other);
    if (left === undefined || right === undefined) return;
    const { container } = left;
    this.#entries.set(call.id, {
      container,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  #listCost(list: ListExpression): Range {
    let cost = NO_COST;
    let value = list.elements.length === 0 ? exactly(0) : NOTHING;
    for (const element of list.elements) {
      cost = add(cost, this.cost(element));
      value = union(value, this.#sizeOrUnknown(element));
    }
    this.#entries.set(list.id, { container: 'list', key: exactly(1), value });
    return add(cost, LIST_COST);
  }

  #mapCost(map: MapExpression): Range {
    let cost = NO_COST;
    let key = map.entries.length === 0 ? exactly(0) : NOTHING;
    let value = key;
    for (const entry of map.entries) {
      cost = add(cost, add(this.cost(entry.key), this.cost(entry.value)));
      key = union(key, this.#sizeOrUnknown(entry.key));
      value = union(value, this.#sizeOrUnknown(entry.value));
    }
    this.#entries.set(map.id, { container: 'map', key, value });
    return add(cost, MAP_COST);
  }

  #comprehensionCost(comprehension: ComprehensionExpression): Range {
    const { range, initial, step } = comprehension;
    const before = add(this.cost(range), this.cost(initial));
    const outer = this.#scope;
    if (this.#options.followsSizes) this.#bind(comprehension.accumulator, initial);
    const accumulating = this.#scope;
    this.#declareItems(comprehension);
    const item = add(this.cost(comprehension.condition), this.cost(step));
    this.#scope = accumulating;
    const result = this.cost(comprehension.result);
    this.#scope = outer;
    const count = this.#sizeOrUnknown(range);
    this.#setComprehensionSizes(comprehension, count);
    return add(add(before, result), multiply(count, item));
  }

  /** The variables of a comprehension: the items of a list or keys of a map; with two, index and item or key and value. */
  #declareItems({ range, variable, variable2 }: ComprehensionExpression): void {
    const { kind } = this.#type(range);
    if (!this.#options.followsSizes && kind !== 'list' && kind !== 'map') {
      this.#declare({ name: variable, path: VariablePath.EMPTY, size: undefined, entries: undefined });
      return;
    }
    const entries = this.#entrySizes(range);
    const isList = (entries?.container ?? this.#type(range).kind) === 'list';
    const path = this.#path(range);
    const declareKey = (name: string) =>
      this.#declare({ name, path: path.append(isList ? '@indices' : '@keys'), size: entries?.key, entries: undefined });
    const declareValue = (name: string) =>
      this.#declare({
        name,
        path: path.append(isList ? '@items' : '@values'),
        size: entries?.value,
        entries: undefined,
      });
    if (variable2 !== undefined) {
      declareKey(variable);
      declareValue(variable2);
    } else if (isList) {
      declareValue(variable);
    } else {
      declareKey(variable);
    }
  }

  #setComprehensionSizes(comprehension: ComprehensionExpression, count: Range): void {
    const { id, initial, step } = comprehension;
    if (!this.#options.followsSizes) this.#sizes.set(id, count);
    else if (initial.kind === 'constant') {
      const size = this.#size(initial);
      if (size !== undefined) this.#sizes.set(id, size);
    } else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#sizes.set(id, count);
      const entries = this.#entrySizes(step);
      if (entries !== undefined) this.#entries.set(id, entries);
    }
  }

  #bindingCost(binding: ComprehensionExpression): Range {
    const before = add(this.cost(binding.range), this.cost(binding.initial));
    const outer = this.#scope;
    this.#bind(binding.accumulator, binding.initial);
    const cost = add(before, this.cost(binding.result));
    this.#scope = outer;
    this.#copySizes(binding, binding.result);
    return cost;
  }

  #bind(name: string, value: Expression): void {
    const path = this.#path(value);
    this.#declare({ name, path, size: this.#size(value), entries: this.#entrySizes(value) });
  }

  #declare(local: Local): void {
    this.#scope = { local, outer: this.#scope };
  }

  #local(name: string): Local | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.local.name === name) return scope.local;
    }
    return undefined;
  }

  #operand(expression: Expression): Operand {
    return new EstimatedOperand(expression, {
      type: this.#type(expression),
      path: this.#path(expression),
      ...(this.#options.followsSizes
        ? { computedSize: this.#size(expression) }
        : { computedSize: this.#ownSize(expression), knownSize: this.#size(expression) }),
      sizes: this.#options.sizes,
    });
  }

  #type(expression: Expression): Type<unknown> {
    return this.#checked.types.get(expression.id) ?? DYN;
  }

  #path(expression: Expression): VariablePath {
    const local = expression.kind === 'identifier' ? this.#local(expression.name) : undefined;
    return local?.path ?? this.#paths.get(expression.id) ?? VariablePath.EMPTY;
  }

  #sizeOrUnknown(expression: Expression): Range {
    return this.#size(expression) ?? UNKNOWN_SIZE;
  }

  /** Computed from the expression, otherwise that of the variable, of the type, or of the bound expression. */
  #size(expression: Expression): Range | undefined {
    const known = this.#ownSize(expression);
    if (known !== undefined) return known;
    const type = this.#type(expression);
    const path = this.#path(expression);
    const told = this.#options.sizes?.size(path.length === 0 ? undefined : path.names(), type);
    if (!this.#options.followsSizes) return told ?? typeSize(type, false);
    if (told !== undefined) {
      this.#sizes.set(expression.id, told);
      return told;
    }
    return typeSize(type) ?? (expression.kind === 'identifier' ? this.#local(expression.name)?.size : undefined);
  }

  #ownSize(expression: Expression): Range | undefined {
    return this.#sizes.get(expression.id) ?? literalSize(expression);
  }

  #entrySizes(expression: Expression): EntrySizes | undefined {
    if (!this.#options.followsSizes) return undefined;
    const known = this.#entries.get(expression.id);
    if (known !== undefined || expression.kind !== 'identifier') return known;
    return this.#local(expression.name)?.entries;
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    const entries = this.#entrySizes(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }
}

interface Candidates {
  readonly overloads: readonly Overload[];
  readonly operands: readonly Operand[];
}

/** What an index reads from its operand, by overload. */
const INDEXED_ITEMS: ReadonlyMap<string, string> = new Map([
  ['index_list', '@items'],
  ['index_map', '@values'],
]);

const CONCATENATIONS: ReadonlySet<string> = new Set(['add_string', 'add_bytes', 'add_list']);

/** The costs of operands and of the call: `||`, `&&` and `?:` do not evaluate all of their operands. */
function operandsCost(call: CallExpression, costs: readonly Range[], own: Range): Range {
  const [first = NO_COST, second = NO_COST, third = NO_COST] = costs;
  switch (call.function) {
    case OPERATORS.and:
    case OPERATORS.or:
      return { min: first.min, max: add(first, second).max };
    case OPERATORS.conditional:
      return add(first, union(second, third));
    default:
      return costs.reduce(add, own);
  }
}

/** A comprehension over an empty list, which macros use to bind a name. */
function isBinding({ range, condition }: ComprehensionExpression): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'constant' &&
    condition.literal.value === false
  );
}
