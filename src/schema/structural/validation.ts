// Validation of a custom resource by its schema: types, limits, formats and alternatives, with Kubernetes' order and
// messages. Errors in unchanged parts of an update are ignored.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { withSortedMembers } from '../../api/member-order.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import { part as inPart, overItems } from '../../base/resumed.ts';
import { CorrelatedPair } from './correlated-pair.ts';
import { enumerationOf } from './enumeration.ts';
import { hasFormat } from './formats.ts';
import { limitText, numberFaults } from './number-limits.ts';
import type { NumberType } from './number-type.ts';
import { CompiledPatterns, type Pattern } from './pattern.ts';
import type { JsonType, SchemaPart } from './schema-part.ts';
import { isAlmostInteger, kindOf, type ValueKind } from './value-kind.ts';
import { ValuePath } from './value-path.ts';

interface ValidateOptions {
  /** The path of the value; '' for a whole object. */
  readonly field?: string;
  /** The previous value in an update; undefined for a create. */
  readonly previous?: Json | undefined;
  /** Whether the value is a default, of which Kubernetes does not ask that an int-or-string is either. */
  readonly isDefault?: boolean;
  /** Whether numbers are in the range of their type and format: from 1.36 on. */
  readonly rangesNumbers?: boolean | undefined;
  /** Those of the server. */
  readonly patterns?: CompiledPatterns | undefined;
}

/** Validation errors of a value. */
export function validateValue(value: Json, part: SchemaPart, options: ValidateOptions = {}): FieldError[] {
  const run = new Run(options);
  const { previous } = options;
  run.visit(value, part, previous === undefined ? undefined : new CorrelatedPair(value, previous, part));
  return reportedOnce(run.errors);
}

/** A schema and its alternatives may find the same error: it is reported where it was found first. */
function reportedOnce(errors: FieldError[]): FieldError[] {
  if (errors.length < 2) return errors;
  const texts = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const text = `${type} ${field} ${detail}`;
    return !texts.has(text) && texts.add(text);
  });
}

/** The top-level fields of an object count as changed in every update. */
const NEVER_FORGIVEN: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** How alternatives are compared: by their errors, and how much matched. */
interface Outcome {
  readonly errors: FieldError[];
  readonly matches: number;
}

/** Compiled patterns, by schema place: only a cache. */
const patterns = new WeakMap<SchemaPart, Pattern>();

/** Items, members and alternatives that are one part. */
const ITEMS_IN_PART = 32;
const ALTERNATIVES_IN_PART = 32;

class Run {
  errors: FieldError[] = [];
  #matches = 0;
  readonly #prefix: string;
  readonly #isDefault: boolean;
  readonly #rangesNumbers: boolean;
  readonly #patterns: CompiledPatterns;
  readonly #path = new ValuePath();

  constructor({
    field = '',
    isDefault = false,
    rangesNumbers = false,
    patterns = new CompiledPatterns(),
  }: ValidateOptions) {
    this.#prefix = field;
    this.#isDefault = isDefault;
    this.#rangesNumbers = rangesNumbers;
    this.#patterns = patterns;
  }

  /** @param previous the paired previous value; undefined if unknown */
  visit(value: Json, part: SchemaPart, previous: CorrelatedPair | undefined): void {
    const before = this.errors.length;
    const kind = kindOf(value);
    this.#checkType(value, kind, part);
    if (kind !== 'null') {
      this.#checkAlternatives(value, part);
      if (kind === 'string') this.#checkText(value as string, part);
      if (kind === 'integer' || kind === 'number') this.#checkNumber(value as number | bigint, kind, part);
      if (kind === 'array') this.#checkList(value as Json[], part, previous);
    }
    this.#checkEnum(value, part);
    if (kind === 'object') this.#checkObject(value as JsonObject, part, previous);
    this.#matches++;
    if (this.errors.length > before && previous?.isEqual === true) this.errors.length = before;
  }

  #checkType(value: Json, kind: ValueKind, part: SchemaPart): void {
    const { types, nullable, intOrString } = part;
    // Of objects, unlike defaults, formats that are not known are ignored.
    const known = part.format || (this.#rangesNumbers ? (part.numbers?.format ?? '') : '');
    const format = this.#isDefault ? part.declaredFormat : known;
    if (intOrString && this.#isDefault) return;
    if (types.length === 0 && format === '') return;
    if (kind === 'null') {
      if (types.length > 0 && !nullable) this.#refuseType(types.join(','), 'null');
      return;
    }
    const fits =
      types.includes(kind as JsonType) ||
      (kind === 'integer' && types.includes('number')) ||
      (kind === 'number' && types.includes('integer') && isAlmostInteger(Number(value)));
    const isNumeric = types.includes('number') || types.includes('integer');
    const found = GO_FORMATS[kind] ?? '';
    if (format !== '' && !fits && format !== found && kind !== 'string' && kind !== 'array') {
      this.#refuseType(format, found);
    } else if (!fits && (isNumeric || format === '' || (kind !== 'array' && kind !== 'string'))) {
      this.#refuseType(types.join(','), kind);
    } else {
      this.#matches++;
    }
    if (kind === 'string' && part.format !== '') {
      if (hasFormat(value as string, part.format)) this.#matches++;
      else this.#refuseType(part.format, value as string);
    }
  }

  #refuseType(expected: string, found: string): void {
    const detail = `${this.#name()} in body must be of type ${expected}: ${goQuote(found)}`;
    this.errors.push({ type: 'FieldValueTypeInvalid', field: this.#field(), value: found, detail });
  }

  /** Nothing within alternatives is forgiven because it is unchanged, only the value as a whole, as in Kubernetes. */
  #checkAlternatives(value: Json, part: SchemaPart): void {
    if (part.anyOf.length > 0) this.#checkAnyOf(value, part);
    if (part.oneOf.length > 0) this.#checkOneOf(value, part);
    if (part.allOf.length > 0) this.#checkAllOf(value, part);
    if (part.not !== undefined && this.#try(value, part.not).errors.length === 0) {
      this.#refuseWhole('must not validate the schema (not)');
    }
  }

  #checkAnyOf(value: Json, part: SchemaPart): void {
    let best: Outcome | undefined;
    for (let from = 0; from < part.anyOf.length; from += ALTERNATIVES_IN_PART) {
      const some = part.anyOf.slice(from, from + ALTERNATIVES_IN_PART);
      const compute = () => this.#bestOf(value, some);
      const outcome = part.anyOf.length > ALTERNATIVES_IN_PART ? inPart(compute) : compute();
      if (outcome.errors.length === 0) return;
      if (best === undefined || outcome.matches > best.matches) best = outcome;
    }
    this.#refuseWhole('must validate at least one schema (anyOf)');
    this.errors.push(...(best?.errors ?? []));
  }

  /** The first outcome without errors, otherwise the one with the most matches. */
  #bestOf(value: Json, parts: readonly SchemaPart[]): Outcome {
    let best: Outcome | undefined;
    for (const each of parts) {
      const outcome = this.#try(value, each);
      if (outcome.errors.length === 0) return outcome;
      if (best === undefined || outcome.matches > best.matches) best = outcome;
    }
    return best as Outcome;
  }

  #checkOneOf(value: Json, part: SchemaPart): void {
    let best: Outcome | undefined;
    let valid = 0;
    for (const outcome of overItems(part.oneOf, (each) => [this.#try(value, each)])) {
      if (outcome.errors.length === 0) valid++;
      else if (best === undefined || outcome.matches > best.matches) best = outcome;
    }
    if (valid === 1) return;
    const how = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    this.#refuseWhole(`must validate one and only one schema (oneOf). ${how}`);
    if (valid === 0) this.errors.push(...(best?.errors ?? []));
  }

  #checkAllOf(value: Json, part: SchemaPart): void {
    let valid = 0;
    for (const { errors } of overItems(part.allOf, (each) => [this.#try(value, each)])) {
      if (errors.length === 0) valid++;
      for (const each of errors) this.errors.push(each);
    }
    if (valid === part.allOf.length) return;
    this.#refuseWhole(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }

  /** Validates a value with another schema, without reporting its errors yet. */
  #try(value: Json, part: SchemaPart): Outcome {
    return this.#apart(() => this.visit(value, part, undefined));
  }

  /** Visits items or members, in parts if there are many. */
  #visitEach<Item>(items: readonly Item[], visit: (item: Item, index: number) => void): void {
    if (items.length <= ITEMS_IN_PART) {
      items.forEach(visit);
      return;
    }
    for (let from = 0; from < items.length; from += ITEMS_IN_PART) {
      const end = Math.min(from + ITEMS_IN_PART, items.length);
      const visitSome = () => {
        for (let index = from; index < end; index++) visit(items[index] as Item, index);
      };
      const found = inPart(() => this.#apart(visitSome));
      for (const each of found.errors) this.errors.push(each);
      this.#matches += found.matches;
    }
  }

  #apart(visit: () => void): Outcome {
    const { errors } = this;
    const matches = this.#matches;
    this.errors = [];
    this.#matches = 0;
    visit();
    const outcome = { errors: this.errors, matches: this.#matches };
    this.errors = errors;
    this.#matches = matches;
    return outcome;
  }

  /** An error of a value as a whole has no field in Kubernetes' cause, only in its message. */
  #refuseWhole(what: string): void {
    const field = this.#prefix === '' ? '<nil>' : this.#prefix;
    this.errors.push(fieldError.invalid(field, '', `${goQuote(this.#name())} ${what}`));
  }

  #checkText(text: string, part: SchemaPart): void {
    const { minLength, maxLength, pattern } = part.limits;
    const length = minLength === undefined && maxLength === undefined ? 0 : charactersIn(text);
    if (maxLength !== undefined && length > maxLength) {
      this.errors.push(fieldError.tooLong(this.#field(), maxLength));
    } else if (minLength !== undefined && length < minLength) {
      this.#refuse(text, `should be at least ${minLength} chars long`);
    } else if (pattern !== '' && !patternOf(part, this.#patterns).test(text)) {
      this.#refuse(text, `should match '${pattern}'`);
    }
  }

  #checkNumber(value: number | bigint, kind: 'integer' | 'number', { limits, numbers }: SchemaPart): void {
    this.#matches++;
    const type = this.#rangesNumbers ? numbers : undefined;
    for (const fault of numberFaults(value, kind === 'integer', { limits, type })) {
      if ('outOfRange' in fault) this.#refuseRange(fault.outOfRange, type as NumberType);
      else if (fault.about === 'factor') this.#refuseFactor(fault.limit);
      else this.#refuse(value, `should be ${fault.about} ${limitText(fault.limit)}`);
    }
  }

  /** Like other errors that name no field in Kubernetes' cause. */
  #refuseRange(what: string, { name, format }: NumberType): void {
    const typed = `${name} ${format === '' ? '(default format)' : `with format ${format}`}`;
    const detail = `${what} value must be of type ${typed} in ${this.#name()}`;
    this.errors.push(fieldError.invalid(this.#prefix === '' ? '<nil>' : this.#prefix, '', detail));
  }

  #refuseFactor(factor: number | bigint): void {
    const detail = `factor MultipleOf declared for ${this.#name()} must be positive: ${limitText(factor)}`;
    this.errors.push(fieldError.invalid(this.#field(), factor, detail));
  }

  #checkList(items: readonly Json[], part: SchemaPart, previous: CorrelatedPair | undefined): void {
    this.#matches++;
    if (part.items !== undefined) {
      const ofItems = part.items;
      this.#visitEach(items, (item, index) => {
        this.#path.enter(index);
        this.visit(item, ofItems, previous?.item(index));
        this.#path.leave();
      });
    }
    const { minItems, maxItems } = part.limits;
    if (minItems !== undefined && items.length < minItems) {
      this.#refuse(items.length, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && items.length > maxItems) this.#refuseMany(items.length, maxItems);
  }

  #checkEnum(value: Json, part: SchemaPart): void {
    if (part.limits.enum.length === 0) return;
    const enumeration = enumerationOf(part);
    if (enumeration.has(value)) return;
    const told = { field: this.#field(), value: withSortedMembers(value), detail: enumeration.supported };
    this.errors.push({ type: 'FieldValueNotSupported', ...told });
  }

  #checkObject(object: JsonObject, part: SchemaPart, previous: CorrelatedPair | undefined): void {
    const { minProperties, maxProperties, required } = part.limits;
    // Counting takes as long as everything else if there are many.
    const count = minProperties === undefined && maxProperties === undefined ? 0 : Object.keys(object).length;
    if (minProperties !== undefined && count < minProperties) {
      this.#refuse(count, `should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && count > maxProperties) this.#refuseMany(count, maxProperties);
    if (part.additional !== undefined) this.#checkUndeclared(object, part, previous);
    const checkDeclared = ([name, member]: readonly [string, SchemaPart]) => {
      const value = ownMember(object, name);
      if (value !== undefined) this.#checkMember(name, { value, part: member, old: previous });
    };
    if (part.properties.size > ITEMS_IN_PART) this.#visitEach([...part.properties], checkDeclared);
    else for (const declared of part.properties) checkDeclared(declared);
    for (const name of required) {
      if (ownMember(object, name) !== undefined) continue;
      this.#path.enter(name);
      this.errors.push(fieldError.required(this.#field()));
      this.#path.leave();
    }
  }

  #checkUndeclared(object: JsonObject, part: SchemaPart, old: CorrelatedPair | undefined): void {
    this.#visitEach(Object.keys(object).sort(), (name) => {
      if (part.properties.has(name)) return;
      if (part.additional === false) {
        const detail = `${this.#name()}.${name} in body is a forbidden property`;
        this.errors.push(fieldError.invalid(this.#field(), '', detail));
      } else if (typeof part.additional === 'object') {
        this.#checkMember(name, { value: object[name] as Json, part: part.additional, old });
      }
    });
  }

  #checkMember(name: string, member: { value: Json; part: SchemaPart; old: CorrelatedPair | undefined }): void {
    const { value, part, old } = member;
    const isOwn = this.#prefix === '' && this.#path.text() === '' && NEVER_FORGIVEN.has(name);
    this.#path.enter(name);
    this.visit(value, part, isOwn ? undefined : old?.member(name));
    this.#path.leave();
  }

  #refuse(value: Json, what: string): void {
    this.errors.push(fieldError.invalid(this.#field(), value, `${this.#name()} in body ${what}`));
  }

  #refuseMany(count: number, most: number): void {
    this.errors.push(fieldError.tooMany(this.#field(), count, most));
  }

  /** The path in messages: relative to the validated value. */
  #name(): string {
    return this.#path.text();
  }

  /** The path in causes: relative to the whole object. */
  #field(): string {
    const name = this.#name();
    if (this.#prefix === '') return name === '' ? '<nil>' : name;
    return name === '' ? this.#prefix : `${this.#prefix}.${name}`;
  }
}

/** Go's names of JSON number types. */
const GO_FORMATS: Readonly<Record<string, string>> = lookup({ integer: 'int64', number: 'float64' });

function patternOf(part: SchemaPart, compiled: CompiledPatterns): Pattern {
  let pattern = patterns.get(part);
  if (pattern === undefined) {
    pattern = compiled.of(part.limits.pattern);
    patterns.set(part, pattern);
  }
  return pattern;
}

/** Characters, not UTF-16 units. */
function charactersIn(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) count--;
  }
  return count;
}
