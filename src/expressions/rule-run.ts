// A run of rules over an object: its errors, and the remaining budget.

import { type FieldError, type FieldErrorType, fieldError, fieldErrorBody } from '../api/errors.ts';
import type { Json } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import type { Program } from '../cel/plan/program.ts';
import { type EvaluationError, Interruption } from '../cel/value/evaluation-error.ts';
import { Optional, type Value } from '../cel/value/value.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ValidationRule } from '../schema/structural/schema-part.ts';
import { attempt, type Outcome } from './attempt.ts';
import type { Correlation } from './correlation.ts';
import type { CompiledRule } from './rule.ts';
import type { ValueReader } from './value-reader.ts';

/** Cost limit of all rules of an object, as in Kubernetes. */
const MAX_OBJECT_COST = 10_000_000;
/** The longest message of an expression, in bytes, as in Kubernetes. */
const MAX_MESSAGE_BYTES = 5_120;

/** A value to validate. */
export interface RulePlace {
  readonly value: Json;
  /** Its previous value; undefined for a create, and if it cannot be correlated. */
  readonly previous: Json | undefined;
  readonly field: string;
  readonly correlation: Correlation | undefined;
}

/** The reader of values at a place, and the name of their type, which errors quote instead of the value. */
interface PlaceType {
  readonly read: ValueReader;
  readonly type: string;
}

/** The first minor release of Kubernetes 1 whose errors quote values. */
const QUOTES_VALUES = 35;

export class RuleRun {
  /** Whether errors quote values, scalars alone; otherwise the names of their types. */
  readonly #quotesValues: boolean;
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  #budget = MAX_OBJECT_COST;

  /** The minor release of Kubernetes 1 whose values and messages hold; the one served by default if undefined. */
  readonly minor: number | undefined;

  constructor(minor: number | undefined) {
    this.minor = minor;
    this.#quotesValues = isSince({ minor }, QUOTES_VALUES);
  }

  /** Whether an error ended the run. */
  get isOver(): boolean {
    return this.#budget < 0;
  }

  /** Runs the rules of one place. */
  apply(rules: readonly CompiledRule[], place: RulePlace, { read, type }: PlaceType): void {
    if (this.#budget === 0) {
      this.#end(place, type, outOfBudget('validation failed'));
      return;
    }
    const seesOldSelf = rules.some(({ usesOldSelf }) => usesOldSelf);
    const scope = new Scope(read, place, seesOldSelf);
    for (const rule of rules) {
      if (rule.fault !== undefined) {
        this.errors.push(fieldError.invalid(nameOf(place), type, `rule compile error: ${rule.fault}`));
      } else if (rule.program !== undefined && isDue(rule, place)) {
        this.#try(rule.program, { rule, place, scope, type });
      }
      if (this.isOver) return;
    }
  }

  /** Reports the rules of a place whose type has no declaration in CEL. */
  undeclared(place: RulePlace, type: string): void {
    const detail = 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
    this.errors.push(fieldError.invalid(nameOf(place), type, detail));
  }

  #try(program: Program, trial: Trial): void {
    const { rule, place, scope, type } = trial;
    const outcome = this.#evaluate(program, scope.variables(rule.source.optionalOldSelf === true));
    if (outcome === undefined) this.#end(place, type, outOfBudget('validation failed'));
    else if (outcome.fault !== undefined) this.#tellFault(outcome.fault, trial);
    else if (outcome.value === true) return;
    else if (rule.message === undefined) this.#tell(trial, messageOf(rule.source));
    else this.#tellOwnMessage(rule.message, trial);
  }

  #tellOwnMessage(program: Program, trial: Trial): void {
    const { source } = trial.rule;
    const outcome = this.#evaluate(program, trial.scope.variables(false));
    if (outcome === undefined) {
      this.#endAtMessage(trial, outOfBudget('messageExpression evaluation failed'));
    } else if (outcome.fault instanceof Interruption) {
      const named = `messageExpression: ${goQuote(source.messageExpression ?? '')}`;
      const detail = `no further validation rules will be run due to call cost exceeds limit for ${named}`;
      this.#endAtMessage(trial, detail);
    } else {
      this.#tell(trial, (outcome.fault === undefined ? lawfulMessage(outcome.value) : undefined) ?? messageOf(source));
    }
  }

  /** The result of a program; undefined if the budget was exceeded. */
  #evaluate(program: Program, variables: (name: string) => Value | undefined): Outcome | undefined {
    const { cost, ...outcome } = attempt(program, variables);
    if (cost > this.#budget) return undefined;
    this.#budget -= cost;
    return outcome;
  }

  #tellFault(fault: EvaluationError | Interruption, { rule: { source }, place, type }: Trial): void {
    const { message } = fault;
    const named = `rule: ${(source.message ?? '') === '' ? source.rule.trim() : (source.message as string).trim()}`;
    if (fault instanceof Interruption) {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for ${named}`;
      this.#end(place, type, detail);
    } else if (message.startsWith('no such overload')) {
      const why = 'call arguments did not match a supported operator, function or macro signature';
      this.errors.push(fieldError.invalid(nameOf(place), type, `'${message}': ${why} for ${named}`));
    } else {
      this.errors.push(fieldError.invalid(nameOf(place), type, `${message} evaluating ${named}`));
    }
  }

  #end(place: RulePlace, type: string, detail: string): void {
    this.errors.push(fieldError.invalid(nameOf(place), type, detail));
    this.#budget = -1;
  }

  #endAtMessage(trial: Trial, detail: string): void {
    this.#file(trial, fieldError.invalid(fieldOf(trial), trial.type, detail));
    this.#budget = -1;
  }

  #tell(trial: Trial, message: string): void {
    const { rule, place, type } = trial;
    const isWhole = type === 'object' || type === 'array';
    const quoted = this.#quotesValues ? (isWhole ? {} : { value: place.value }) : { value: type };
    const failure = failureOf(rule.source);
    const detail = failure === 'FieldValueDuplicate' ? '' : message;
    this.#file(trial, { type: failure, field: fieldOf(trial), ...quoted, detail });
  }

  /** The failure of a rule for an unchanged value is a warning, unless it is a transition rule. */
  #file({ rule, place }: Trial, error: FieldError): void {
    if (rule.usesOldSelf || place.correlation?.isUnchanged !== true) this.errors.push(error);
    else this.warnings.push(`${error.field}: ${fieldErrorBody(error)}`);
  }
}

interface Trial {
  readonly rule: CompiledRule;
  readonly place: RulePlace;
  readonly scope: Scope;
  readonly type: string;
}

/** Transition rules only run with an old value, unless they have optionalOldSelf. */
function isDue({ usesOldSelf, source }: CompiledRule, { previous }: RulePlace): boolean {
  return !usesOldSelf || source.optionalOldSelf === true || (previous !== undefined && previous !== null);
}

/** The variables of rules at one place; shared, and evaluated lazily. */
class Scope {
  readonly #read: ValueReader;
  readonly #place: RulePlace;
  readonly #seesOldSelf: boolean;
  #self: Value | undefined;
  #oldSelf: Value | undefined;

  constructor(read: ValueReader, place: RulePlace, seesOldSelf: boolean) {
    this.#read = read;
    this.#place = place;
    this.#seesOldSelf = seesOldSelf;
  }

  /** @param optional whether `oldSelf` exists even without an old value */
  variables(optional: boolean): (name: string) => Value | undefined {
    return (name) => {
      if (name === 'self') return this.#now();
      return optional ? new Optional(this.#before()) : this.#before();
    };
  }

  #now(): Value {
    this.#self ??= this.#read(this.#place.value);
    return this.#self;
  }

  #before(): Value | undefined {
    const { previous } = this.#place;
    if (previous === undefined || previous === null || !this.#seesOldSelf) return undefined;
    this.#oldSelf ??= this.#read(previous);
    return this.#oldSelf;
  }
}

function outOfBudget(what: string): string {
  return `${what} due to running out of cost budget, no further validation rules will be run`;
}

/** The path of a place in errors. */
function nameOf({ field }: RulePlace): string {
  return field === '' ? '<nil>' : field;
}

function fieldOf({ rule: { fieldPath }, place }: Trial): string {
  if (fieldPath === '') return nameOf(place);
  return place.field === '' ? fieldPath : `${place.field}.${fieldPath}`;
}

function messageOf({ message = '', rule }: ValidationRule): string {
  return message === '' ? `failed rule: ${rule.trim()}` : message.trim();
}

/** The message of an expression; undefined if it cannot be shown. */
function lawfulMessage(value: Value): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '' || text.includes('\n') || new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES) return undefined;
  return text;
}

function failureOf({ reason }: ValidationRule): FieldErrorType {
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
    case 'FieldValueDuplicate':
      return reason;
    default:
      return 'FieldValueInvalid';
  }
}
