// Compilation of the CEL expressions of policies and webhook configurations when they are written: those that do not
// compile are rejected. Existing expressions may use functions that new ones may not.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ReadonlyJson } from '../../../api/object.ts';
import { BOOL, listOf, NULL, STRING, type Type } from '../../../cel/types/type.ts';
import { admissionEnvironments, VariableTypes } from '../../../expressions/admission-environment.ts';
import { type CompiledExpression, compileInParts } from '../../../expressions/compiled-expression.ts';
import { type Environments, type ExpressionScope, environmentsAfter } from '../../../expressions/environments.ts';
import { JSON_PATCH_TYPE } from '../../../expressions/json-patch.ts';
import { PATCH_OBJECT_TYPE } from '../../../expressions/patch-object.ts';

export interface ExpressionsInit {
  /** The stored object of an update; undefined for a create. */
  readonly previous: ReadonlyJson | undefined;
  /** Whether there is a parameter object. */
  readonly hasParams: boolean;
  /** Whether it declares variables. */
  readonly hasVariables?: boolean;
  readonly scope: ExpressionScope;
}

/** The expressions of one object, compiled in order. */
export class AdmissionExpressions {
  readonly #conditions: Environments;
  readonly #expressions: Environments;
  readonly #messages: Environments;
  readonly #patches: Environments;
  readonly #variables = new VariableTypes();

  constructor({ previous, hasParams, hasVariables, scope }: ExpressionsInit) {
    const variables = hasVariables ? this.#variables : undefined;
    const base = environmentsAfter(previous, /expression$/i, scope);
    this.#conditions = admissionEnvironments(base, { hasParams, hasAuthorizer: true });
    this.#expressions = admissionEnvironments(base, { hasParams, hasAuthorizer: true }, variables);
    const patching = { hasParams, hasAuthorizer: true, hasPatches: true };
    this.#patches = admissionEnvironments(base, patching, variables);
    this.#messages = admissionEnvironments(base, { hasParams, hasAuthorizer: false }, variables);
  }

  /** Errors in the match conditions of a webhook or policy. */
  condition(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#conditions, results: [BOOL] });
  }

  /** Errors in a variable of a policy, which later expressions may use. */
  variable(name: string, text: string, field: string): FieldError[] {
    const compiled = compileInParts(this.#expressions.for(text), text);
    this.#variables.add(name, compiled.fault === undefined ? compiled.checked.type : undefined);
    return faultsOf(compiled, field, text);
  }

  validation(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#expressions, results: [BOOL] });
  }

  message(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#messages, results: [STRING] });
  }

  /** Errors in an expression that produces an apply configuration. */
  applyConfiguration(text: string, field: string): FieldError[] {
    return faults(text.trim(), { field, environments: this.#patches, results: [PATCH_OBJECT_TYPE] });
  }

  /** Errors in an expression that produces JSON patch operations. */
  jsonPatch(text: string, field: string): FieldError[] {
    return faults(text.trim(), { field, environments: this.#patches, results: [listOf(JSON_PATCH_TYPE)] });
  }

  auditAnnotation(text: string, field: string): FieldError[] {
    const trimmed = text.trim();
    const results = [STRING, NULL];
    return faultsOf(compileInParts(this.#expressions.for(trimmed), trimmed, { results }), field, text);
  }
}

interface Place {
  readonly field: string;
  readonly environments: Environments;
  readonly results: readonly Type<unknown>[];
}

function faults(text: string, { field, environments, results }: Place): FieldError[] {
  return faultsOf(compileInParts(environments.for(text), text, { results }), field, text);
}

/** Failures of constant subexpressions are reported as internal errors. */
function faultsOf(compiled: CompiledExpression, field: string, text: string): FieldError[] {
  if (compiled.fault === undefined) return [];
  const { fault, isInternal = false } = compiled;
  return [isInternal ? fieldError.internal(field, fault) : fieldError.invalid(field, text, fault)];
}
