// Compilation of the CEL expressions that select devices, in claims and device classes, when they are written.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ReadonlyJson } from '../../../api/object.ts';
import { ANY, BOOL } from '../../../cel/types/type.ts';
import { declaredTypeText } from '../../../cel/types/type-text.ts';
import { compileInParts } from '../../../expressions/compiled-expression.ts';
import { DEVICE_SIZES, deviceEnvironments } from '../../../expressions/device-environment.ts';
import { type Environments, environmentsAfter } from '../../../expressions/environments.ts';
import type { StrategyContext } from '../../definition.ts';
import { validateMostBytes } from '../../validation/field-rules.ts';

const MAX_BYTES = 10 * 1024;
/** Cost limit of a device selector, as in Kubernetes. */
const MAX_COST = 1_000_000;

/** Validates a selector's expression. */
export type SelectorCheck = (expression: string, field: string) => FieldError[];

/** @param previous the stored object of an update; undefined for a create */
export function selectorCheck(
  previous: { readonly spec?: ReadonlyJson } | undefined,
  context: StrategyContext,
): SelectorCheck {
  let environments: Environments | undefined;
  return (expression, field) => {
    const tooLong = validateMostBytes(expression, MAX_BYTES, field);
    if (tooLong.length > 0) return tooLong;
    const base = environmentsAfter(previous?.spec, /^expression$/, context);
    environments ??= deviceEnvironments(base, context.gateEnabled('DRAConsumableCapacity'));
    const compiled = compileInParts(environments.for(expression), expression, { sizes: DEVICE_SIZES });
    if (compiled.fault !== undefined) return [fieldError.invalid(field, expression, compiled.fault)];
    const { type } = compiled.checked;
    if (type.kind !== BOOL.kind && type.kind !== ANY.kind) {
      const detail = `must evaluate to bool or the unknown type, not ${declaredTypeText(type)}`;
      return [fieldError.invalid(field, expression, detail)];
    }
    return compiled.maxCost > MAX_COST ? [fieldError.forbidden(field, 'too complex, exceeds cost limit')] : [];
  };
}
