// Declarations of an environment: functions by name, variables, types and constants. Derived declarations share
// content, because every rule of a schema has its own variables.

import type { EqualityEstimate, FunctionDeclaration, Library, Overload } from '../library/library.ts';
import { type StructDescription, type Type, type TypeProvider, typeOf } from '../types/type.ts';
import type { Value } from '../value/value.ts';

/** The meaning of a name. */
export interface Identifier {
  /** The full name. */
  readonly name: string;
  readonly type: Type<unknown>;
  /** Undefined for a variable, and for a type that can only be named. */
  readonly value: Value | undefined;
}

/** A function with its overloads, prepared for lookups. */
export interface DeclaredFunction {
  readonly name: string;
  readonly functions: readonly DeclaredOverload[];
  readonly methods: readonly DeclaredOverload[];
  /** The cost of a call whose overload is only known at run time; 1 by default. */
  readonly cost: FunctionDeclaration['cost'];
  readonly mixedLiterals: boolean;
  readonly validate: FunctionDeclaration['validate'];
}

export interface DeclaredOverload {
  readonly overload: Overload;
  /** The names of the type parameters in its signature. */
  readonly typeParameters: readonly string[];
}

interface DeclarationOptions {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly { readonly name: string; readonly type: Type<unknown> }[];
  /** Looked up before those of the libraries. */
  readonly types?: TypeProvider;
  readonly container?: string;
}

export class Declarations {
  readonly container: string;
  readonly #functions: ReadonlyMap<string, DeclaredFunction>;
  readonly #variables: ReadonlyMap<string, Identifier>;
  readonly #types: readonly TypeProvider[];
  /** Estimates of `==` by the name of a type. */
  readonly #equality: ReadonlyMap<string, EqualityEstimate>;
  /** The container and its enclosing namespaces, innermost first, each with a trailing dot, excluding the root. */
  readonly #namespaces: readonly string[];

  constructor(options: DeclarationOptions, base?: Declarations) {
    const libraries = options.libraries ?? [];
    const types = [options.types, ...libraries.map((library) => library.types)].filter((each) => each !== undefined);
    this.container = options.container ?? base?.container ?? '';
    this.#namespaces = namespacesOf(this.container);
    this.#functions = indexFunctions(libraries, base === undefined ? new Map() : base.#functions);
    this.#variables = indexVariables(options.variables ?? [], base === undefined ? new Map() : base.#variables);
    this.#equality = indexEquality(libraries, base === undefined ? new Map() : base.#equality);
    const inherited = base === undefined ? [] : base.#types;
    this.#types = types.length === 0 ? inherited : [...types, ...inherited];
  }

  /** The function of a name as written; a leading dot means the root. */
  findFunction(name: string): DeclaredFunction | undefined {
    return this.#resolve(name, (candidate) => this.#functions.get(candidate));
  }

  /**
   * The meaning of a name as written: in the innermost namespace that has it, and there a variable before a type,
   * before a constant.
   * @param local looks up comprehension variables, which take precedence
   */
  findIdentifier(name: string, local: (name: string) => Identifier | undefined): Identifier | undefined {
    return this.#resolve(name, (candidate) => local(candidate) ?? this.#identifier(candidate));
  }

  /** A struct type by its full name. */
  findStruct(name: string): StructDescription | undefined {
    for (const types of this.#types) {
      const struct = types.struct(name);
      if (struct !== undefined) return struct;
    }
    return undefined;
  }

  /** The estimated cost of comparing two values of a type, if its library defines it. */
  equalityEstimate(type: Type<unknown>): EqualityEstimate | undefined {
    return this.#equality.get(type.name);
  }

  #identifier(name: string): Identifier | undefined {
    const variable = this.#variables.get(name);
    if (variable !== undefined) return variable;
    const struct = this.findStruct(name);
    if (struct !== undefined) {
      // If no value of the type can be created by that name, the name is not a value either, as in cel-go.
      const isValue = struct.create !== undefined && struct.type.name === name;
      return { name, type: typeOf(struct.type), value: isValue ? struct.type : undefined };
    }
    for (const types of this.#types) {
      const constant = types.constant(name);
      if (constant !== undefined) return { name, type: constant.type, value: constant.value };
    }
    return undefined;
  }

  #resolve<T>(name: string, find: (candidate: string) => T | undefined): T | undefined {
    if (name.startsWith('.')) return find(name.slice(1));
    for (const namespace of this.#namespaces) {
      const found = find(namespace + name);
      if (found !== undefined) return found;
    }
    return find(name);
  }
}

function namespacesOf(container: string): readonly string[] {
  if (container === '') return [];
  const parts = container.split('.');
  return parts.map((_, index) => `${parts.slice(0, parts.length - index).join('.')}.`);
}

function indexVariables(
  variables: readonly { readonly name: string; readonly type: Type<unknown> }[],
  base: ReadonlyMap<string, Identifier>,
): ReadonlyMap<string, Identifier> {
  if (variables.length === 0) return base;
  const index = new Map(base);
  for (const { name, type } of variables) index.set(name, { name, type, value: undefined });
  return index;
}

function indexFunctions(
  libraries: readonly Library[],
  base: ReadonlyMap<string, DeclaredFunction>,
): ReadonlyMap<string, DeclaredFunction> {
  if (libraries.length === 0) return base;
  const index = new Map(base);
  for (const { functions } of libraries) {
    for (const declaration of functions) {
      index.set(declaration.name, merge(index.get(declaration.name), declaration));
    }
  }
  return index;
}

function indexEquality(
  libraries: readonly Library[],
  base: ReadonlyMap<string, EqualityEstimate>,
): ReadonlyMap<string, EqualityEstimate> {
  const added = libraries.flatMap((library) => [...(library.equality ?? [])]);
  return added.length === 0 ? base : new Map([...base, ...added]);
}

/** Adds a library's overloads to a function, replacing those with the same ID. */
function merge(existing: DeclaredFunction | undefined, added: FunctionDeclaration): DeclaredFunction {
  const functions = [...(existing?.functions ?? [])];
  const methods = [...(existing?.methods ?? [])];
  for (const overload of added.overloads) {
    const list = overload.method ? methods : functions;
    const declared = { overload, typeParameters: typeParametersOf([overload.result, ...overload.parameters]) };
    const place = list.findIndex((each) => each.overload.id === overload.id);
    if (place === -1) list.push(declared);
    else list[place] = declared;
  }
  return {
    name: added.name,
    functions,
    methods,
    cost: added.cost ?? existing?.cost,
    mixedLiterals: added.mixedLiterals ?? existing?.mixedLiterals ?? false,
    validate: added.validate ?? existing?.validate,
  };
}

function typeParametersOf(types: readonly Type<unknown>[]): readonly string[] {
  const names = new Set<string>();
  const collect = (type: Type<unknown>): void => {
    if (type.kind === 'parameter') names.add(type.name);
    type.parameters.forEach(collect);
  };
  types.forEach(collect);
  return [...names];
}
