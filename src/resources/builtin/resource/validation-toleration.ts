// Validation of the tolerations of device taints, in requests and in allocated devices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelValueFaults, qualifiedNameFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { faultErrors, validateChoice } from '../../validation/field-rules.ts';
import type { DeviceToleration } from './v1beta2-objects.ts';

interface Release {
  readonly minor?: number | undefined;
}

const EFFECTS = ['NoExecute', 'NoSchedule'];
/** From 1.35 on a taint may be without effect, to be tried out. */
const EFFECTS_AND_NONE = [...EFFECTS, 'None'];

/** The effects that taints and tolerations of devices may have. */
export function taintEffects(release: Release): readonly string[] {
  return isSince(release, 35) ? EFFECTS_AND_NONE : EFFECTS;
}

export function validateToleration(toleration: DeviceToleration, field: string, release: Release): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  const found = key === '' ? [] : faultErrors(qualifiedNameFaults(key), key, `${field}.key`);
  if (operator === 'Exists') {
    if (value !== '') found.push(fieldError.invalid(`${field}.value`, value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal') {
    found.push(...faultErrors(labelValueFaults(value), value, `${field}.value`));
  } else if (operator === '') found.push(fieldError.required(`${field}.operator`));
  else found.push(...validateChoice(operator, ['Equal', 'Exists'], `${field}.operator`));
  if (effect !== '') found.push(...validateChoice(effect, taintEffects(release), `${field}.effect`));
  return found;
}
