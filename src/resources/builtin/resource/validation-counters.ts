// Validation of shared counters of a slice: counter sets, and the consumption of each device.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults } from '../../../api/names.ts';
import { faultErrors } from '../../validation/field-rules.ts';
import { sortedEntries } from '../../value.ts';
import { validateUniqueItems } from './claim-parts.ts';
import type { Counter, CounterSet, Device, ResourceSliceSpec } from './v1beta2-objects.ts';

const MAX_SHARED = 32;
const MAX_OF_DEVICE = 32;
const MAX_OF_DEVICES = 1024;

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

export function validateCounterSets(sets: readonly CounterSet[]): FieldError[] {
  return validateUniqueItems(sets, {
    field: 'spec.sharedCounters',
    most: Number.POSITIVE_INFINITY,
    key: ({ name = '' }) => name,
    member: 'name',
    validate: ({ name = '', counters }, field) => [
      ...(name === '' ? [fieldError.required(`${field}.name`)] : faultErrors(labelFaults(name), name, `${field}.name`)),
      ...validateCounters(counters, `${field}.counters`),
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

function countersIn(holders: readonly { readonly counters?: Counters }[]): number {
  return holders.reduce((sum, { counters }) => sum + Object.keys(counters ?? {}).length, 0);
}

function mostText(what: string, most: number): string {
  return `the total number of ${what} must not exceed ${most}`;
}
