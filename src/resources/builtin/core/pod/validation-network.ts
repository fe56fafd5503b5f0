// Validation of a pod's hostname, host aliases and DNS configuration.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { byteLength, maxLengthMessage, patternMessage, subdomainFaults } from '../../../../api/names.ts';
import { overItems } from '../../../../base/resumed.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import type { LegacyAddresses } from '../../../validation/ip-addresses.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import type { PodDNSConfig, PodSpec } from './objects.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const SEARCHES_BYTES = 2048;
const SUBDOMAIN_BYTES = 253;
const SEARCH = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SEARCH_PATTERN = `${SEARCH}(\\.${SEARCH})*`;
const IS_SEARCH_PART = new RegExp(`^${SEARCH}$`);
/** @internal */
export const SEARCH_MESSAGE = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  SEARCH_PATTERN,
  'example.com',
);

export interface DnsRules {
  /** Whether search domains are host names: no underscores, and not the root alone. */
  readonly isStrict: boolean;
  readonly legacy: LegacyAddresses;
}

export function validateDns({ dnsPolicy, dnsConfig }: PodSpec, rules: DnsRules, field: string): FieldError[] {
  if (dnsPolicy === 'None') {
    const what = 'when `dnsPolicy` is None';
    if (dnsConfig === undefined) return [fieldError.required(field, `must provide \`dnsConfig\` ${what}`)];
    if ((dnsConfig.nameservers ?? []).length === 0) {
      return [fieldError.required(`${field}.nameservers`, `must provide at least one DNS nameserver ${what}`)];
    }
  }
  return dnsConfig === undefined ? [] : validateDnsConfig(dnsConfig, rules, field);
}

function validateDnsConfig(config: PodDNSConfig, { isStrict, legacy }: DnsRules, field: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = config;
  const found: FieldError[] = [];
  if (nameservers.length > MAX_NAMESERVERS) {
    const why = `must not have more than ${MAX_NAMESERVERS} nameservers`;
    found.push(fieldError.invalid(`${field}.nameservers`, nameservers, why));
  }
  for (const [index, address] of nameservers.entries()) {
    found.push(...legacy.ip(address, `${field}.nameservers[${index}]`));
  }
  found.push(...validateSearches(searches, isStrict, `${field}.searches`));
  for (const [index, { name = '' }] of options.entries()) {
    if (name === '') found.push(fieldError.required(`${field}.options[${index}]`, 'must not be empty'));
  }
  return found;
}

function validateSearches(searches: readonly string[], isStrict: boolean, field: string): FieldError[] {
  const found: FieldError[] = [];
  if (searches.length > MAX_SEARCHES) {
    found.push(fieldError.invalid(field, searches, `must not have more than ${MAX_SEARCHES} search paths`));
  }
  if (byteLength(searches.join(' ')) > SEARCHES_BYTES) {
    const why = `must not have more than ${SEARCHES_BYTES} characters (including spaces) in the search list`;
    found.push(fieldError.invalid(field, searches, why));
  }
  for (const [index, search] of searches.entries()) {
    // The root domain, and domains with a trailing dot.
    const name = search === '.' && !isStrict ? undefined : search.replace(/\.$/, '');
    if (name === undefined) continue;
    const faults = faultErrors(isStrict ? subdomainFaults(name) : searchFaults(name), name, `${field}[${index}]`);
    const isRelaxed = isStrict && (search === '.' || (name.includes('_') && searchFaults(name).length === 0));
    found.push(...(isRelaxed ? keepable('searches', faults) : faults));
  }
  return found;
}

function searchFaults(name: string): string[] {
  const found = byteLength(name) > SUBDOMAIN_BYTES ? [maxLengthMessage(SUBDOMAIN_BYTES)] : [];
  if (!name.split('.').every((part) => IS_SEARCH_PART.test(part))) found.push(SEARCH_MESSAGE);
  return found;
}

export function validateHostAliases(
  aliases: NonNullable<PodSpec['hostAliases']>,
  legacy: LegacyAddresses,
  field: string,
): FieldError[] {
  return overItems(aliases, ({ ip = '', hostnames = [] }, index) => [
    ...legacy.ip(ip, `${field}[${index}].ip`),
    ...overItems(hostnames, (name, at) =>
      faultErrors(subdomainFaults(name), name, `${field}[${index}].hostnames[${at}]`),
    ),
  ]);
}
