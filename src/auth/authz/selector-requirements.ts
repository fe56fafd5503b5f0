// Selectors of a request in the form for authorizers: uniform requirements, without those that could not be parsed.

import { type FieldSelector, FieldSelectorError, parseFieldSelector } from '../../api/field-selector.ts';
import {
  type LabelOperator,
  type LabelSelector,
  LabelSelectorError,
  parseLabelSelector,
} from '../../api/label-selector.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { textMember } from '../../api/untyped-members.ts';
import { limits } from '../../base/limits.ts';
import type { SelectorRequirement } from './authorizer.ts';

/** Of a valid selector. */
export function requirementsOfFields({ requirements }: FieldSelector): SelectorRequirement[] {
  return requirements.map(({ field, value, negated }) => ({
    ...{ key: field, operator: negated ? 'NotIn' : 'In', values: [value] },
  }));
}

export function fieldRequirements(text: string): SelectorRequirement[] {
  if (text === '') return [];
  try {
    return requirementsOfFields(parseFieldSelector(text));
  } catch (error) {
    if (!(error instanceof FieldSelectorError)) throw error;
    return [];
  }
}

const LABEL_OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  in: 'In',
  '=': 'In',
  '==': 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** Of a valid selector. */
export function requirementsOfLabels({ requirements }: LabelSelector): SelectorRequirement[] {
  return requirements.flatMap(({ key, operator, values }) => {
    const name = LABEL_OPERATORS[operator];
    return name === undefined ? [] : [{ key, operator: name, values }];
  });
}

export function labelRequirements(text: string): SelectorRequirement[] {
  if (text === '') return [];
  try {
    return requirementsOfLabels(parseLabelSelector(text));
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    return [];
  }
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** How selectors of one kind in a review are parsed. */
interface ReviewedKind {
  /** Of a selector string. */
  readonly read: (text: string) => SelectorRequirement[];
  /** Whether such a string is valid. */
  readonly isText: (text: string) => boolean;
  /** Whether a requirement can be used. */
  readonly supports: (requirement: SelectorRequirement) => boolean;
}

export const reviewedFields: ReviewedKind = {
  read: fieldRequirements,
  isText: (text) => canRead(() => parseFieldSelector(text)),
  supports: ({ operator, values }) => (operator === 'In' || operator === 'NotIn') && values.length === 1,
};

export const reviewedLabels: ReviewedKind = {
  read: labelRequirements,
  isText: (text) => canRead(() => parseLabelSelector(text)),
  supports: ({ operator }) => OPERATORS.includes(operator),
};

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof FieldSelectorError || error instanceof LabelSelectorError) return false;
    throw error;
  }
}

/** Whether a selector is short enough to count in authorization: a request with a longer one is judged without it. */
function isPrompt(raw: string): boolean {
  return raw.length <= limits.promptSelectorCharacters;
}

/** Of a review: its usable requirements, or its raw selector. */
export function reviewedRequirements(selector: JsonObject, kind: ReviewedKind): SelectorRequirement[] {
  const raw = textMember(selector, 'rawSelector');
  if (raw !== '') return isPrompt(raw) ? kind.read(raw) : [];
  return listedRequirements(selector).filter(kind.supports);
}

/** The part of a review's selector that is ignored because it is invalid. */
export function leftOut(selector: JsonObject, kind: ReviewedKind): 'nothing' | 'a part' | 'all' {
  const raw = textMember(selector, 'rawSelector');
  if (raw !== '') return isPrompt(raw) && kind.isText(raw) ? 'nothing' : 'all';
  const listed = listedRequirements(selector);
  const kept = listed.filter(kind.supports).length;
  if (kept === listed.length) return 'nothing';
  return kept === 0 ? 'all' : 'a part';
}

function listedRequirements({ requirements }: JsonObject): SelectorRequirement[] {
  if (!Array.isArray(requirements)) return [];
  return (requirements as JsonObject[]).map((each) => {
    const values = Array.isArray(each['values']) ? (each['values'] as Json[]).map(String) : [];
    return { key: textMember(each, 'key'), operator: textMember(each, 'operator'), values };
  });
}
