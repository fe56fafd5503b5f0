// Validation of EndpointSlices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { validateLabels } from '../../../api/metadata-validation.ts';
import { labelFaults, labelValueFaults, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { Draft } from '../../../api/object.ts';
import { overItems, remembering } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import {
  faultErrors,
  validateChoice,
  validateImmutableText,
  validateItems,
  validateItemsWithUnique,
  validateMostItems,
} from '../../validation/field-rules.ts';
import {
  ipWarnings,
  type LegacyAddresses,
  legacyAddresses,
  parseIp,
  validateEndpointIp,
  validateStrictIp,
} from '../../validation/ip-addresses.ts';
import { PROTOCOLS } from '../../validation/port-rules.ts';
import type { Endpoint, EndpointPort, EndpointSlice, ForNode, ForZone } from './v1-objects.ts';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_TOPOLOGY = 16;
const MAX_HINTS = 8;

/** The first minor release of Kubernetes 1 that reports a wrong family, and keeps endpoints that it would not accept. */
const FAMILIES_APART = 33;

function validateSlice(slice: EndpointSlice, context: StrategyContext, previous?: EndpointSlice): FieldError[] {
  const type = slice.addressType ?? '';
  const ofType =
    type === '' ? [fieldError.required('addressType')] : validateChoice(type, ['FQDN', 'IPv4', 'IPv6'], 'addressType');
  const ofPorts = validatePorts(slice.ports ?? []);
  const apart = isSince(context, FAMILIES_APART);
  const ofEndpoints = validateEndpoints(slice.endpoints ?? [], { type, apart, legacy: legacyAddresses(context) });
  if (!apart) return [...ofType, ...ofEndpoints, ...ofPorts];
  const found = [...ofType, ...ofPorts];
  // Values accepted by earlier releases may remain.
  const isKept = ofEndpoints.length > 0 && previous !== undefined && equalJson(previous.endpoints, slice.endpoints);
  return isKept ? found : [...found, ...ofEndpoints];
}

interface AddressRules {
  readonly type: string;
  /** Whether an invalid address and one of another family have different errors. */
  readonly apart: boolean;
  readonly legacy: LegacyAddresses;
}

function validateEndpoints(endpoints: readonly Endpoint[], rules: AddressRules): FieldError[] {
  const many = validateMostItems(endpoints, MAX_ENDPOINTS, 'endpoints');
  if (many.length > 0) return many;
  return validateItems(endpoints, 'endpoints', (endpoint, field) => validateEndpoint(endpoint, field, rules));
}

function validateEndpoint(endpoint: Endpoint, field: string, rules: AddressRules): FieldError[] {
  const addresses = endpoint.addresses ?? [];
  const here = `${field}.addresses`;
  const topology = endpoint.deprecatedTopology;
  const { nodeName, hostname, hints } = endpoint;
  const found = validateMostItems(addresses, MAX_ADDRESSES, here);
  if (addresses.length === 0) found.push(fieldError.required(here, 'must contain at least 1 address'));
  found.push(...overItems(addresses, (address, index) => validateAddress(address, { here, index, ...rules })));
  if (nodeName !== undefined) {
    found.push(...faultErrors(subdomainFaults(nodeName), nodeName, `${field}.nodeName`));
  }
  if (topology !== undefined) found.push(...validateTopology(topology, field));
  if (hostname !== undefined) found.push(...faultErrors(labelFaults(hostname), hostname, `${field}.hostname`));
  if (hints !== undefined) {
    found.push(
      ...validateHints(hints.forZones ?? [], `${field}.hints.forZones`, labelValueFaults),
      ...validateHints(hints.forNodes ?? [], `${field}.hints.forNodes`, subdomainFaults),
    );
  }
  return found;
}

function validateAddress(address: string, at: AddressRules & { here: string; index: number }): FieldError[] {
  const field = `${at.here}[${at.index}]`;
  if (at.type === 'FQDN') return validateDomain(address, field);
  if (at.type !== 'IPv4' && at.type !== 'IPv6') return [];
  if (!at.apart) {
    const why = `must be a valid ${at.type} address`;
    const fits = parseIp(address)?.family === at.type;
    return [...(fits ? [] : [fieldError.invalid(field, address, why)]), ...validateEndpointIp(address, field)];
  }
  const found = at.type === 'IPv6' ? validateStrictIp(address, field) : at.legacy.ip(address, field);
  if (found.length > 0) return found;
  const other = parseIp(address)?.family !== at.type;
  return [
    // Kubernetes reports the list here, not the address.
    ...(other ? [fieldError.invalid(at.here, address, `must be an ${at.type} address`)] : []),
    ...validateEndpointIp(address, field),
  ];
}

/** A domain of two segments or more; it may end in a dot. */
function validateDomain(text: string, field: string): FieldError[] {
  if (text === '') return [fieldError.required(field)];
  const name = text.replace(/\.$/, '');
  const faults = subdomainFaults(name);
  if (faults.length > 0) return faultErrors(faults, text, field);
  if (!name.includes('.')) {
    const why = 'should be a domain with at least two segments separated by dots';
    return [fieldError.invalid(field, text, why)];
  }
  return name.split('.').flatMap((label) => {
    const wrong = labelFaults(label);
    return wrong.length === 0 ? [] : [fieldError.invalid(field, text, wrong.join(','))];
  });
}

function validateTopology(topology: Readonly<Record<string, string>>, field: string): FieldError[] {
  const here = `${field}.deprecatedTopology`;
  return [...validateMostItems(Object.keys(topology), MAX_TOPOLOGY, here), ...validateLabels(topology, here)];
}

function validateHints(
  hints: readonly (ForZone | ForNode)[],
  field: string,
  faultsOf: (name: string) => readonly string[],
): FieldError[] {
  const many = validateMostItems(hints, MAX_HINTS, field);
  if (many.length > 0) return many;
  return validateItemsWithUnique(hints, { field, member: 'name' }, ({ name = '' }, here) =>
    faultErrors(faultsOf(name), name, `${here}.name`),
  );
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  const many = validateMostItems(ports, MAX_PORTS, 'ports');
  if (many.length > 0) return many;
  return remembering(
    () => new Set<string>(),
    (names) =>
      validateItems(ports, 'ports', (port, field) => {
        const name = port.name ?? '';
        const appProtocol = port.appProtocol;
        const found = name === '' ? [] : faultErrors(labelFaults(name), name, `${field}.name`);
        if (names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
        names.add(name);
        found.push(...validateChoice(port.protocol ?? '', PROTOCOLS, `${field}.protocol`));
        if (appProtocol === undefined) return found;
        return [...found, ...faultErrors(qualifiedNameFaults(appProtocol), appProtocol, `${field}.appProtocol`)];
      }),
  );
}

/** Deprecated topology fields can no longer be written: existing values remain while they are unchanged. */
function dropTopology(slice: Draft<EndpointSlice>, previous?: EndpointSlice): void {
  if (previous !== undefined && equalJson(slice.endpoints, previous.endpoints)) return;
  const nodes = new Set((previous?.endpoints ?? []).map((each) => each.deprecatedTopology?.[HOSTNAME] ?? ''));
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[HOSTNAME] ?? '';
    if (endpoint.nodeName === undefined && nodes.has(node) && subdomainFaults(node).length === 0) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}

const HOSTNAME = 'kubernetes.io/hostname';

export const endpointSliceRules: KindRules<EndpointSlice> = {
  checks: { update: ['metadata', 'change'] },
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate: dropTopology,
  validateCreate: (slice, rules) => validateSlice(slice, rules),
  validateUpdate: (next, previous, rules) => [
    ...validateSlice(next, rules, previous),
    ...validateImmutableText(next.addressType, previous.addressType, 'addressType'),
  ],
  warnings: (slice, previous) => {
    if ((slice.addressType ?? '') === 'FQDN') {
      return previous === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
    }
    return overItems(slice.endpoints ?? [], (endpoint, index) =>
      overItems(endpoint.addresses ?? [], (address, place) =>
        ipWarnings(String(address), `endpoints[${index}].addresses[${place}]`),
      ),
    );
  },
};
