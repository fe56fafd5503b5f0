// Which types agree, and what the type parameters of one expression stand for. Typing is gradual: `dyn` agrees with
// everything, and an expression's parameters are bound to the most general type that they were seen with.

import { DYN, Type } from './type.ts';

/** The bindings of type parameters within one expression. */
export class Unifier {
  readonly #bindings = new Map<string, Type<unknown>>();
  /** What the question at hand has bound, oldest first, and to what before: undone when its types don't agree. */
  readonly #trail: { readonly name: string; readonly before: Type<unknown> | undefined }[] = [];
  #parameters = 0;

  /** A parameter that nothing else has. */
  freshParameter(): Type<unknown> {
    return new Type('parameter', `_var${this.#parameters++}`);
  }

  /** Whether a value of one type can stand where the other is asked for; binds parameters only if so. */
  isAssignable(from: Type<unknown>, to: Type<unknown>): boolean {
    if (from === to) return true;
    this.#trail.length = 0;
    return this.#agrees(from, to) || this.#undo();
  }

  /** `isAssignable` of each pair; lists of different lengths do not agree. */
  areAssignable(from: readonly Type<unknown>[], to: readonly Type<unknown>[]): boolean {
    this.#trail.length = 0;
    return this.#allAgree(from, to) || this.#undo();
  }

  /** The type with its parameters replaced by what they are bound to; unbound ones stay. */
  resolve(type: Type<unknown>): Type<unknown> {
    return replaceParameters(type, (parameter) => {
      const bound = this.#bindings.get(parameter.name);
      return bound === undefined ? parameter : this.resolve(bound);
    });
  }

  /** As `resolve`, and what is unbound is `dyn`. */
  resolveFully(type: Type<unknown>): Type<unknown> {
    return replaceParameters(type, (parameter) => {
      const bound = this.#bindings.get(parameter.name);
      return bound === undefined ? DYN : this.resolveFully(bound);
    });
  }

  #agrees(from: Type<unknown>, to: Type<unknown>): boolean {
    if (to.kind === 'parameter') {
      if (this.#bind(to, from)) return true;
      if (this.#bindings.has(to.name)) return false;
    }
    if (from.kind === 'parameter') return this.#bind(from, to);
    if (isDynOrError(from) || isDynOrError(to)) return true;
    if (from.kind === 'null') return isNullable(to);
    if (to.kind === 'null') return isNullable(from);
    if (from.kind === 'type') return to.kind === 'type';
    const left = withoutNull(from);
    const right = withoutNull(to);
    return left.kind === right.kind && left.name === right.name && this.#allAgree(left.parameters, right.parameters);
  }

  #allAgree(from: readonly Type<unknown>[], to: readonly Type<unknown>[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#agrees(type, to[index]!));
  }

  /** Whether the parameter can stand for the type; it then stands for the more general of it and what it stood for. */
  #bind(parameter: Type<unknown>, type: Type<unknown>): boolean {
    if (isSameType(parameter, type)) return true;
    const bound = this.#bindings.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return false;
      this.#set(parameter.name, type);
      return true;
    }
    if (isSameType(type, bound)) return true;
    if (!this.#agrees(type, bound)) return false;
    const general = mostGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#set(parameter.name, general);
    return true;
  }

  /** Whether binding the parameter to the type would make it contain itself. */
  #occurs(parameter: Type<unknown>, type: Type<unknown>): boolean {
    if (type.kind !== 'parameter') return type.parameters.some((inner) => this.#occurs(parameter, inner));
    if (type.name === parameter.name) return true;
    const bound = this.#bindings.get(type.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }

  #set(name: string, type: Type<unknown>): void {
    this.#trail.push({ name, before: this.#bindings.get(name) });
    this.#bindings.set(name, type);
  }

  #undo(): false {
    for (const { name, before } of this.#trail.reverse()) {
      if (before === undefined) this.#bindings.delete(name);
      else this.#bindings.set(name, before);
    }
    return false;
  }
}

/** The type with each parameter in it replaced; the type itself where it has none. */
export function replaceParameters(
  type: Type<unknown>,
  replacement: (parameter: Type<unknown>) => Type<unknown>,
): Type<unknown> {
  if (type.kind === 'parameter') return replacement(type);
  if (type.parameters.length === 0) return type;
  let changed = false;
  const parameters = type.parameters.map((inner) => {
    const replaced = replaceParameters(inner, replacement);
    changed ||= replaced !== inner;
    return replaced;
  });
  return changed ? new Type(type.kind, type.name, parameters) : type;
}

/** Whether both are the same type; a type and its wrapper are, as nothing but null tells them apart. */
export function isSameType(one: Type<unknown>, other: Type<unknown>): boolean {
  if (one === other) return true;
  const left = withoutNull(one);
  const right = withoutNull(other);
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((inner, index) => isSameType(inner, right.parameters[index]!))
  );
}

/** Of two types that agree the one that says less. */
export function mostGeneral(one: Type<unknown>, other: Type<unknown>): Type<unknown> {
  return isAtMostAsSpecific(one, other) ? one : other;
}

export function isDyn(type: Type<unknown>): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type<unknown>): boolean {
  return type.kind === 'error' || isDyn(type);
}

/** What an optional may hold; undefined for any other type. */
export function optionalContent(type: Type<unknown>): Type<unknown> | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

function isAtMostAsSpecific(one: Type<unknown>, other: Type<unknown>): boolean {
  if (isDyn(one) || one.kind === 'parameter') return true;
  if (isDyn(other) || other.kind === 'parameter') return false;
  const left = withoutNull(one);
  const right = withoutNull(other);
  if (left.kind !== right.kind) return false;
  if (left.kind === 'type') return true;
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((inner, index) => isAtMostAsSpecific(inner, right.parameters[index]!))
  );
}

/** Null is a value of wrappers, and stands for what a message or an opaque value is when it is not there. */
function isNullable(type: Type<unknown>): boolean {
  switch (type.kind) {
    case 'null':
    case 'wrapper':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return false;
  }
}

function withoutNull(type: Type<unknown>): Type<unknown> {
  return type.kind === 'wrapper' ? type.parameters[0]! : type;
}
