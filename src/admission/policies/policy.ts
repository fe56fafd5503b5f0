// A compiled ValidatingAdmissionPolicy: its expressions are compiled once, at the first request that it matches.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import { BOOL, NULL, STRING, type Type } from '../../cel/types/type.ts';
import { admissionEnvironments, VariableTypes } from '../../expressions/admission-environment.ts';
import { type CompiledExpression, compileExpression } from '../../expressions/compiled-expression.ts';
import { type Environments, STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { at, listAt, textAt } from '../../resources/value.ts';

export interface Expression {
  readonly text: string;
  readonly compiled: CompiledExpression;
}

export interface Validation extends Expression {
  readonly message: string;
  /** Undefined if absent. */
  readonly messageExpression: Expression | undefined;
  readonly reason: string;
}

/** Evaluates to the value of an audit annotation. */
interface AuditAnnotation extends Expression {
  readonly key: string;
}

interface CompiledPolicy {
  readonly conditions: readonly Expression[];
  /** By name, in order; each may use those before it. */
  readonly variables: ReadonlyMap<string, Expression>;
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

/** Common part of validating and mutating policies. */
export class AdmissionPolicy {
  readonly name: string;
  readonly spec: Json | undefined;

  constructor(object: ApiObject) {
    this.name = object.metadata.name ?? '';
    this.spec = object['spec'];
  }

  /** Whether a failure of the policy denies the request. */
  get failsClosed(): boolean {
    return textAt(this.spec, 'failurePolicy') !== 'Ignore';
  }
}

export class Policy extends AdmissionPolicy {
  readonly #environments: Environments;
  #compiled: CompiledPolicy | undefined;

  /** @param environments of its expressions, which determine their costs */
  constructor(object: ApiObject, environments: Environments = STORED_EXPRESSIONS) {
    super(object);
    this.#environments = environments;
  }

  get compiled(): CompiledPolicy {
    this.#compiled ??= compilePolicy(this.spec, this.#environments);
    return this.#compiled;
  }
}

function compilePolicy(spec: Json | undefined, base: Environments): CompiledPolicy {
  const hasParams = isObject(at(spec, 'paramKind'));
  const { variables, types, environments: expressions } = compileVariables(spec, base);
  const messages = admissionEnvironments(base, { hasParams, hasAuthorizer: false }, types);
  return {
    conditions: compileConditions(listAt(spec, 'matchConditions'), hasParams, base),
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

interface CompiledVariables {
  /** By name, in order; each may use those before it. */
  readonly variables: ReadonlyMap<string, Expression>;
  readonly types: VariableTypes;
  /** The environment of the compilation. */
  readonly environments: Environments;
}

/** The variables of a policy. */
export function compileVariables(spec: Json | undefined, base = STORED_EXPRESSIONS): CompiledVariables {
  const types = new VariableTypes();
  const scope = { hasParams: isObject(at(spec, 'paramKind')), hasAuthorizer: true };
  const environments = admissionEnvironments(base, scope, types);
  const variables = new Map<string, Expression>();
  for (const variable of listAt(spec, 'variables')) {
    const { text, compiled } = compile(textAt(variable, 'expression'), environments, []);
    types.add(textAt(variable, 'name'), compiled.fault === undefined ? compiled.checked.type : undefined);
    variables.set(textAt(variable, 'name'), { text, compiled });
  }
  return { variables, types, environments };
}

/** Match conditions of a policy, or of a webhook, which has no parameters. */
export function compileConditions(
  conditions: readonly Json[],
  hasParams: boolean,
  base = STORED_EXPRESSIONS,
): Expression[] {
  const environments = admissionEnvironments(base, { hasParams, hasAuthorizer: true });
  return conditions.map((each) => compile(textAt(each, 'expression'), environments, [BOOL]));
}

/** An expression whose result has one of the types; any type if none is given. */
export function compile(text: string, environments: Environments, results: readonly Type<unknown>[]): Expression {
  return { text, compiled: compileExpression(environments.for(text), text, { results }) };
}
