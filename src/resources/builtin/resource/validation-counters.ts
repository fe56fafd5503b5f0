// Validation of shared counters of a slice: counter sets, and the consumption of each device.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { faultErrors } from '../../validation/field-rules.ts';
import { sortedEntries } from '../../value.ts';
import { validateUniqueItems } from './claim-parts.ts';
import type { Counter, CounterSet, Device, ResourceSliceSpec } from './v1beta2-objects.ts';

const MAX_SHARED = 32;
const MAX_OF_DEVICE = 32;
const MAX_OF_DEVICES = 1024;
/** From 1.35 on, when the sets of a pool came to stand in slices of their own. */
const MAX_SETS = 8;
const MAX_OF_SET = 32;
const MAX_SETS_OF_DEVICE = 2;

type Release = { readonly minor?: number | undefined };
type Counters = Readonly<Record<string, Counter>> | undefined;

/** Names of counters by counter set. */
export type CounterNames = ReadonlyMap<string, ReadonlySet<string>>;

export function counterNames(spec: ResourceSliceSpec | undefined): CounterNames {
  const sets = spec?.sharedCounters ?? [];
  return new Map(sets.map(({ name = '', counters }) => [name, new Set(Object.keys(counters ?? {}))]));
}

/** The total numbers of counters, and of counters consumed by devices. */
export function validateCounterTotals(spec: ResourceSliceSpec | undefined): FieldError[] {
  const consumed = countersIn((spec?.devices ?? []).flatMap((device) => device.consumesCounters ?? []));
  const shared = countersIn(spec?.sharedCounters ?? []);
  return [
    ...(consumed > MAX_OF_DEVICES
      ? [fieldError.invalid('spec.devices', consumed, mostText('counters in devices', MAX_OF_DEVICES))]
      : []),
    ...(shared > MAX_SHARED
      ? [fieldError.invalid('spec.sharedCounters', shared, mostText('shared counters', MAX_SHARED))]
      : []),
  ];
}

export function validateCounterSets(sets: readonly CounterSet[], release: Release): FieldError[] {
  const isApart = isSince(release, 35);
  return validateUniqueItems(sets, {
    field: 'spec.sharedCounters',
    most: isApart ? MAX_SETS : Number.POSITIVE_INFINITY,
    key: ({ name = '' }) => name,
    member: 'name',
    validate: ({ name = '', counters }, field) => [
      ...(name === '' ? [fieldError.required(`${field}.name`)] : faultErrors(labelFaults(name), name, `${field}.name`)),
      ...(isApart
        ? validateCountersApart(counters, release, `${field}.counters`)
        : validateCounters(counters, `${field}.counters`)),
    ],
  });
}

/** Of sets in other slices, from 1.35 on. */
export function validateConsumptionApart(
  { consumesCounters = [] }: Device,
  release: Release,
  field: string,
): FieldError[] {
  return validateUniqueItems(consumesCounters, {
    field: `${field}.consumesCounters`,
    most: MAX_SETS_OF_DEVICE,
    key: ({ counterSet = '' }) => counterSet,
    member: 'counterSet',
    validate: ({ counterSet = '', counters }, path) => [
      ...(counterSet === ''
        ? [fieldError.required(`${path}.counterSet`)]
        : faultErrors(labelFaults(counterSet), counterSet, `${path}.counterSet`)),
      ...validateCountersApart(counters, release, `${path}.counters`),
    ],
  });
}

export function validateConsumption(device: Device, names: CounterNames, field: string): FieldError[] {
  const consumptions = device.consumesCounters ?? [];
  const here = `${field}.consumesCounters`;
  const found = validateUniqueItems(consumptions, {
    field: here,
    most: Number.POSITIVE_INFINITY,
    key: ({ counterSet = '' }) => counterSet,
    member: 'counterSet',
    validate: ({ counterSet = '', counters }, path) => [
      ...(counterSet === '' ? [fieldError.required(`${path}.counterSet`)] : []),
      ...validateCounters(counters, `${path}.counters`),
    ],
  });
  const count = countersIn(consumptions);
  if (count > MAX_OF_DEVICE) found.push(fieldError.invalid(field, count, mostText('counters', MAX_OF_DEVICE)));
  for (const [index, { counterSet = '', counters }] of consumptions.entries()) {
    const known = names.get(counterSet);
    if (known === undefined) {
      const why = 'must reference a counterSet defined in the ResourceSlice sharedCounters';
      found.push(fieldError.invalid(`${here}[${index}].counterSet`, counterSet, why));
      continue;
    }
    for (const [name] of sortedEntries(counters)) {
      const why = 'must reference a counter defined in the ResourceSlice sharedCounters';
      if (!known.has(name)) found.push(fieldError.invalid(`${here}[${index}].counters`, name, why));
    }
  }
  return found;
}

function validateCounters(counters: Counters, field: string): FieldError[] {
  const entries = sortedEntries(counters);
  if (entries.length === 0) return [fieldError.required(field)];
  return entries.flatMap(([name]) => faultErrors(labelFaults(name), name, `${field}[${name}]`));
}

/** From 1.36 on, errors in names are those of the map. */
function validateCountersApart(counters: Counters, release: Release, field: string): FieldError[] {
  const names = Object.keys(counters ?? {});
  if (names.length > MAX_OF_SET) return [fieldError.tooMany(field, names.length, MAX_OF_SET)];
  if (!isSince(release, 36)) return validateCounters(counters, field);
  if (names.length === 0) return [fieldError.required(field)];
  return names.sort().flatMap((name) => faultErrors(labelFaults(name), name, field));
}

function countersIn(holders: readonly { readonly counters?: Counters }[]): number {
  return holders.reduce((sum, { counters }) => sum + Object.keys(counters ?? {}).length, 0);
}

function mostText(what: string, most: number): string {
  return `the total number of ${what} must not exceed ${most}`;
}
