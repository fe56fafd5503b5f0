// Validation of resource quantities and resource names: cpu, memory, huge pages, storage, object counts and extended
// resources.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { qualifiedNameFaults } from '../../api/names.ts';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityValue,
  roundUpQuantity,
} from '../../api/quantity.ts';
import { faultErrors } from './field-rules.ts';

const ZERO = parseQuantity('0');
const HUGE_PAGES = 'hugepages-';

const OF_CONTAINERS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const STANDARD: ReadonlySet<string> = new Set([
  ...OF_CONTAINERS,
  ...COUNTED,
  'storage',
  'requests.storage',
  ...['requests.', 'limits.'].flatMap((side) => [...OF_CONTAINERS].map((name) => `${side}${name}`)),
]);

export function isHugePages(resource: string): boolean {
  return resource.startsWith(HUGE_PAGES);
}

/** A native resource: without a domain, or with kubernetes.io. */
export function isNativeResource(resource: string): boolean {
  return !resource.includes('/') || resource.includes('kubernetes.io/');
}

/** An extended resource: `example.com/gpu`. */
export function isExtendedResource(resource: string): boolean {
  if (isNativeResource(resource) || resource.startsWith('requests.')) return false;
  return qualifiedNameFaults(`requests.${resource}`).length === 0;
}

/** Whether limits may exceed requests. */
export function mayOvercommit(resource: string): boolean {
  return isNativeResource(resource) && !isHugePages(resource);
}

/** A resource name: qualified, or one that Kubernetes knows. */
export function validateResourceName(resource: string, field: string): FieldError[] {
  const faults = qualifiedNameFaults(resource);
  if (faults.length > 0) return faultErrors(faults, resource, field);
  const known = STANDARD.has(resource) || isHugePages(resource) || resource.startsWith(`requests.${HUGE_PAGES}`);
  if (resource.includes('/') || known) return [];
  return [fieldError.invalid(field, resource, 'must be a standard resource type or fully qualified')];
}

/** A resource name for containers. */
export function validateContainerResourceName(resource: string, field: string): FieldError[] {
  if (OF_CONTAINERS.has(resource)) return [];
  const found = validateResourceName(resource, field);
  if (!resource.includes('/')) {
    if (isHugePages(resource)) return found;
    return [...found, fieldError.invalid(field, resource, 'must be a standard resource for containers')];
  }
  if (isNativeResource(resource) || isExtendedResource(resource)) return found;
  return [...found, fieldError.invalid(field, resource, "doesn't follow extended resource name standard")];
}

/** A resource quantity: not negative, and whole if fractions make no sense. */
export function validateResourceAmount(resource: string, amount: string, field: string): FieldError[] {
  const found = validateNonNegativeQuantity(amount, field);
  if (OF_CONTAINERS.has(resource) || (!COUNTED.has(resource) && !isExtendedResource(resource))) return found;
  if (isWhole(parseQuantity(amount))) return found;
  return [...found, fieldError.invalid(field, amount, 'must be an integer')];
}

export function validateNonNegativeQuantity(amount: string, field: string): FieldError[] {
  if (!amount.startsWith('-')) return [];
  return [fieldError.invalid(field, amount, 'must be greater than or equal to 0')];
}

/** Whole within the precision of thousandths. */
function isWhole(quantity: Quantity): boolean {
  return int64Of(quantity, -3) % 1000n === 0n;
}

const MAX_INT64 = 2n ** 63n - 1n;
/** Decimal digits that Kubernetes holds as an integer; more are a number of any size. */
const INTEGER_DIGITS = 18;
/** The powers of ten by which Kubernetes multiplies at once, when what exceeds 64 bits is cut off. */
const MULTIPLIED_AT_ONCE: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 9]);

/**
 * The amount in units of ten to the power of `unit`, rounded away from zero, as Kubernetes computes it in 64 bits
 * (Quantity.ScaledValue): of a larger one the lowest bits, or zero.
 */
function int64Of(quantity: Quantity, unit: number): bigint {
  const { mantissa, exponent } = roundUpQuantity(quantity, unit);
  const exact = quantityValue({ mantissa, exponent: exponent - unit, format: quantity.format });
  const magnitude = exact < 0n ? -exact : exact;
  if (magnitude <= MAX_INT64) return exact;
  const isInteger =
    quantity.format !== 'BinarySI' && String(quantity.mantissa).replace('-', '').length <= INTEGER_DIGITS;
  return isInteger && !MULTIPLIED_AT_ONCE.has(quantity.exponent - unit) ? 0n : BigInt.asIntN(64, exact);
}

/** Compares two quantities in text form: -1, 0 or 1. */
export function compareAmounts(one: string, other: string): -1 | 0 | 1 {
  if (one === other) return 0;
  const [left, right] = [PLAIN.exec(one), PLAIN.exec(other)];
  // Most compared quantities are plain numbers with the same unit.
  if (left === null || right === null || left[2] !== right[2]) {
    return compareQuantities(parseQuantity(one), parseQuantity(other));
  }
  const difference = Number(left[1]) - Number(right[1]);
  return difference === 0 ? 0 : difference < 0 ? -1 : 1;
}

const PLAIN = /^([0-9]{1,15})([A-Za-z]{0,2})$/;
const POSITIVE = /^[1-9][0-9]{0,14}[A-Za-z]{0,2}$/;
const PLAINLY_WHOLE = /^(?:[0-9]{1,9}(?:[KM]i?|k)?|[0-9]{1,6}Gi?|[0-9]{1,3}Ti?)$/;

export function isPositiveAmount(amount: string): boolean {
  if (POSITIVE.test(amount)) return true;
  return compareQuantities(parseQuantity(amount), ZERO) > 0;
}

/** Huge pages must be whole pages; their size is in the resource's name: `hugepages-2Mi`. */
export function validateWholePages(resource: string, amount: string, field: string): FieldError[] {
  if (isMultiple(amount, resource.slice(HUGE_PAGES.length))) return [];
  return [fieldError.invalid(field, amount, `${amount} is not positive integer multiple of ${resource}`)];
}

function isMultiple(amount: string, unit: string): boolean {
  try {
    const page = parseQuantity(unit);
    if (page.mantissa <= 0n || !isWhole(page)) return false;
    const size = int64Of(page, 0);
    return size !== 0n && int64Of(parseQuantity(amount), 0) % size === 0n;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** Whether a quantity in thousandths is not whole. */
export function isFractional(amount: string): boolean {
  return !PLAINLY_WHOLE.test(amount) && !isWhole(parseQuantity(amount));
}
