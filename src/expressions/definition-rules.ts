// The rules of a schema as its definition is written: whether they compile, and whether they cost too much, each alone
// and all together.

import { type FieldError, fieldError } from '../api/errors.ts';
import type { SchemaPart, ValidationRule } from '../schema/structural/schema-part.ts';
import { DeclaredTypes } from './declared-type.ts';
import type { Environments } from './environments.ts';
import { type CompiledRule, RuleCompiler } from './rule.ts';

/** What one rule may be estimated to cost. Kubernetes' own number. */
export const MAX_RULE_COST = 10_000_000;
const MAX_SCHEMA_COST = 100_000_000;
/** So many of the dearest rules are named, if they are more than a hundredth of what all may cost. */
const NAMED_RULES = 4;
const INTERNAL = 'internal error: failed to construct type information for x-kubernetes-validations rules';

interface DefinitionRulesOptions {
  /** Which functions rules may use. */
  readonly environments: Environments;
  /** Places that have faults already; what rules stand around these is not looked at. */
  readonly faulty: readonly string[];
  /** Whether a rule may cost too much because it was there before, in the same schema. */
  readonly keepsCosts: boolean;
}

/** The faults of all rules in a schema. */
export function definitionRuleErrors(part: SchemaPart, field: string, options: DefinitionRulesOptions): FieldError[] {
  if (!part.hasRules) return [];
  const check = new Check(options);
  check.visit(part, { field, isRoot: true, cardinality: 1, uncorrelated: undefined });
  return [...check.errors, ...check.totalErrors(field)];
}

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  /** How often the place can be in an object; undefined where nothing limits it. */
  readonly cardinality: number | undefined;
  /** The outermost place above from which on nothing tells what a value was. */
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
    const isFaulty = this.#options.faulty.some((each) => each === field || /^[.[]/.test(after(each, field)));
    if (part.rules.length > 0 && !isFaulty) this.#checkRules(part, place);
  }

  /** The faults of what all rules cost together. */
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
    const types = new DeclaredTypes(part, place.isRoot || part.embedded);
    if (types.root === undefined) {
      const detail = `${INTERNAL}: unable to convert structural schema to CEL declarations`;
      this.errors.push({ type: 'InternalError', field: `${place.field}.x-kubernetes-validations`, detail });
      return;
    }
    const compiler = new RuleCompiler(types, this.#options.environments);
    for (const [index, rule] of part.rules.entries()) {
      const compiled = compiler.compile(rule, part);
      const field = `${place.field}.x-kubernetes-validations[${index}]`;
      const cost = compiled.maxCost * (place.cardinality ?? compiler.maxCardinality);
      this.#charge(`${field}.rule`, 'estimated rule cost', cost);
      if (compiled.fault !== undefined) {
        this.errors.push(fieldError.invalid(`${field}.rule`, quoted(rule), compiled.fault));
      }
      this.#checkMessage(compiled, field);
      this.#checkOldSelf(compiled, field, place);
    }
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

function after(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : '';
}

/** How many values there can be right below a place; undefined where nothing limits them. */
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

/** A rule as faults quote it: with all its members, there or not. */
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
