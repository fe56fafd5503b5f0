// Selectors of a request as authorizers are told of them: requirements in one form, those that can't be read left out.

import { type FieldSelector, FieldSelectorError, parseFieldSelector } from '../../api/field-selector.ts';
import {
  type LabelOperator,
  type LabelSelector,
  LabelSelectorError,
  parseLabelSelector,
} from '../../api/label-selector.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { textMember } from '../../api/untyped-members.ts';
import type { SelectorRequirement } from './authorizer.ts';

/** Of a selector that could be read. */
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

/** Of a selector that could be read. */
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

/** Of a review: what it lists, or the text that it gives instead. @param read reads such a text */
export function reviewedRequirements(
  selector: JsonObject,
  read: (text: string) => SelectorRequirement[],
): SelectorRequirement[] {
  const raw = textMember(selector, 'rawSelector');
  if (raw !== '') return read(raw);
  const { requirements } = selector;
  if (!Array.isArray(requirements)) return [];
  return (requirements as JsonObject[]).flatMap((each) => {
    const operator = textMember(each, 'operator');
    if (!OPERATORS.includes(operator)) return [];
    const values = Array.isArray(each['values']) ? (each['values'] as Json[]).map(String) : [];
    return [{ key: textMember(each, 'key'), operator, values }];
  });
}
