// Validation of a Service's cluster IPs and IP families, as far as it does not depend on allocators.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { remembering } from '../../../../base/resumed.ts';
import { validateChoice, validateItems } from '../../../validation/field-rules.ts';
import { legacyAddresses, parseIp } from '../../../validation/ip-addresses.ts';
import type { Service, ServiceSpec } from './objects.ts';
import { isHeadless } from './service-type.ts';

const ADDRESSES = 'spec.clusterIPs';
const POLICY = 'spec.ipFamilyPolicy';
const UNCHANGEABLE = 'may not change once set';

/**
 * `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`.
 *
 * @param before the service that an update changes: addresses that it had are not looked at again
 */
export function validateServiceAddresses(
  spec: ServiceSpec | undefined,
  before: ServiceSpec | undefined,
  rules: { readonly gateEnabled?: (gate: string) => boolean } = {},
): FieldError[] {
  if ((spec?.type ?? '') === 'ExternalName') return [];
  const addresses = spec?.clusterIPs ?? [];
  const policy = spec?.ipFamilyPolicy;
  const found = [...validateFirstAddress(spec?.clusterIP ?? '', addresses), ...validateFamilies(spec)];
  if (typeof policy === 'string') {
    found.push(...validateChoice(policy, ['PreferDualStack', 'RequireDualStack', 'SingleStack'], POLICY));
  }
  const legacy = legacyAddresses(rules, before?.clusterIPs);
  const malformed = addresses.flatMap((address, index) => {
    if (index > 0 || address !== 'None') {
      return legacy.ip(address, `${ADDRESSES}[${index}]`);
    }
    if (addresses.length === 1) return [];
    return [fieldError.invalid(ADDRESSES, addresses, "'None' must be the first and only value")];
  });
  found.push(...malformed);
  if (addresses.length > 2) found.push(fieldError.invalid(ADDRESSES, addresses, 'may only hold up to 2 values'));
  // The following errors would only repeat that an address is invalid.
  if (malformed.length > 0) return found;
  return [...found, ...validateAddressFamilies(spec, addresses)];
}

function validateFirstAddress(first: string, addresses: readonly string[]): FieldError[] {
  if (first === '' && addresses.length === 0) return [];
  if (addresses.length === 0) return [fieldError.required(ADDRESSES)];
  if (first === '') {
    return [fieldError.invalid(ADDRESSES, addresses, 'must be empty when `clusterIP` is not specified')];
  }
  return addresses[0] === first ? [] : [fieldError.invalid(ADDRESSES, addresses, 'first value must match `clusterIP`')];
}

function validateFamilies(spec: ServiceSpec | undefined): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(spec?.ipFamilies ?? [], 'spec.ipFamilies', (family, field) => {
        const found = validateChoice(family, ['IPv4', 'IPv6'], field);
        if (seen.has(family)) found.push(fieldError.duplicate(field, family));
        seen.add(family);
        return found;
      }),
  );
}

function validateAddressFamilies(spec: ServiceSpec | undefined, addresses: readonly string[]): FieldError[] {
  const found: FieldError[] = [];
  const families = addresses.map((address) => parseIp(address)?.family);
  if (addresses.length > 1 && new Set(families).size < 2) {
    found.push(fieldError.invalid(ADDRESSES, addresses, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(spec)) return found;
  const named = (spec?.ipFamilies ?? []).slice(0, addresses.length);
  for (const [index, family] of named.entries()) {
    if ((family !== 'IPv4' && family !== 'IPv6') || families[index] === family) continue;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    found.push(fieldError.invalid(`${ADDRESSES}[${index}]`, addresses[index], why));
  }
  return found;
}

/**
 * A secondary address or family may be added and removed; the primary one is immutable while the service has addresses.
 */
export function validateServiceAddressesUpdate(next: Service, previous: Service): FieldError[] {
  if ([next, previous].some((each) => (each.spec?.type ?? '') === 'ExternalName')) return [];
  return [
    ...validateKept({ next, previous, member: 'clusterIPs', one: 'clusterIP' }),
    ...validateKept({ next, previous, member: 'ipFamilies', one: 'ipFamily' }),
  ];
}

function validateKept(change: {
  next: Service;
  previous: Service;
  member: 'clusterIPs' | 'ipFamilies';
  one: string;
}): FieldError[] {
  const { next, previous, member, one } = change;
  const now = next.spec?.[member] ?? [];
  const before = previous.spec?.[member] ?? [];
  const field = `spec.${member}`;
  const found: FieldError[] = [];
  if (before.length > 0 && now.length === 0) {
    found.push(fieldError.invalid(`${field}[0]`, null, `primary ${one} can not be unset`));
  }
  const common = now.length === before.length ? now.length : Math.min(now.length, before.length, 1);
  for (let index = 0; index < common; index++) {
    if (now[index] !== before[index]) found.push(fieldError.invalid(`${field}[${index}]`, now, UNCHANGEABLE));
  }
  const policy = next.spec?.ipFamilyPolicy ?? null;
  if (before.length > now.length && now.length === 1 && policy !== 'SingleStack') {
    found.push(fieldError.invalid(POLICY, policy, `must be set to 'SingleStack' when releasing the secondary ${one}`));
  }
  return found;
}
