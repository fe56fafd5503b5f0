// Validation of a schema's CEL rules when its definition is written: compilation, and estimated cost per rule and in
// total.

import { type FieldError, fieldError } from '../api/errors.ts';
import { eachOf, part as inPart } from '../base/resumed.ts';
import type { SchemaPart, ValidationRule } from '../schema/structural/schema-part.ts';
import { compileInParts } from './compiled-expression.ts';
import { DeclaredTypes } from './declared-type.ts';
import type { Environments } from './environments.ts';
import { type CompiledRule, RuleCompiler } from './rule.ts';

/** Cost limit of one rule, as in Kubernetes. */
export const MAX_RULE_COST = 10_000_000;
const MAX_SCHEMA_COST = 100_000_000;
/** Number of the most expensive rules that are named, if they exceed a hundredth of the total limit. */
const NAMED_RULES = 4;
const INTERNAL = 'internal error: failed to construct type information for x-kubernetes-validations rules';

interface DefinitionRulesOptions {
  /** The functions available to rules. */
  readonly environments: Environments;
  /** The minor release of Kubernetes 1 that is served; the one served by default if undefined. */
  readonly minor: number | undefined;
  /** Fields of schemas with errors, whose own rules are not validated. */
  readonly faulty: ReadonlySet<string>;
  /** Whether the cost of a rule is not limited because it existed before in the same schema. */
  readonly keepsCosts: boolean;
}

/** Errors in all rules of a schema. */
export function definitionRuleErrors(part: SchemaPart, field: string, options: DefinitionRulesOptions): FieldError[] {
  if (!part.hasRules) return [];
  const check = new Check(options);
  check.visit(part, { field, isRoot: true, cardinality: 1, uncorrelated: undefined });
  return [...check.errors, ...check.totalErrors(field)];
}

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  /** Maximum number of occurrences of the place in an object; undefined for no limit. */
  readonly cardinality: number | undefined;
  /** The outermost enclosing place below which values cannot be correlated. */
  readonly uncorrelated: string | undefined;
}

class Check {
  readonly errors: FieldError[] = [];
  readonly #options: DefinitionRulesOptions;
  readonly #dear: { readonly field: string; readonly cost: number }[] = [];
  #total = 0;

  constructor(options: DefinitionRulesOptions) {
    this.#options = options;
  }

  visit(part: SchemaPart, place: Place): void {
    if (!part.hasRules) return;
    const { field } = place;
    const cardinality = multiply(place.cardinality, mostBelow(part));
    const below = { isRoot: false, cardinality, uncorrelated: place.uncorrelated };
    if (typeof part.additional === 'object') {
      this.visit(part.additional, { ...below, field: `${field}.additionalProperties` });
    }
    for (const [name, member] of part.properties) {
      this.visit(member, { ...below, field: `${field}.properties[${name}]` });
    }
    if (part.items !== undefined) {
      const uncorrelated = part.listType === 'map' ? place.uncorrelated : (place.uncorrelated ?? field);
      this.visit(part.items, { ...below, uncorrelated, field: `${field}.items` });
    }
    if (part.rules.length > 0 && !this.#options.faulty.has(field)) this.#checkRules(part, place);
  }

  /** Errors for the total cost of all rules. */
  totalErrors(field: string): FieldError[] {
    if (this.#total <= MAX_SCHEMA_COST) return [];
    const dearest = this.#dear.sort((one, other) => other.cost - one.cost).slice(0, NAMED_RULES);
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...dearest.map((each) => fieldError.forbidden(each.field, detail)),
      fieldError.forbidden(field, tooDear(what, this.#total, MAX_SCHEMA_COST)),
    ];
  }

  #checkRules(part: SchemaPart, place: Place): void {
    const rules = inPart(() => this.#compile(part, place));
    if (rules === undefined) {
      const detail = `${INTERNAL}: unable to convert structural schema to CEL declarations`;
      this.errors.push({ type: 'InternalError', field: `${place.field}.x-kubernetes-validations`, detail });
      return;
    }
    for (const [index, compiled] of rules.compiled.entries()) {
      const rule = compiled.source;
      const field = `${place.field}.x-kubernetes-validations[${index}]`;
      const cost = compiled.maxCost * (place.cardinality ?? rules.maxCardinality);
      this.#charge(`${field}.rule`, 'estimated rule cost', cost);
      if (compiled.fault !== undefined) {
        this.errors.push(fieldError.invalid(`${field}.rule`, quoted(rule), compiled.fault));
      }
      this.#checkMessage(compiled, field);
      this.#checkOldSelf(compiled, field, place);
    }
  }

  /** Undefined for a schema without a type. */
  #compile(part: SchemaPart, { isRoot }: Place) {
    const types = new DeclaredTypes(part, isRoot || part.embedded, this.#options.minor);
    if (types.root === undefined) return undefined;
    const compiler = new RuleCompiler(types, this.#options.environments, compileInParts);
    const compiled = eachOf(part.rules, (rule) => compiler.compile(rule, part));
    return { compiled, maxCardinality: compiler.maxCardinality };
  }

  #checkMessage({ source, message, messageFault, messageMaxCost }: CompiledRule, field: string): void {
    const place = `${field}.messageExpression`;
    if (messageFault !== undefined) this.errors.push(fieldError.invalid(place, quoted(source), messageFault));
    else if (message !== undefined) this.#charge(place, 'estimated messageExpression cost', messageMaxCost);
  }

  #checkOldSelf({ source, usesOldSelf }: CompiledRule, field: string, { uncorrelated }: Place): void {
    if (!usesOldSelf && source.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push(fieldError.invalid(`${field}.optionalOldSelf`, source.optionalOldSelf, detail));
    }
    if (!usesOldSelf || uncorrelated === undefined) return;
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    this.errors.push(fieldError.invalid(`${field}.rule`, source.rule, detail));
  }

  #charge(field: string, what: string, cost: number): void {
    if (cost > MAX_RULE_COST && !this.#options.keepsCosts) {
      this.errors.push(fieldError.forbidden(field, tooDear(what, cost, MAX_RULE_COST)));
    }
    this.#total += cost;
    if (cost >= MAX_SCHEMA_COST / 100) this.#dear.push({ field, cost });
  }
}

/** Maximum number of values directly below a place; undefined for no limit. */
function mostBelow({ types, limits, additional }: SchemaPart): number | undefined {
  const isMap = types[0] === 'object' && additional !== undefined;
  if (!isMap && types[0] !== 'array') return 1;
  const most = isMap ? limits.maxProperties : limits.maxItems;
  return most === undefined ? undefined : Math.max(0, most);
}

function multiply(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other;
}

function tooDear(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const words = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return (
    `${what} exceeds budget by factor of ${words} (try simplifying the rule, or adding maxItems, maxProperties, and ` +
    'maxLength where arrays, maps, and strings are declared)'
  );
}

/** A rule as quoted in errors: with all its fields, present or not. */
function quoted(rule: ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
