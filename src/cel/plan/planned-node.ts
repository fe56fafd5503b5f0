// A planned node of an expression: its step, and what enclosing nodes need to know about it during planning.

import type { TypeKind } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { ListValue, Optional, type Value } from '../value/value.ts';
import { type Attribute, planAttribute, resolution } from './attribute.ts';
import type { Callee } from './callee.ts';
import { accumulatorStep } from './fold.ts';
import { constant, Frame, type Planned } from './frame.ts';
import { planMembership } from './membership.ts';
import type { Local } from './scope.ts';

/** A planned node, with what its enclosing nodes need to know. */
export interface PlannedNode extends Planned {
  /** The value, if it is already known. */
  readonly constant?: Value;
  /** The attribute that further qualifiers extend. */
  readonly attribute?: Attribute;
  /** Whether the attribute is only tested for presence. */
  readonly presence?: boolean;
  /** The kind of all its results except errors, if known. */
  readonly kind: TypeKind | undefined;
}

/** Functions that are evaluated while planning if their operand is a constant. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

const OPTIONAL_OR: ReadonlySet<string> = new Set(['optional_or_optional', 'optional_orValue_value']);

export function constantNode(value: Value): PlannedNode {
  return { ...constant(value), kind: runtimeType(value).kind };
}

export function attributeNode(attribute: Attribute): PlannedNode {
  return { ...planAttribute(attribute), attribute, kind: undefined };
}

/** Returns the attribute that qualifiers of a node extend: the node itself, or a new one with it as its root. */
export function attributeOf(node: PlannedNode): Attribute {
  return node.attribute !== undefined && node.presence !== true
    ? node.attribute
    : { kind: 'root', root: node, qualifiers: [] };
}

/** A branch of a conditional: an attribute is not looked at for its own sake there, which would cost one. */
export function branchOf(node: PlannedNode): Attribute {
  return node.attribute !== undefined && node.presence === true
    ? { kind: 'root', root: resolution(node.attribute, true), qualifiers: [] }
    : attributeOf(node);
}

export function localRoot({ slot, initial }: Local): Planned {
  return { cost: 0, step: initial === undefined ? (frame) => frame.slots[slot]! : accumulatorStep(slot, initial) };
}

export function isOptionalOr({ id }: Callee, name: string): boolean {
  return id === undefined ? name === 'or' || name === 'orValue' : OPTIONAL_OR.has(id);
}

/** `or` and `orValue` look at their second operand only where the first is none, and are free themselves. */
export function planOr([left, right]: readonly PlannedNode[], isValue: boolean): PlannedNode {
  return {
    cost: left!.cost,
    kind: undefined,
    step: (frame) => {
      const first = left!.step(frame);
      if (!(first instanceof Optional)) return first;
      if (first.value !== undefined) return isValue ? first.value : first;
      frame.cost += right!.cost;
      return right!.step(frame);
    },
  };
}

/** Returns the call, or its result if its operands are constants. */
export function folded(
  planned: PlannedNode,
  { callee, operands }: { readonly callee: Callee; readonly operands: readonly PlannedNode[] },
): PlannedNode {
  const [first, second] = operands;
  if (operands.length === 1 && CONVERSIONS.has(callee.name) && first!.constant !== undefined) {
    const value = planned.step(constantFrame());
    if (value instanceof EvaluationError) throw value;
    return constantNode(value);
  }
  if (callee.id === 'in_list' && second!.constant instanceof ListValue) {
    if (second!.constant.size === 0) return constantNode(false);
    const membership = planMembership(first!, second!.constant);
    if (membership !== undefined) return { ...membership, kind: 'bool' };
  }
  return planned;
}

/** For expressions without variables. */
export function constantFrame(): Frame {
  return new Frame({ slots: 0, limit: Number.POSITIVE_INFINITY, interrupted: undefined }, () => undefined);
}
