// Validation of IPAddresses and ServiceCIDRs.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules } from '../../definition.ts';
import { faultErrors } from '../../validation/field-rules.ts';
import { parseCidr, validateStrictCidr, validateStrictIp } from '../../validation/ip-addresses.ts';
import { validateImmutableWhole } from '../../validation/whole-objects.ts';
import { textAt } from '../../value.ts';
import { ParentReference } from './v1.ts';
import type { IPAddress, ServiceCIDR } from './v1-objects.ts';

const PARENT = 'spec.parentRef';

/** An IPAddress is named after its address and refers to its owner. */
function validateAddress({ spec }: IPAddress): FieldError[] {
  const found: FieldError[] = [];
  const parent = spec?.parentRef;
  if (parent === undefined) return [...found, fieldError.required(PARENT)];
  const group = parent.group ?? '';
  if (group !== '') found.push(...faultErrors(subdomainFaults(group), group, `${PARENT}.group`));
  for (const member of ['resource', 'name']) {
    const text = textAt(parent, member);
    if (text === '') found.push(fieldError.required(`${PARENT}.${member}`));
    else found.push(...faultErrors(pathSegmentFaults(text), text, `${PARENT}.${member}`));
  }
  const namespace = parent.namespace ?? '';
  if (namespace !== '') found.push(...faultErrors(pathSegmentFaults(namespace), namespace, `${PARENT}.namespace`));
  return found;
}

export const ipAddressRules: KindRules<IPAddress> = {
  nameRule: {
    faults: (name) => validateStrictIp(name, '').map(({ detail }) => detail),
    generate: (prefix) => prefix,
  },
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateAddress,
  validateUpdate: (next, previous, { minor }) =>
    validateImmutableWhole({ type: ParentReference, minor }, [next.spec?.parentRef, previous.spec?.parentRef], PARENT),
};

const RANGES = 'spec.cidrs';

function validateRanges({ spec }: ServiceCIDR): FieldError[] {
  const ranges = spec?.cidrs ?? [];
  if (ranges.length === 0) return [fieldError.required(RANGES, 'at least one CIDR required')];
  // Kubernetes quotes the whole spec here, with Go field names.
  if (ranges.length > 2) return [fieldError.invalid(RANGES, { CIDRs: ranges }, 'may only hold up to 2 values')];
  const families = ranges.map((range) => parseCidr(String(range))?.family);
  const found = ranges.flatMap((range, index) => validateStrictCidr(String(range), `${RANGES}[${index}]`));
  if (ranges.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    found.push(fieldError.invalid(RANGES, ranges, why));
  }
  return found;
}

/** A range of the other family may be added; nothing else may change. */
function validateRangesUpdate(next: ServiceCIDR, previous: ServiceCIDR): FieldError[] {
  const [now, before] = [next.spec?.cidrs ?? [], previous.spec?.cidrs ?? []];
  const changed = now.flatMap((range, index) =>
    index >= before.length || range === before[index]
      ? []
      : [fieldError.invalid(`${RANGES}[${index}]`, range, IMMUTABLE)],
  );
  if (now.length === before.length) return changed;
  if (before.length === 1 && now.length === 2) return [...changed, ...validateRanges(next)];
  return [fieldError.invalid(RANGES, next.spec?.cidrs ?? null, IMMUTABLE)];
}

export const serviceCidrRules: KindRules<ServiceCIDR> = {
  validateCreate: validateRanges,
  validateUpdate: validateRangesUpdate,
};
