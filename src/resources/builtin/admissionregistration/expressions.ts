// The expressions of policies and webhook configurations, compiled when they are written: what does not compile is
// refused. What was there before may use functions that new expressions may not.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ReadonlyJson } from '../../../api/object.ts';
import { BOOL, listOf, NULL, STRING, type Type } from '../../../cel/types/type.ts';
import { admissionEnvironments, VariableTypes } from '../../../expressions/admission-environment.ts';
import { type CompiledExpression, compileExpression } from '../../../expressions/compiled-expression.ts';
import { type Environments, type ExpressionScope, environmentsAfter } from '../../../expressions/environments.ts';
import { JSON_PATCH_TYPE } from '../../../expressions/json-patch.ts';
import { PATCH_OBJECT_TYPE } from '../../../expressions/patch-object.ts';

export interface ExpressionsInit {
  /** What an update finds; undefined at creation. */
  readonly previous: ReadonlyJson | undefined;
  /** Whether there is a parameter object. */
  readonly hasParams: boolean;
  /** Whether it declares variables. */
  readonly hasVariables?: boolean;
  readonly scope: ExpressionScope;
}

/** The expressions of one object, compiled in the order in which they come. */
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

  /** The faults of what must hold before a webhook or policy is asked. */
  condition(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#conditions, results: [BOOL] });
  }

  /** The faults of a policy's variable, which the expressions after it may use. */
  variable(name: string, text: string, field: string): FieldError[] {
    const compiled = compileExpression(this.#expressions.for(text), text);
    this.#variables.add(name, compiled.fault === undefined ? compiled.checked.type : undefined);
    return faultsOf(compiled, field, text);
  }

  validation(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#expressions, results: [BOOL] });
  }

  message(text: string, field: string): FieldError[] {
    return faults(text, { field, environments: this.#messages, results: [STRING] });
  }

  /** The faults of what makes an object to merge into the one that is written. */
  applyConfiguration(text: string, field: string): FieldError[] {
    return faults(text.trim(), { field, environments: this.#patches, results: [PATCH_OBJECT_TYPE] });
  }

  /** The faults of what makes the operations of a JSON patch. */
  jsonPatch(text: string, field: string): FieldError[] {
    return faults(text.trim(), { field, environments: this.#patches, results: [listOf(JSON_PATCH_TYPE)] });
  }

  auditAnnotation(text: string, field: string): FieldError[] {
    const trimmed = text.trim();
    const results = [STRING, NULL];
    return faultsOf(compileExpression(this.#expressions.for(trimmed), trimmed, { results }), field, text);
  }
}

interface Place {
  readonly field: string;
  readonly environments: Environments;
  readonly results: readonly Type<unknown>[];
}

function faults(text: string, { field, environments, results }: Place): FieldError[] {
  return faultsOf(compileExpression(environments.for(text), text, { results }), field, text);
}

/** What an expression's own constants make fail is told as if it were no fault of the expression. */
function faultsOf(compiled: CompiledExpression, field: string, text: string): FieldError[] {
  if (compiled.fault === undefined) return [];
  const { fault, isInternal = false } = compiled;
  return [isInternal ? fieldError.internal(field, fault) : fieldError.invalid(field, text, fault)];
}
