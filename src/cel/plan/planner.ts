// The planner: turns an expression into closures. Names, operators and functions are resolved once, and constants are
// folded. Costs are those of cel-go's plan, which is why it is divided in the same way.

import type { CheckedExpression } from '../check/checked-expression.ts';
import type { Declarations, DeclaredFunction } from '../check/declarations.ts';
import type { Overload } from '../library/library.ts';
import {
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type IdentifierExpression,
  type ListExpression,
  type MapExpression,
  type NodeId,
  type ParsedExpression,
  qualifiedName,
  type SelectExpression,
  type StructExpression,
} from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import type { TypeKind } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { literalValue } from '../value/literal.ts';
import {
  type Attribute,
  extend,
  invalidKey,
  isKey,
  MissingAttribute,
  planPresenceTest,
  type Qualifier,
  resolution,
} from './attribute.ts';
import { planCall } from './call.ts';
import { type Callee, calleeOf, dispatchingCallee } from './callee.ts';
import { type Loop, planCollection, planExistsOne, planGeneralFold, planQuantifier } from './fold.ts';
import { type FoldShape, foldShape } from './fold-shape.ts';
import type { Planned } from './frame.ts';
import { planList, planMap, planStruct } from './literal.ts';
import { planLogic } from './logic.ts';
import { noSuchFunction } from './no-such-overload.ts';
import {
  attributeNode,
  attributeOf,
  branchOf,
  constantFrame,
  constantNode,
  folded,
  isOptionalOr,
  localRoot,
  type PlannedNode,
  planOr,
} from './planned-node.ts';
import { type Local, Scope, Slots } from './scope.ts';

interface PlanOptions {
  readonly declarations: Declarations;
  /** Whether literals of constants and conversions of them are evaluated during planning. */
  readonly foldConstants: boolean;
  readonly presenceTestCost: 0 | 1;
}

/**
 * Plans an expression, checked or only parsed.
 * Throws EvaluationError where constants fail to evaluate, or a pattern to compile: there is no program then.
 */
export function planExpression(
  expression: ParsedExpression | CheckedExpression,
  options: PlanOptions,
): { readonly planned: Planned; readonly slots: number } {
  const planner = new Planner('references' in expression ? expression : undefined, options);
  const planned = planner.planned(expression.root);
  return { planned, slots: planner.slots.count };
}

class Planner {
  readonly slots = new Slots();
  readonly #checked: CheckedExpression | undefined;
  readonly #options: PlanOptions;
  #scope: Scope | undefined;

  constructor(checked: CheckedExpression | undefined, options: PlanOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  planned(expression: Expression): Planned {
    return this.#plan(expression);
  }

  #plan(expression: Expression): PlannedNode {
    switch (expression.kind) {
      case 'constant':
        return constantNode(literalValue(expression.literal));
      case 'identifier':
        return this.#planIdentifier(expression);
      case 'select':
        return this.#planSelect(expression);
      case 'call':
        return this.#planCall(expression);
      case 'list':
        return this.#planList(expression);
      case 'map':
        return this.#planMap(expression);
      case 'struct':
        return this.#planStruct(expression);
      case 'comprehension':
        return { ...this.#planFold(expression), kind: undefined };
    }
  }

  #planIdentifier({ id, name }: IdentifierExpression): PlannedNode {
    const reference = this.#checked?.references.get(id);
    if (reference?.kind === 'identifier' && reference.value !== undefined) return constantNode(reference.value);
    if (this.#checked === undefined) return this.#unresolved(name);
    if (this.#checked.types.get(id)?.kind === 'type') {
      // As in cel-go, which looks for a type even by the name of a comprehension's variable.
      throw new EvaluationError(`reference to undefined type: ${name}`);
    }
    const root = this.#root(name.startsWith('.') ? name.slice(1) : name);
    return attributeNode({ kind: 'root', root, qualifiers: [] });
  }

  /** Reads a name that is a variable. */
  #root(name: string): Planned {
    const local = this.#scope?.find(name);
    if (local !== undefined) return localRoot(local);
    const slot = this.slots.variable(name);
    const missing = new MissingAttribute([name]);
    return {
      cost: 0,
      step: (frame) => {
        const known = frame.slots[slot];
        if (known !== undefined) return known;
        const loaded = frame.load(slot, name);
        return loaded === undefined ? missing : loaded;
      },
    };
  }

  /** A name that was not checked: any of its candidates, with as many of the following fields as form a variable. */
  #unresolved(name: string): PlannedNode {
    const names = candidates(this.#options.declarations.container, name);
    const scope = this.#scope;
    const rootOf = (candidateNames: readonly string[]) => this.#candidateRoot(candidateNames, scope);
    const attribute: Attribute & { readonly kind: 'root' } = { kind: 'root', root: rootOf(names), qualifiers: [] };
    return attributeNode({ kind: 'alternatives', attributes: [attribute], names, rootOf });
  }

  #candidateRoot(names: readonly string[], scope: Scope | undefined): Planned {
    const { declarations } = this.#options;
    const missing = new MissingAttribute(names);
    const known = names.map((name) => {
      const local = scope?.find(name);
      const value = declarations.findIdentifier(`.${name}`, () => undefined)?.value;
      return { name, local: local && localRoot(local), slot: this.slots.variable(name), value };
    });
    return {
      cost: 0,
      step: (frame) => {
        for (const { name, local, slot, value } of known) {
          if (local !== undefined) return local.step(frame);
          const found = frame.load(slot, name);
          if (found !== undefined) return found;
          if (value !== undefined) return value;
        }
        return missing;
      },
    };
  }

  #planSelect({ operand, field, test }: SelectExpression): PlannedNode {
    const qualifier: Qualifier = { constant: field, computed: undefined, optional: false };
    const attribute = extend(attributeOf(this.#plan(operand)), qualifier);
    if (!test) return attributeNode(attribute);
    return {
      ...planPresenceTest(attribute, this.#options.presenceTestCost),
      attribute,
      presence: true,
      kind: undefined,
    };
  }

  #planIndex([operand, index]: readonly Expression[], optional: boolean): PlannedNode {
    const attribute = attributeOf(this.#plan(operand!));
    const key = this.#plan(index!);
    if (key.constant !== undefined) {
      if (!isKey(key.constant)) throw invalidKey(key.constant);
      return attributeNode(extend(attribute, { constant: key.constant, computed: undefined, optional }));
    }
    const computed = key.attribute === undefined ? key : resolution(key.attribute, key.presence);
    return attributeNode(extend(attribute, { constant: undefined, computed, optional }));
  }

  #planCall(expression: CallExpression): PlannedNode {
    const operands = expression.arguments;
    switch (expression.function) {
      case OPERATORS.and:
      case OPERATORS.or: {
        const [left, right] = operands as readonly [Expression, Expression];
        const deciding = expression.function === OPERATORS.or;
        return { ...planLogic(this.#plan(left), this.#plan(right), deciding), kind: 'bool' };
      }
      case OPERATORS.conditional:
        return this.#planConditional(operands);
      case OPERATORS.index:
        return this.#planIndex(operands, false);
      case OPERATORS.optionalIndex:
      case OPERATORS.optionalSelect:
        return this.#planIndex(operands, true);
      default:
        return this.#planFunction(expression);
    }
  }

  #planConditional(operands: readonly Expression[]): PlannedNode {
    const [condition, truthy, falsy] = operands.map((operand) => this.#plan(operand)) as [
      PlannedNode,
      PlannedNode,
      PlannedNode,
    ];
    return attributeNode({ kind: 'conditional', condition, truthy: branchOf(truthy), falsy: branchOf(falsy) });
  }

  #planFunction(expression: CallExpression): PlannedNode {
    const { name, target, declared } = this.#resolve(expression);
    const all = target === undefined ? expression.arguments : [target, ...expression.arguments];
    const operands = all.map((operand) => this.#plan(operand));
    const callee = this.#callee({ expression, name, declared, operands });
    if (isOptionalOr(callee, name) && operands.length === 2) return planOr(operands, name === 'orValue');
    const planned: PlannedNode = { ...planCall(callee, operands), kind: callee.resultKind };
    return this.#options.foldConstants ? folded(planned, { callee, operands }) : planned;
  }

  /** The function that is called; a name in front of it may be the namespace of a function, not an operand. */
  #resolve({ function: name, target }: CallExpression): {
    readonly name: string;
    readonly target: Expression | undefined;
    readonly declared: DeclaredFunction | undefined;
  } {
    const { declarations } = this.#options;
    if (this.#checked === undefined && target !== undefined) {
      const namespace = qualifiedName(target);
      const declared = namespace && declarations.findFunction(`${namespace}.${name}`);
      if (declared) return { name: declared.name, target: undefined, declared };
    }
    return { name, target, declared: declarations.findFunction(name) };
  }

  #callee(call: {
    readonly expression: CallExpression;
    readonly name: string;
    readonly declared: DeclaredFunction | undefined;
    readonly operands: readonly PlannedNode[];
  }): Callee {
    const { name, declared, operands } = call;
    const isEquality = name === OPERATORS.equals || name === OPERATORS.notEquals;
    const overload = isEquality ? declared?.functions[0]?.overload : this.#overload(call.expression.id);
    if (overload !== undefined) return calleeOf(name, overload, operands);
    if (declared === undefined && operands.length === 0) throw noSuchFunction(`${name}()`);
    return dispatchingCallee(name, declared);
  }

  /** The one overload that the operands' types leave. */
  #overload(id: NodeId): Overload | undefined {
    const reference = this.#checked?.references.get(id);
    return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  }

  #planList({ elements, optional }: ListExpression): PlannedNode {
    const optionals = new Set(optional);
    const nodes = elements.map((element) => this.#plan(element));
    const planned = planList(nodes.map((node, index) => ({ planned: node, optional: optionals.has(index) })));
    return this.#literal(planned, nodes, 'list');
  }

  #planMap({ entries }: MapExpression): PlannedNode {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.#plan(key),
      planned: this.#plan(value),
      optional,
    }));
    return this.#literal(
      planMap(parts),
      parts.flatMap(({ key, planned }) => [key, planned]),
      'map',
    );
  }

  /** Literals of constants are constants. */
  #literal(planned: Planned, parts: readonly PlannedNode[], kind: TypeKind): PlannedNode {
    const isConstant = this.#options.foldConstants && parts.every((part) => part.constant !== undefined);
    const value = isConstant ? planned.step(constantFrame()) : undefined;
    return value === undefined || value instanceof EvaluationError ? { ...planned, kind } : constantNode(value);
  }

  #planStruct({ id, typeName, fields }: StructExpression): PlannedNode {
    const reference = this.#checked?.references.get(id);
    const names =
      reference?.kind === 'identifier' ? [reference.name] : candidates(this.#options.declarations.container, typeName);
    const struct = names
      .map((name) => this.#options.declarations.findStruct(name))
      .find((found) => found !== undefined);
    if (struct?.create === undefined) throw new EvaluationError(`unknown type: ${typeName}`);
    const parts = fields.map(({ name, value, optional }) => ({ name, planned: this.#plan(value), optional }));
    return { ...planStruct(parts, struct.create), kind: undefined };
  }

  #planFold(fold: ComprehensionExpression): Planned {
    const range = this.#plan(fold.range);
    const item = this.slots.add();
    const second = fold.variable2 === undefined ? undefined : this.slots.add();
    const loop: Loop = { range, item, second };
    const names = new Map<string, Local>([[fold.variable, { slot: item, initial: undefined }]]);
    if (fold.variable2 !== undefined) names.set(fold.variable2, { slot: second!, initial: undefined });
    const shape = foldShape(fold);
    return shape === undefined
      ? this.#planGeneral(fold, loop, names)
      : this.#within(new Scope(names, this.#scope), () => this.#planShape(shape, loop));
  }

  #planGeneral(fold: ComprehensionExpression, loop: Loop, names: Map<string, Local>): Planned {
    const initial = this.#plan(fold.initial);
    const accumulator: Local = { slot: this.slots.add(), initial };
    const result = this.#within(new Scope(new Map([[fold.accumulator, accumulator]]), this.#scope), () =>
      this.#plan(fold.result),
    );
    names.set(fold.accumulator, accumulator);
    return this.#within(new Scope(names, this.#scope), () =>
      planGeneralFold(loop, {
        condition: this.#plan(fold.condition),
        step: this.#plan(fold.step),
        result,
        accumulator: accumulator.slot,
      }),
    );
  }

  #planShape(shape: FoldShape, loop: Loop): Planned {
    switch (shape.kind) {
      case 'all':
      case 'exists':
        return planQuantifier(loop, this.#plan(shape.predicate), shape.kind === 'exists');
      case 'existsOne':
        return planExistsOne(loop, this.#plan(shape.predicate));
      case 'list':
        return this.#planListShape(shape, loop);
    }
  }

  /** Each item is put into a list of one, which costs as any list, and added to the accumulator. */
  #planListShape({ filter, item }: FoldShape & { readonly kind: 'list' }, loop: Loop): Planned {
    const { foldConstants } = this.#options;
    const node = this.#plan(item);
    const isConstant = foldConstants && node.constant !== undefined;
    return planCollection(loop, {
      filter: filter && this.#plan(filter),
      cost: isConstant ? 2 : 12,
      item: node,
      initialCost: foldConstants ? 0 : 10,
    });
  }

  #within<T>(scope: Scope, plan: () => T): T {
    const outer = this.#scope;
    this.#scope = scope;
    try {
      return plan();
    } finally {
      this.#scope = outer;
    }
  }
}

/**
 * Returns the candidates of a name in a namespace: from the innermost out, or only the exact name with a leading dot.
 */
function candidates(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  if (container === '') return [name];
  const parts = container.split('.');
  return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join('.')}.${name}`), name];
}
