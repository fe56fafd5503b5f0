// Amounts of resources as the scheduler counts them: whole numbers by name, CPU in thousandths. Names that it does not
// count, such as unknown ones without a domain, are left out.

import { parseQuantity, type Quantity, quantityValue } from '../../api/quantity.ts';
import { isExtendedResource, isHugePages } from '../../resources/validation/quantities.ts';

export type Amounts = ReadonlyMap<string, number>;

/** A list of resources: requests of a container, the allocatable resources of a node. */
type ResourceList = Readonly<Record<string, string>> | null | undefined;

const BASIC: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const PLAIN = /^(\d{1,9})(m|k|M|G|Ki|Mi|Gi)?$/;
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['m', 1e-3],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
]);

/** The number that a quantity stands for: CPU in thousandths, anything else in whole units; fractions are rounded up. */
export function amountOf(resource: string, quantity: string): number {
  const [, digits, suffix = ''] = PLAIN.exec(quantity) ?? [];
  const isCpu = resource === 'cpu';
  if (digits === undefined) return exactAmount(parseQuantity(quantity), isCpu);
  if (suffix === 'm') return isCpu ? Number(digits) : Math.ceil(Number(digits) / 1000);
  return Number(digits) * (FACTORS.get(suffix) ?? 1) * (isCpu ? 1000 : 1);
}

function exactAmount(quantity: Quantity, isCpu: boolean): number {
  const { mantissa, exponent, format } = quantity;
  return Number(quantityValue(isCpu ? { mantissa, exponent: exponent + 3, format } : quantity));
}

/** Whether the scheduler counts a resource. */
function isCounted(resource: string): boolean {
  return BASIC.has(resource) || isScalar(resource);
}

/** Whether a resource is counted by its name alone: extended ones, huge pages, those of kubernetes.io, volumes. */
function isScalar(resource: string): boolean {
  return (
    isExtendedResource(resource) ||
    isHugePages(resource) ||
    resource.includes('kubernetes.io/') ||
    resource.startsWith('attachable-volumes-')
  );
}

/** The amounts in a list. @param isIncluded which names count; those that the scheduler counts by default */
export function amountsIn(list: ResourceList, isIncluded: (name: string) => boolean = isCounted): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const [name, quantity] of Object.entries(list ?? {})) {
    if (isIncluded(name)) amounts.set(name, amountOf(name, quantity));
  }
  return amounts;
}

/** The amounts that a node offers, including the number of pods. */
export function offeredAmounts(allocatable: ResourceList): Amounts {
  return amountsIn(allocatable, (name) => name === 'pods' || isCounted(name));
}

/** Adds amounts to others. @param by 1 to add them, -1 to take them away */
export function addAmounts(to: Map<string, number>, amounts: Amounts, by: 1 | -1 = 1): void {
  for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0) + by * amount);
}

/** Raises amounts to at least those of the others. */
export function raiseAmounts(to: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = to.get(name);
    if (before === undefined || amount > before) to.set(name, amount);
  }
}
