// A compiled MutatingAdmissionPolicy: its expressions are compiled once, at the first request that it matches.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import { listOf, type Type } from '../../cel/types/type.ts';
import { admissionEnvironments } from '../../expressions/admission-environment.ts';
import { type Environments, STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { JSON_PATCH_TYPE } from '../../expressions/json-patch.ts';
import { PATCH_OBJECT_TYPE } from '../../expressions/patch-object.ts';
import { at, listAt, textAt } from '../../resources/value.ts';
import { AdmissionPolicy, compile, compileConditions, compileVariables, type Expression } from './policy.ts';

/** How the value of an expression changes an object. */
type PatchType = 'ApplyConfiguration' | 'JSONPatch';

export interface Mutation extends Expression {
  readonly patchType: PatchType;
}

interface CompiledMutatingPolicy {
  readonly conditions: readonly Expression[];
  readonly variables: ReadonlyMap<string, Expression>;
  readonly mutations: readonly Mutation[];
}

export class MutatingPolicy extends AdmissionPolicy {
  readonly #base: Environments;
  #compiled: CompiledMutatingPolicy | undefined;

  /** @param base what its expressions may use */
  constructor(object: ApiObject, base: Environments = STORED_EXPRESSIONS) {
    super(object);
    this.#base = base;
  }

  /** Whether it is reinvoked after others have changed the object. */
  get isReinvocable(): boolean {
    return textAt(this.spec, 'reinvocationPolicy') === 'IfNeeded';
  }

  get compiled(): CompiledMutatingPolicy {
    this.#compiled ??= compileMutatingPolicy(this.spec, this.#base);
    return this.#compiled;
  }
}

const PATCHES: Readonly<Record<PatchType, { readonly member: string; readonly result: Type<unknown> }>> = {
  ApplyConfiguration: { member: 'applyConfiguration', result: PATCH_OBJECT_TYPE },
  JSONPatch: { member: 'jsonPatch', result: listOf(JSON_PATCH_TYPE) },
};

function compileMutatingPolicy(spec: Json | undefined, base: Environments): CompiledMutatingPolicy {
  const hasParams = isObject(at(spec, 'paramKind'));
  const { variables, types } = compileVariables(spec, base);
  const scope = { hasParams, hasAuthorizer: true, hasPatches: true };
  const environments = admissionEnvironments(base, scope, types);
  return {
    conditions: compileConditions(listAt(spec, 'matchConditions'), hasParams, base),
    variables,
    mutations: listAt(spec, 'mutations').map((each) => {
      const patchType = textAt(each, 'patchType') === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
      const { member, result } = PATCHES[patchType];
      return { ...compile(textAt(each, member, 'expression'), environments, [result]), patchType };
    }),
  };
}
