// Attributes: variables and selections from them, such as `self.spec.names[0]`, a root followed by qualifiers. Costs
// are cel-go's: one for the root, if it is read for its own sake, and one for each evaluated qualifier.

import { lookup } from '../../base/lookup.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { Double, MapValue, Optional, StructValue, Uint, type Value } from '../value/value.ts';
import { asResult, type Frame, NO_SUCH_OVERLOAD, type Planned, type Result, type Step } from './frame.ts';
import { qualify, qualifyIfPresent } from './qualifier.ts';

/** One step of an attribute. */
export interface Qualifier {
  /** The key, if it is a constant. */
  readonly constant: Value | undefined;
  /** Computes the key; its cost is that of its evaluation. */
  readonly computed: Planned | undefined;
  /** Written `.?` or `[?…]`. */
  readonly optional: boolean;
}

export type Attribute =
  | {
      readonly kind: 'root';
      /** The additional cost of reading the root: 0 for a variable. */
      readonly root: Planned;
      readonly qualifiers: readonly Qualifier[];
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Planned;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    }
  | {
      readonly kind: 'alternatives';
      /** Tried one after the other, while their roots are missing. */
      readonly attributes: readonly RootAttribute[];
      /** The possible names of the root without qualifiers. */
      readonly names: readonly string[] | undefined;
      /** Returns the root with one of several names. */
      readonly rootOf: (names: readonly string[]) => Planned;
    };

type RootAttribute = Attribute & { readonly kind: 'root' };

/** The attribute with one more step. */
export function extend(attribute: Attribute, qualifier: Qualifier): Attribute {
  switch (attribute.kind) {
    case 'root':
      return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
    case 'conditional':
      return {
        ...attribute,
        truthy: extend(attribute.truthy, qualifier),
        falsy: extend(attribute.falsy, qualifier),
      };
    case 'alternatives':
      return extendAlternatives(attribute, qualifier);
  }
}

/** A field may as well be the rest of a qualified name, which is tried first. */
function extendAlternatives(
  { attributes, names, rootOf }: Attribute & { readonly kind: 'alternatives' },
  qualifier: Qualifier,
): Attribute {
  const extended = attributes.map((each) => extend(each, qualifier) as RootAttribute);
  const { constant } = qualifier;
  if (names === undefined || typeof constant !== 'string') {
    return { kind: 'alternatives', attributes: extended, names: undefined, rootOf };
  }
  const longer = names.map((name) => `${name}.${constant}`);
  const whole: RootAttribute = { kind: 'root', root: rootOf(longer), qualifiers: [] };
  return { kind: 'alternatives', attributes: [whole, ...extended], names: longer, rootOf };
}

/** The attribute looked at for its own sake: a conditional one is free, others cost one. */
export function planAttribute(attribute: Attribute): Planned {
  const { cost, step } = resolution(attribute);
  return { cost: cost + (attribute.kind === 'conditional' ? 0 : 1), step };
}

/**
 * `has()`: whether the last qualifier can be resolved.
 * @param cost 1 or 0: the cost of looking at the attribute. In cel-go the 0 results from subtracting 1, which it also
 *   subtracts for a conditional, although looking at that was free
 */
export function planPresenceTest(attribute: Attribute, cost: number): Planned {
  const resolved = resolution(attribute, true);
  const step: Step = (frame) => {
    const result = resolved.step(frame);
    return result instanceof Optional ? result.value !== undefined : result;
  };
  return { cost: resolved.cost + cost - (attribute.kind === 'conditional' ? 1 : 0), step };
}

/** The value of an attribute without the cost of its being looked at, as in the branches of a conditional. */
export function resolution(attribute: Attribute, presence = false): Planned {
  switch (attribute.kind) {
    case 'root':
      return rootResolution(attribute.root, attribute.qualifiers, presence);
    case 'conditional':
      return conditionalResolution(attribute, presence);
    case 'alternatives':
      return alternativesResolution(
        attribute.attributes.map((each) => rootResolution(each.root, each.qualifiers, presence)),
      );
  }
}

function conditionalResolution(attribute: Attribute & { readonly kind: 'conditional' }, presence: boolean): Planned {
  const condition = attribute.condition.step;
  const truthy = resolution(attribute.truthy, presence);
  const falsy = resolution(attribute.falsy, presence);
  return {
    cost: attribute.condition.cost,
    step: (frame) => {
      const holds = condition(frame);
      if (holds === true) {
        frame.cost += truthy.cost;
        return truthy.step(frame);
      }
      if (holds === false) {
        frame.cost += falsy.cost;
        return falsy.step(frame);
      }
      return holds instanceof EvaluationError ? holds : NO_SUCH_OVERLOAD;
    },
  };
}

/** A name that is neither a variable nor anything else. */
export class MissingAttribute extends EvaluationError {
  constructor(names: readonly string[]) {
    super(`no such attribute(s): ${names.join(', ')}`);
  }
}

function alternativesResolution(alternatives: readonly Planned[]): Planned {
  return {
    cost: 0,
    step: (frame) => {
      let missing: Result | undefined;
      for (const { cost, step } of alternatives) {
        const before = frame.cost;
        frame.cost += cost;
        const result = step(frame);
        if (!(result instanceof MissingAttribute)) return result;
        frame.cost = before;
        missing ??= result;
      }
      return missing!;
    },
  };
}

function rootResolution(root: Planned, qualifiers: readonly Qualifier[], presence: boolean): Planned {
  if (qualifiers.length === 0) return root;
  const isPlain = !presence && qualifiers.every(({ computed, optional }) => computed === undefined && !optional);
  if (isPlain && qualifiers.every(({ constant }) => typeof constant === 'string')) {
    return fieldPath(
      root,
      qualifiers.map(({ constant }) => constant as string),
    );
  }
  const path = new QualifierPath(qualifiers, presence);
  return { cost: root.cost, step: (frame) => path.apply(frame, root.step(frame)) };
}

/** Constant fields, one after the other: the commonest attribute by far, and mostly of one or two of them. */
function fieldPath(root: Planned, fields: readonly string[]): Planned {
  const path = new QualifierPath(
    fields.map((constant) => ({ constant, computed: undefined, optional: false })),
    false,
  );
  const { cost, step: rootStep } = root;
  const [first, second] = fields as [string, string];
  if (fields.length > 2) return { cost, step: (frame) => path.apply(frame, rootStep(frame)) };
  const direct =
    fields.length === 1 ? fieldOf : (object: Result, field: string) => fieldOf(fieldOf(object, field), second);
  return {
    cost,
    step: (frame) => {
      const object = rootStep(frame);
      const value = direct(object, first);
      if (value === undefined) return path.apply(frame, object);
      frame.cost += fields.length;
      return value;
    },
  };
}

/** Returns a field of a map or struct; undefined if it is missing, if reading it fails, and for anything else. */
function fieldOf(object: Result | undefined, field: string): Value | undefined {
  if (!(object instanceof MapValue || object instanceof StructValue)) return undefined;
  try {
    return object.get(field);
  } catch (error) {
    asResult(error);
    return undefined;
  }
}

/** Any sequence of qualifiers, charged one by one as they are evaluated. */
class QualifierPath {
  readonly #qualifiers: readonly Qualifier[];
  /** Whether the last one is only tested for presence. */
  readonly #presence: boolean;

  constructor(qualifiers: readonly Qualifier[], presence: boolean) {
    this.#qualifiers = qualifiers;
    this.#presence = presence;
  }

  apply(frame: Frame, root: Result): Result {
    if (root instanceof EvaluationError) return root;
    let object: Value = root;
    let optional = false;
    if (root instanceof Optional) {
      if (root.value === undefined) return root;
      object = root.value;
      optional = true;
    }
    const last = this.#qualifiers.length - 1;
    for (let i = 0; i <= last; i++) {
      const qualifier = this.#qualifiers[i]!;
      optional ||= qualifier.optional;
      const key = keyOf(frame, qualifier);
      if (key instanceof EvaluationError) {
        if (!optional) frame.cost += 1;
        return key;
      }
      const testsPresence = this.#presence && i === last;
      const result = optional || testsPresence ? qualifyIfPresent(object, key) : qualify(object, key);
      if (result instanceof EvaluationError) {
        if (!optional) frame.cost += 1;
        return result;
      }
      if (result === undefined && optional) return NONE;
      frame.cost += 1;
      object = testsPresence ? result !== undefined : result!;
    }
    return optional ? new Optional(object) : object;
  }
}

const NONE = new Optional(undefined);

function keyOf(frame: Frame, { constant, computed }: Qualifier): Result {
  if (computed === undefined) return constant as Value;
  frame.cost += computed.cost;
  const key = computed.step(frame);
  if (key instanceof EvaluationError || isKey(key)) return key;
  return invalidKey(key);
}

/** The error for a value that cannot be indexed. */
export function invalidKey(key: Value): EvaluationError {
  const { name } = runtimeType(key);
  return new EvaluationError(`invalid qualifier type: ${GO_TYPES[name] ?? name}`);
}

/** Go's names of the types of values that cannot be keys. */
const GO_TYPES: Readonly<Record<string, string | undefined>> = lookup({
  bytes: 'types.Bytes',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
  list: '*types.baseList',
  map: '*types.baseMap',
  null_type: 'types.Null',
  type: '*types.Type',
});

/** Whether maps and lists can be indexed with a value. */
export function isKey(value: Value): boolean {
  return typeof value !== 'object' || value instanceof Uint || value instanceof Double;
}
