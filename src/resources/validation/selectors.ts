// Validation of node selectors of pods and volumes.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { labelValueFaults, subdomainFaults } from '../../api/names.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { StrategyContext } from '../definition.ts';
import { faultErrors, validateItems } from './field-rules.ts';
import { keepableValues } from './kept-faults.ts';
import { type SelectorExpression, validateLabelKey } from './label-selector.ts';

interface NodeSelectorFields {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | null;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly SelectorExpression[];
  readonly matchFields?: readonly SelectorExpression[];
}

/** A node selector has at least one term. */
export function validateNodeSelector(selector: NodeSelectorFields, field: string, anyValues = false): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const here = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldError.required(here, 'must have at least one node selector term')];
  return validateItems(terms, here, (term, field) => validateNodeSelectorTerm(term, field, anyValues));
}

/** The first minor release of Kubernetes 1 in which values of a selector that must match are those of labels. */
const LABEL_VALUES = 33;

/** The node selector of a pod or PersistentVolume that must match. Updates may keep values that labels cannot have. */
export function validateRequiredNodeSelector(
  selector: NodeSelectorFields,
  field: string,
  context: Pick<StrategyContext, 'minor'>,
): FieldError[] {
  if (!isSince(context, LABEL_VALUES)) return validateNodeSelector(selector, field, true);
  return keepableValues('node selector', validateNodeSelector(selector, field));
}

/** @param anyValues whether values need not be valid label values (allowed in preferences) */
export function validateNodeSelectorTerm(term: NodeSelectorTerm, field: string, anyValues = false): FieldError[] {
  return [
    ...validateItems(term.matchExpressions ?? [], `${field}.matchExpressions`, (expression, here) => [
      ...validateNodeLabels(expression, here),
      ...(anyValues ? [] : validateValues(expression, here)),
    ]),
    ...validateItems(term.matchFields ?? [], `${field}.matchFields`, validateNodeFields),
  ];
}

const NOT_AN_OPERATOR = 'not a valid selector operator';

function validateNodeLabels({ key = '', operator = '', values }: SelectorExpression, field: string): FieldError[] {
  return [...validateOperator(operator, values?.length ?? 0, field), ...validateLabelKey(key, `${field}.key`)];
}

function validateOperator(operator: string, count: number, field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count > 0) return [];
      return [fieldError.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist': {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return count === 0 ? [] : [fieldError.forbidden(`${field}.values`, why)];
    }
    case 'Gt':
    case 'Lt': {
      const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      return count === 1 ? [] : [fieldError.required(`${field}.values`, why)];
    }
    default:
      return [fieldError.invalid(`${field}.operator`, operator, NOT_AN_OPERATOR)];
  }
}

function validateValues({ values }: SelectorExpression, field: string): FieldError[] {
  return validateItems(values ?? [], `${field}.values`, (value, here) =>
    faultErrors(labelValueFaults(value), value, here),
  );
}

/** Nodes can be selected by one field, their name. */
function validateNodeFields({ key = '', operator = '', values }: SelectorExpression, field: string): FieldError[] {
  const found: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    found.push(fieldError.invalid(`${field}.operator`, operator, NOT_AN_OPERATOR));
  } else if (values?.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    found.push(fieldError.required(`${field}.values`, why));
  }
  if (key !== 'metadata.name') {
    return [...found, fieldError.invalid(`${field}.key`, key, 'not a valid field selector key')];
  }
  for (const [index, value] of (values ?? []).entries()) {
    found.push(...faultErrors(subdomainFaults(value), value, `${field}.values[${index}]`));
  }
  return found;
}
