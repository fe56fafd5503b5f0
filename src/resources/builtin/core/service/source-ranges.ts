// Validation of the source ranges of load balancers, which are in a field or, formerly, in an annotation.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import type { StrategyContext } from '../../../definition.ts';
import { validateItems } from '../../../validation/field-rules.ts';
import { legacyAddresses } from '../../../validation/ip-addresses.ts';
import type { Service } from './objects.ts';

const ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';
export const ONLY_BALANCERS = "may only be used when `type` is 'LoadBalancer'";

/**
 * The field has its Go name here. Ranges that were in the field before need not be mended, blanks around them are no
 * change; the annotation is judged as a whole.
 * @param previous the stored service of an update
 */
export function validateSourceRanges(
  { spec, metadata }: Service,
  rules: Pick<StrategyContext, 'gateEnabled'>,
  previous: Service | undefined,
): FieldError[] {
  const ranges = spec?.loadBalancerSourceRanges ?? [];
  const misplaced = (field: string) =>
    spec?.type === 'LoadBalancer' ? [] : [fieldError.forbidden(field, ONLY_BALANCERS)];
  if (ranges.length > 0) {
    const field = 'spec.LoadBalancerSourceRanges';
    const known = previous?.spec?.loadBalancerSourceRanges ?? [];
    const legacy = legacyAddresses(rules, known.map(trimmed));
    return [...misplaced(field), ...validateItems(ranges, field, (range, at) => legacy.cidr(trimmed(range), at))];
  }
  const annotation = metadata.annotations?.[ANNOTATION];
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${ANNOTATION}]`;
  const isKept = previous?.metadata.annotations?.[ANNOTATION] === annotation;
  const written = isKept || annotation.trim() === '' ? [] : annotation.split(',');
  const legacy = legacyAddresses(rules);
  return [...misplaced(field), ...written.flatMap((range) => legacy.cidr(range.trim(), field))];
}

function trimmed(range: unknown): string {
  return String(range).trim();
}
