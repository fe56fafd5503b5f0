// Validation of consumable capacity: what claims may request of it, and their default.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityValue,
} from '../../../api/quantity.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { validateMostItems } from '../../validation/field-rules.ts';
import type { CapacityRequestPolicyRange, DeviceCapacity } from './v1beta2-objects.ts';

const MAX_VALUES = 10;
const ONE_POLICY =
  'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';

/** The first minor release of Kubernetes 1 whose errors name the default, and that bounds the parts of a range. */
const BOUNDS = 37;
const ZERO = parseQuantity('0');

interface Device {
  /** Whether the device may be allocated to several claims. */
  readonly isShared: boolean;
  readonly release: { readonly minor?: number | undefined };
}

export function validateCapacity(capacity: DeviceCapacity, { isShared, release }: Device, field: string): FieldError[] {
  const { requestPolicy: policy } = capacity;
  const here = `${field}.requestPolicy`;
  if (policy === undefined) return [];
  if (!isShared) return [fieldError.forbidden(here, 'allowMultipleAllocations must be true')];
  const { validValues: values = [], validRange: range } = policy;
  if (values.length > 0 && range !== undefined) return [fieldError.forbidden(here, ONE_POLICY)];
  const form = values.length > 0 ? 'validValues' : range === undefined ? undefined : 'validRange';
  if (form === undefined) return [];
  if ((policy.default ?? null) === null) {
    return [fieldError.required(`${here}.default`, `required when ${form} is defined`)];
  }
  const bounds = isSince(release, BOUNDS);
  const amounts = { standard: parseQuantity(policy.default!), most: parseQuantity(capacity.value ?? '0'), bounds };
  return range === undefined
    ? validateValues(values.map(parseQuantity), amounts, `${here}.validValues`)
    : validateRange(range, amounts, `${here}.validRange`);
}

interface Amounts {
  /** The amount for claims without a request. */
  readonly standard: Quantity;
  readonly most: Quantity;
  /** Whether errors name the field of the default, and the parts of a range are bounded. */
  readonly bounds: boolean;
}

function validateValues(values: readonly Quantity[], { standard, most }: Amounts, field: string): FieldError[] {
  const isLess = (one: Quantity, other: Quantity | undefined) =>
    other !== undefined && compareQuantities(one, other) < 0;
  const known = new Set<bigint>();
  const found = [
    ...values.flatMap((value, index) =>
      isLess(value, values[index - 1])
        ? [invalid(`${field}[${index}]`, value, 'values must be sorted in ascending order')]
        : [],
    ),
    ...values.flatMap((value, index) =>
      isLess(most, value)
        ? [invalid(`${field}[${index}]`, value, `option is larger than capacity value: ${formatQuantity(most)}`)]
        : [],
    ),
    ...validateMostItems(values, MAX_VALUES, field),
    ...values.flatMap((value, index) => {
      const whole = quantityValue(value);
      if (known.has(whole)) return [fieldError.duplicate(`${field}[${index}]`, String(whole))];
      known.add(whole);
      return [];
    }),
  ];
  if (values.some((value) => compareQuantities(value, standard) === 0)) return found;
  return [...found, invalid(field, standard, 'default value is not valid according to the requestPolicy')];
}

function validateRange(range: CapacityRequestPolicyRange, amounts: Amounts, field: string): FieldError[] {
  if (range.min === undefined) return [fieldError.required(`${field}.min`, 'required when validRange is defined')];
  const { standard, most, bounds } = amounts;
  const isMore = (one: Quantity, other: Quantity) => compareQuantities(one, other) > 0;
  const least = parseQuantity(range.min);
  const found: FieldError[] = [];
  if (isMore(least, most)) {
    found.push(invalid(`${field}.min`, least, `min is larger than capacity value: ${formatQuantity(most)}`));
  }
  if (isMore(least, standard)) {
    found.push(
      invalid(`${field}.${bounds ? 'default' : 'min'}`, standard, `default is less than min: ${formatQuantity(least)}`),
    );
  }
  const max = range.max === undefined ? undefined : parseQuantity(range.max);
  if (max !== undefined) {
    const here = `${field}.max`;
    if (isMore(least, max)) found.push(invalid(here, least, `min is larger than max: ${formatQuantity(max)}`));
    if (isMore(max, most)) {
      found.push(invalid(here, max, `max is larger than capacity value: ${formatQuantity(most)}`));
    }
    if (isMore(standard, max)) {
      found.push(
        invalid(bounds ? `${field}.default` : here, standard, `default is more than max: ${formatQuantity(max)}`),
      );
    }
  }
  if (range.step === undefined) return found;
  return [...found, ...validateStep(parseQuantity(range.step), { ...amounts, least, max }, field)];
}

interface Ends extends Amounts {
  readonly least: Quantity;
  readonly max: Quantity | undefined;
}

/** Steps are counted from the minimum. */
function validateStep(step: Quantity, { standard, most, least, max, bounds }: Ends, range: string): FieldError[] {
  const field = `${range}.step`;
  const width = quantityValue(step);
  // Before 1.37 kube-apiserver divides by zero and closes the connection.
  if (width === 0n || (bounds && compareQuantities(step, ZERO) < 0))
    return [invalid(field, step, 'must be greater than zero')];
  const found: FieldError[] = [];
  const first = addQuantities(least, step);
  if (compareQuantities(first, most) > 0) {
    const why = `one step ${formatQuantity(first)} is larger than capacity value: ${formatQuantity(most)}`;
    found.push(invalid(field, step, why));
  }
  const unbounded = bounds ? validateBounds({ default: standard, min: least, max, step }, range) : [];
  if (unbounded.length > 0) return [...found, ...unbounded];
  for (const value of [standard, max]) {
    if (value === undefined || (quantityValue(value) - quantityValue(least)) % width === 0n) continue;
    const why = `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(least)})`;
    found.push(invalid(field, value, why));
  }
  return found;
}

/** Amounts that are not negative. */
function validateBounds(amounts: Readonly<Record<string, Quantity | undefined>>, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    if (amount === undefined || compareQuantities(amount, ZERO) >= 0) return [];
    return [invalid(`${field}.${name}`, amount, 'must be greater than or equal to 0')];
  });
}

function invalid(field: string, value: Quantity, why: string): FieldError {
  return fieldError.invalid(field, formatQuantity(value), why);
}
