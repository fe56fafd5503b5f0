// A compiled rule of x-kubernetes-validations: the programs of the rule and of its message, and their estimated costs.

import type { CheckedExpression } from '../cel/check/checked-expression.ts';
import type { Environment } from '../cel/environment.ts';
import type { Program } from '../cel/plan/program.ts';
import { BOOL, optionalOf, STRING, type Type } from '../cel/types/type.ts';
import { ruleFieldPath } from '../schema/structural/rule-field-path.ts';
import type { SchemaPart, ValidationRule } from '../schema/structural/schema-part.ts';
import { type CompiledExpression, type CompileExpression, compileExpression } from './compiled-expression.ts';
import type { DeclaredTypes } from './declared-type.ts';
import { type Environments, MAX_REQUEST_BYTES } from './environments.ts';

export interface CompiledRule {
  readonly source: ValidationRule;
  /** Undefined for an empty or invalid rule. */
  readonly program: Program | undefined;
  readonly fault: string | undefined;
  /** Whether it is a transition rule. */
  readonly usesOldSelf: boolean;
  /** The estimated maximum cost of an evaluation. */
  readonly maxCost: number;
  readonly message: Program | undefined;
  readonly messageFault: string | undefined;
  readonly messageMaxCost: number;
  /** `fieldPath` as in errors; '' for the rule's own place. */
  readonly fieldPath: string;
}

/** Compiles the rules of one place, with the same types. */
export class RuleCompiler {
  readonly #types: DeclaredTypes;
  readonly #self: Type<unknown>;
  readonly #environments: Environments;
  readonly #compileExpression: CompileExpression;
  /** Maximum number of values of this place in a request. */
  readonly maxCardinality: number;

  /**
   * @param environments the functions available to each expression: existing ones may use newer ones
   * @param compile whether in parts
   */
  constructor(types: DeclaredTypes, environments: Environments, compile: CompileExpression = compileExpression) {
    const { root } = types;
    if (root === undefined) throw new TypeError('a schema that expressions cannot see has no rules');
    this.#types = types;
    this.#self = root.type;
    this.#environments = environments;
    this.#compileExpression = compile;
    this.maxCardinality = Math.floor(MAX_REQUEST_BYTES / (root.minBytes + 1));
  }

  compile(source: ValidationRule, part: SchemaPart): CompiledRule {
    const rule = source.rule ?? '';
    if (rule.trim() === '') return { ...NOTHING, source };
    const own = this.#compileOne(rule, source, BOOL);
    if (own.fault !== undefined) return { ...NOTHING, source, fault: own.fault };
    const usesOldSelf = namesOldSelf(own.checked);
    const compiled = {
      ...NOTHING,
      source,
      program: own.program,
      usesOldSelf,
      maxCost: own.maxCost,
      fieldPath: source.fieldPath === undefined ? '' : (ruleFieldPath(source.fieldPath, part) ?? ''),
    };
    const expression = source.messageExpression ?? '';
    if (expression === '') return compiled;
    const message = this.#compileOne(expression, source, STRING);
    if (message.fault !== undefined) {
      // As in Kubernetes, which reads the fieldPath after the message.
      return {
        ...compiled,
        fieldPath: '',
        messageFault: `messageExpression ${message.fault.replace(/^program /, '')}`,
      };
    }
    return { ...compiled, message: message.program, messageMaxCost: message.maxCost };
  }

  #compileOne(text: string, rule: ValidationRule, result: Type<unknown>): CompiledExpression {
    const unfit = result === BOOL ? 'cel expression must evaluate to a bool' : 'must evaluate to a string';
    const refusal = ({ kind }: Type<unknown>) => (kind === result.kind ? undefined : unfit);
    return this.#compileExpression(this.#environmentFor(text, rule), text, { sizes: this.#types, refusal });
  }

  #environmentFor(text: string, { optionalOldSelf }: ValidationRule): Environment {
    const oldSelf = optionalOldSelf === true ? optionalOf(this.#self) : this.#self;
    return this.#environments.for(text).extend({
      types: this.#types,
      variables: [
        { name: 'self', type: this.#self },
        { name: 'oldSelf', type: oldSelf },
      ],
    });
  }
}

const NOTHING = {
  program: undefined,
  fault: undefined,
  usesOldSelf: false,
  maxCost: 0,
  message: undefined,
  messageFault: undefined,
  messageMaxCost: 0,
  fieldPath: '',
};

/** Any `oldSelf` counts, even a macro's variable. */
function namesOldSelf({ references }: CheckedExpression): boolean {
  for (const reference of references.values()) {
    if (reference.kind === 'identifier' && reference.name === 'oldSelf') return true;
  }
  return false;
}
