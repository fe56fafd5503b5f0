// Validation and matching of label selectors (`matchLabels`, `matchExpressions`).

import { type FieldError, fieldError } from '../../api/errors.ts';
import { type LabelSelector, LabelSelectorError, labelSelectorOf } from '../../api/label-selector.ts';
import { validateLabels } from '../../api/metadata-validation.ts';
import { labelValueFaults, qualifiedNameFaults } from '../../api/names.ts';
import type { JsonObject } from '../../api/object.ts';
import { faultErrors, validateItems } from './field-rules.ts';

export interface LabelSelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly SelectorExpression[];
}

export interface SelectorExpression {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

/** A label selector; an absent one is valid. */
export function validateLabelSelector(selector: LabelSelectorFields | null | undefined, field: string): FieldError[] {
  if (!selector) return [];
  return [
    ...validateLabels(selector.matchLabels, `${field}.matchLabels`),
    ...validateItems(selector.matchExpressions ?? [], `${field}.matchExpressions`, validateExpression),
  ];
}

function validateExpression({ key = '', operator = '', values }: SelectorExpression, field: string): FieldError[] {
  const given = values ?? [];
  const found: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0) {
      found.push(fieldError.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      found.push(fieldError.forbidden(`${field}.values`, why));
    }
  } else {
    found.push(fieldError.invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  found.push(...validateLabelKey(key, `${field}.key`));
  const ofValues = validateItems(given, `${field}.values`, (value, here) =>
    faultErrors(labelValueFaults(value), value, here),
  );
  return ofValues.length === 0 ? found : [...found, ...ofValues];
}

/** A label key or another qualified name. */
export function validateLabelKey(key: string, field: string): FieldError[] {
  return faultErrors(qualifiedNameFaults(key), key, field);
}

/** Whether a selector is empty, and so would match everything. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** The predicate of a selector; undefined for an invalid one. An absent selector matches nothing. */
export function compiledSelector(selector: LabelSelectorFields | undefined): LabelSelector | undefined {
  try {
    return labelSelectorOf(selector as JsonObject | undefined);
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

export const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';
