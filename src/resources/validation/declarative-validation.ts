// Declarative validation next to hand-written validation. In releases before 1.36 kinds opt in by their strategy, both run,
// their errors are compared, and a gate selects which are used; mismatches are reported to the operator. From 1.36 on the
// tags of all types are enforced, and errors of hand-written rules that say the same are left out.

import type { FieldError, FieldErrors } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { joined, NONE } from '../../base/findings.ts';
import { isBrokenOff } from '../../base/resumed.ts';
import type { DeclaredValidation } from '../../schema/declared/validation.ts';
import { declaredRules } from '../../schema/declared-rules.ts';
import type { StructNode } from '../../schema/node.ts';
import type { StrategyContext } from '../definition.ts';

/** An error of hand-written validation that declarative validation covers. */
export function coveredByDeclaration(error: FieldError, origin: string): FieldError {
  return { ...error, origin, covered: true };
}

/** The types that opt in, and the subresources to whose writes their declared rules apply; '' for the object itself. */
const OPTED_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['certificates/v1.CertificateSigningRequest', ['', 'approval', 'status']],
  ['core/v1.ReplicationController', ['', 'scale']],
]);

/** Whether a type opts in for writes to a subresource; '' for the object itself. */
export function optsIn({ name }: Pick<StructNode, 'name'>, subresource: string): boolean {
  return OPTED_IN.get(name)?.includes(subresource) === true;
}

/** The object to validate. */
interface Validated {
  /** The type with the declarative rules. */
  readonly type: StructNode;
  readonly next: ApiObject | JsonObject;
  /** Undefined for a create. */
  readonly previous: ApiObject | JsonObject | undefined;
  readonly context: StrategyContext;
  /** Whether the kind opts in. */
  readonly isKnown: boolean;
}

/**
 * Validation errors of an object.
 *
 * @param found errors of hand-written validation
 */
export function withDeclaredRules(found: FieldErrors, validated: Validated): FieldErrors {
  const { type, next, previous, context, isKnown } = validated;
  const { gateEnabled, declarative, declared: enforced } = context;
  if (enforced !== undefined) return withEnforcedRules(found, validated, enforced);
  if (!isKnown || !gateEnabled('DeclarativeValidation')) return found;
  const takesOver = gateEnabled('DeclarativeValidationTakeover');
  let declared: FieldErrors = NONE;
  try {
    declared = declaredRules(type)(next as JsonObject, previous as JsonObject | undefined);
  } catch (error) {
    if (isBrokenOff(error)) throw error;
    declarative?.panicked(error);
    if (!takesOver) return found;
    declared = [{ type: 'InternalError', field: '', detail: `panic during declarative validation: ${error}` }];
  }
  if (found.length === 0 && declared.length === 0) return NONE;
  for (const detail of mismatches(found, declared, takesOver)) declarative?.mismatched(detail);
  if (!takesOver) return found;
  return joined(
    found.filter(({ covered }) => covered !== true),
    declared,
  );
}

function withEnforcedRules(
  found: FieldErrors,
  { type, next, previous, context: { gateEnabled } }: Validated,
  enforced: DeclaredValidation,
): FieldErrors {
  const beta = gateEnabled('DeclarativeValidation') && gateEnabled('DeclarativeValidationBeta');
  const values = { next: next as JsonObject, previous: previous as JsonObject | undefined };
  const declared = enforced.validate(type, values, { isOn: gateEnabled, beta });
  if (declared.length === 0) return found;
  const byField = Map.groupBy(declared, ({ field }) => field);
  const isTold = (error: FieldError) =>
    withEnclosing(error.field).some((field) => byField.get(field)?.some((each) => saysTheSame(each, error)));
  return joined(
    found.filter((error) => error.covered === false || !isTold(error)),
    declared,
  );
}

/** A field, and those that it is within. */
function withEnclosing(field: string): string[] {
  const fields = ['', field];
  for (let dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) fields.push(field.slice(0, dot));
  return fields;
}

/** How changes are refused. */
const REFUSED_CHANGE = /^field (?:is immutable|cannot be (?:set once created|cleared once set|modified once set))$/;
/** How hand-written rules say so. */
const ABOUT_CHANGE = /immutable|\bchange|\bupdate|\bonce\b|\bcleared\b/;
const ABOUT_UNION = /\bone of\b|exclusive|exactly one|at most one|only one|\bmust specify\b|more than one|\bboth\b/;
/** How errors name unions and their members. */
const UNION = /^must specify (?:exactly one|one|at most one) of: /;

/** Whether a declared error stands for a hand-written one, whose twin in Kubernetes was marked or deleted. */
function saysTheSame(declared: FieldError, written: FieldError): boolean {
  const { type, field } = written;
  const { detail } = declared;
  if (field === declared.field) return isSameFault(declared, written) || endsTheMatter(declared, written);
  if (!field.startsWith(declared.field === '' ? '' : `${declared.field}.`)) return false;
  const member = field.slice(declared.field.length).replace(/^\./, '');
  // The error of a repeated item is that of the item, not of its key.
  if (declared.type === 'FieldValueDuplicate') return type === declared.type && !/[.[]/.test(member);
  return UNION.test(detail) && type !== 'FieldValueInvalid' && detail.includes(`\`${member}\``);
}

/** Other fields that a text names. */
const NAMED_FIELD = /`\w+`/;

/** An error about the relation to another field is not the same as one about the value alone. */
function isSameFault(declared: FieldError, { type, detail }: FieldError): boolean {
  if (type !== declared.type || REFUSED_CHANGE.test(declared.detail)) return false;
  return type !== 'FieldValueInvalid' || !NAMED_FIELD.test(detail);
}

/** Whether a declared error stands for what is wrong with its field, except what another field makes wrong with it. */
function endsTheMatter({ type, detail, value }: FieldError, written: FieldError): boolean {
  // A format refuses an empty text that a rule before it would have asked for.
  if (type === 'FieldValueInvalid' && value === '' && written.type === 'FieldValueRequired') return true;
  if (type === 'FieldValueRequired') return !NAMED_FIELD.test(written.detail);
  return (
    (UNION.test(detail) && ABOUT_UNION.test(written.detail)) ||
    (REFUSED_CHANGE.test(detail) && ABOUT_CHANGE.test(written.detail))
  );
}

/** Errors found by only one of the two. A hand-written one may match several declarative ones, not vice versa. */
function mismatches(found: FieldErrors, declared: FieldErrors, takesOver: boolean): string[] {
  const details: string[] = [];
  const tell = (what: string, error: FieldError) => {
    const advice = takesOver
      ? 'Consider disabling the DeclarativeValidationTakeover feature gate to keep data persisted in etcd consistent with prior versions of Kubernetes.'
      : 'This difference should not affect system operation since hand written validation is authoritative.';
    details.push(
      `Unexpected difference between hand written validation and declarative validation error results, ${what} error(s) found ${rendered(error)}. ` +
        `This indicates an issue with declarative validation. ${advice}`,
    );
  };
  const alike = new Set(declared.map(likeness));
  const seen = new Map<string, FieldError[]>();
  for (const error of found) {
    if (error.covered !== true) continue;
    const key = likeness(error);
    const before = seen.get(key) ?? [];
    // Updates of some kinds are validated twice.
    if (before.some((each) => isSame(each, error))) continue;
    if (before.length > 0 || !alike.has(key)) tell('unmatched', error);
    before.push(error);
    seen.set(key, before);
  }
  for (const error of declared) if (!seen.has(likeness(error))) tell('extra', error);
  return details;
}

/** What a hand-written error and its declared twin have in common. */
function likeness({ type, field, origin = '' }: FieldError): string {
  return `${type} ${origin} ${field}`;
}

/** Whether two that are alike are one. */
function isSame(one: FieldError, other: FieldError): boolean {
  return one.detail === other.detail && equalJson(one.value as Json, other.value as Json);
}

function rendered({ type, field, origin = '' }: FieldError): string {
  const facts = [`Type=${JSON.stringify(type)}`, `Field=${JSON.stringify(field)}`];
  if (origin !== '' || type === 'FieldValueInvalid') facts.push(`Origin=${JSON.stringify(origin)}`);
  return `{${facts.join(', ')}}`;
}
