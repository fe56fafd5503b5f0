// A ValidatingAdmissionPolicy made ready to be asked: its expressions compiled, once, when the first request comes that
// it is about.

import type { ApiObject, Json } from '../../api/object.ts';
import { BOOL, NULL, STRING, type Type } from '../../cel/types/type.ts';
import { admissionEnvironments, VariableTypes } from '../../expressions/admission-environment.ts';
import { type CompiledExpression, compileExpression } from '../../expressions/compiled-expression.ts';
import { type Environments, STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { at, isObject, listAt, textAt } from '../../resources/value.ts';

export interface Expression {
  readonly text: string;
  readonly compiled: CompiledExpression;
}

export interface Validation extends Expression {
  readonly message: string;
  /** Undefined where none is given. */
  readonly messageExpression: Expression | undefined;
  readonly reason: string;
}

/** Makes the value of an annotation of the audit event. */
export interface AuditAnnotation extends Expression {
  readonly key: string;
}

export interface CompiledPolicy {
  readonly conditions: readonly Expression[];
  /** By name, in their order; each may use those before it. */
  readonly variables: ReadonlyMap<string, Expression>;
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

export class Policy {
  readonly name: string;
  readonly spec: Json | undefined;
  #compiled: CompiledPolicy | undefined;

  constructor(object: ApiObject) {
    this.name = object.metadata.name ?? '';
    this.spec = object['spec'];
  }

  /** Whether a request is refused when the policy cannot be asked. */
  get failsClosed(): boolean {
    return textAt(this.spec, 'failurePolicy') !== 'Ignore';
  }

  get compiled(): CompiledPolicy {
    this.#compiled ??= compilePolicy(this.spec);
    return this.#compiled;
  }
}

function compilePolicy(spec: Json | undefined): CompiledPolicy {
  const hasParams = isObject(at(spec, 'paramKind'));
  const types = new VariableTypes();
  const expressions = admissionEnvironments(STORED_EXPRESSIONS, { hasParams, hasAuthorizer: true }, types);
  const messages = admissionEnvironments(STORED_EXPRESSIONS, { hasParams, hasAuthorizer: false }, types);
  const variables = new Map<string, Expression>();
  for (const variable of listAt(spec, 'variables')) {
    const compiled = compile(textAt(variable, 'expression'), expressions, []);
    types.add(
      textAt(variable, 'name'),
      compiled.compiled.fault === undefined ? compiled.compiled.checked.type : undefined,
    );
    variables.set(textAt(variable, 'name'), compiled);
  }
  return {
    conditions: compileConditions(listAt(spec, 'matchConditions'), hasParams),
    variables,
    validations: listAt(spec, 'validations').map((each) => {
      const message = textAt(each, 'messageExpression');
      return {
        ...compile(textAt(each, 'expression'), expressions, [BOOL]),
        message: textAt(each, 'message').trim(),
        messageExpression: message === '' ? undefined : compile(message, messages, [STRING]),
        reason: textAt(each, 'reason'),
      };
    }),
    auditAnnotations: listAt(spec, 'auditAnnotations').map((each) => ({
      ...compile(textAt(each, 'valueExpression').trim(), expressions, [STRING, NULL]),
      key: textAt(each, 'key'),
    })),
  };
}

/** The match conditions of a policy or of a webhook, which has no parameters. */
export function compileConditions(conditions: readonly Json[], hasParams: boolean): Expression[] {
  const environments = admissionEnvironments(STORED_EXPRESSIONS, { hasParams, hasAuthorizer: true });
  return conditions.map((each) => compile(textAt(each, 'expression'), environments, [BOOL]));
}

function compile(text: string, environments: Environments, results: readonly Type<unknown>[]): Expression {
  return { text, compiled: compileExpression(environments.for(text), text, { results }) };
}
