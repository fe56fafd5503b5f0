// Unification of types: compatibility, and bindings of type parameters in an expression. Typing is gradual: `dyn` is
// compatible with everything, and parameters are bound to the most general type seen.

import { DYN, Type } from './type.ts';
import { isDynOrError, isNullable, isSameType, mostGeneral, type Step, withoutNull } from './type-relations.ts';

/** The bindings of type parameters within one expression. */
export class Unifier {
  readonly #bindings = new Map<string, Type<unknown>>();
  /**
   * Bindings made by the current comparison, oldest first, with the previous ones: undone if its types do not match.
   */
  readonly #trail: { readonly name: string; readonly before: Type<unknown> | undefined }[] = [];
  readonly #step: Step;
  #parameters = 0;

  /** @param steps how many parts of types may be looked at in all; beyond that every method throws TypesTooLarge */
  constructor(steps: number) {
    let left = steps;
    this.#step = () => {
      if (left-- <= 0) throw new TypesTooLarge();
    };
  }

  /** A parameter that nothing else has. */
  freshParameter(): Type<unknown> {
    return new Type('parameter', `_var${this.#parameters++}`);
  }

  /** Whether a value of one type is assignable to the other; binds parameters only if so. */
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

  isSame(one: Type<unknown>, other: Type<unknown>): boolean {
    return isSameType(one, other, this.#step);
  }

  /** Of two types that agree the one that says less. */
  mostGeneral(one: Type<unknown>, other: Type<unknown>): Type<unknown> {
    return mostGeneral(one, other, this.#step);
  }

  /** Returns the type with its parameters replaced by their bindings; unbound ones stay. */
  resolve(type: Type<unknown>): Type<unknown> {
    return this.#resolve(type, undefined);
  }

  /** As `resolve`, with unbound parameters as `dyn`. */
  resolveFully(type: Type<unknown>): Type<unknown> {
    return this.#resolve(type, DYN);
  }

  /** Visits all parts of a type before it is recorded. */
  walk(type: Type<unknown>): void {
    this.#step();
    for (const inner of type.parameters) this.walk(inner);
  }

  #resolve(type: Type<unknown>, unbound: Type<unknown> | undefined): Type<unknown> {
    this.#step();
    if (type.kind === 'parameter') {
      const bound = this.#bindings.get(type.name);
      return bound === undefined ? (unbound ?? type) : this.#resolve(bound, unbound);
    }
    return withParameters(type, (inner) => this.#resolve(inner, unbound));
  }

  #agrees(from: Type<unknown>, to: Type<unknown>): boolean {
    this.#step();
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

  /**
   * Whether the parameter can be bound to the type; it is then bound to the more general of it and its previous
   * binding.
   */
  #bind(parameter: Type<unknown>, type: Type<unknown>): boolean {
    if (this.isSame(parameter, type)) return true;
    const bound = this.#bindings.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return false;
      this.#set(parameter.name, type);
      return true;
    }
    if (this.isSame(type, bound)) return true;
    if (!this.#agrees(type, bound)) return false;
    const general = this.mostGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#set(parameter.name, general);
    return true;
  }

  /** Whether binding the parameter to the type would make it contain itself. */
  #occurs(parameter: Type<unknown>, type: Type<unknown>): boolean {
    this.#step();
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

/** Thrown when typing an expression takes more steps than any sensible one does. */
export class TypesTooLarge {}

/** Returns a type with other parameters; the type itself if they are equal. */
export function withParameters(
  type: Type<unknown>,
  replace: (parameter: Type<unknown>) => Type<unknown>,
): Type<unknown> {
  if (type.parameters.length === 0) return type;
  let changed = false;
  const parameters = type.parameters.map((inner) => {
    const replaced = replace(inner);
    changed ||= replaced !== inner;
    return replaced;
  });
  return changed ? new Type(type.kind, type.name, parameters) : type;
}
