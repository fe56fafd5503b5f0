// Parsing and matching of field selectors, the `fieldSelector` parameter. Kinds decide which fields are selectable; the
// error messages are here.

import { sorting } from '../base/sorting.ts';
import { atOnce, type Steps } from '../base/steps.ts';

/** One `field=value` or, negated, `field!=value`. */
export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

export interface FieldSelector {
  /** Sorted by their text, as in Kubernetes. */
  readonly requirements: readonly FieldRequirement[];
  /** Whether it matches everything. */
  readonly empty: boolean;
  /** Whether all requirements hold; `fieldValue` returns the value of a field, '' if absent. */
  matches(fieldValue: (field: string) => string): boolean;
  /** The only matching value of the field, if the selector requires one: `metadata.name=x`. */
  exactValue(field: string): string | undefined;
  /** The canonical form. */
  toString(): string;
}

/** An invalid selector; the message is Kubernetes'. */
export class FieldSelectorError extends Error {
  override name = 'FieldSelectorError';
}

/** @throws FieldSelectorError */
export function parseFieldSelector(text: string): FieldSelector {
  return atOnce(parsingFieldSelector(text));
}

/** The same in steps, for long selectors. @throws FieldSelectorError */
export function* parsingFieldSelector(text: string): Steps<FieldSelector> {
  const requirements: FieldRequirement[] = [];
  for (const [index, term] of (yield* sorting(yield* splitAtCommas(text))).entries()) {
    const requirement = readTerm(term, text);
    // Terms with neither field nor value are ignored.
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
    if (index % TERMS_IN_STEP === TERMS_IN_STEP - 1) yield;
  }
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (fieldValue) =>
      requirements.every(({ field, value, negated }) => (fieldValue(field) === value) !== negated),
    exactValue: (field) => requirements.find((each) => each.field === field && !each.negated)?.value,
    toString: () => requirements.map(termText).join(','),
  };
}

const TERMS_IN_STEP = 1_024;

/** The terms; escaped commas belong to a value. */
function* splitAtCommas(text: string): Steps<string[]> {
  if (!text.includes('\\') && text.length < TERMS_IN_STEP) return text.split(',').filter((term) => term !== '');
  const terms: string[] = [];
  const pattern = /(?:\\[\s\S]|[^\\,]|\\$)+/g;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    terms.push(found[0]);
    if (terms.length % TERMS_IN_STEP === 0) yield;
  }
  return terms;
}

function readTerm(term: string, selector: string): FieldRequirement {
  const found = /!=|==?/.exec(term);
  if (found === null) throw new FieldSelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const value = unescaped(term.slice(found.index + found[0].length));
  return { field: term.slice(0, found.index), value, negated: found[0] === '!=' };
}

function unescaped(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  return text.replace(/\\([\s\S]?)|[,=]/gu, (match, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new FieldSelectorError(`invalid field selector: unescaped character in value: ${match.charCodeAt(0)}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new FieldSelectorError(`invalid field selector: invalid escape sequence: ${match}`);
    }
    return escaped;
  });
}

function termText({ field, value, negated }: FieldRequirement): string {
  return `${field}${negated ? '!=' : '='}${value.replace(/[\\,=]/g, '\\$&')}`;
}

/** The value that a selector requires for a field; undefined if there is none, and for an invalid selector. */
export function pinnedFieldIn(text: string, field: string): string | undefined {
  const begin = `${field}=`;
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    if (at > 0 && text[at - 1] !== ',') continue;
    const comma = text.indexOf(',', at);
    const after = text.slice(at + begin.length, comma < 0 ? text.length : comma);
    const value = after.startsWith('=') ? after.slice(1) : after;
    if (value !== '' && !/[=!]/.test(value)) return value;
  }
  return undefined;
}

/** The error of kinds whose only selectable fields are in metadata. */
function onlyMetadataMessage(field: string): string {
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** The error of kinds with additional selectable fields, and of custom resources. */
function notSupportedMessage(field: string): string {
  return `field label not supported: ${field}`;
}

/** The error of the few kinds that include their name: `resource.k8s.io/v1, Kind=ResourceSlice`. */
function notSupportedByKindMessage(field: string, kind: { apiVersion: string; kind: string }): string {
  return `field label not supported for ${kind.apiVersion}, Kind=${kind.kind}: ${field}`;
}

/**
 * The message for a field that is not selectable, of a kind that has selectable fields of its own: that the label is not
 * supported, alone or with the kind in two forms.
 */
export type UnknownFieldWording = 'notSupported' | 'notSupportedByKind' | 'notSupportedForKind';

/** The facts about a resource that determine the message. */
interface SelectableKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly { readonly version: string }[];
  readonly strategy: { readonly selection?: { readonly refusal: UnknownFieldWording } };
}

/** The error for a field that is not selectable, with the message of its kind. */
export function unsupportedField({ group, kind, versions, strategy }: SelectableKind, field: string): string {
  switch (strategy.selection?.refusal) {
    case undefined:
      return onlyMetadataMessage(field);
    case 'notSupported':
      return notSupportedMessage(field);
    case 'notSupportedByKind':
      return notSupportedByKindMessage(field, { apiVersion: `${group}/${versions[0]?.version ?? ''}`, kind });
    case 'notSupportedForKind':
      return `field label ${JSON.stringify(field)} not supported for ${kind}`;
  }
}
