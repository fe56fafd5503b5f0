// Validation of Endpoints.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { labelFaults, qualifiedNameFaults, subdomainFaults } from '../../../../api/names.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { faultErrors, validateItems } from '../../../validation/field-rules.ts';
import {
  ipWarnings,
  type LegacyAddresses,
  legacyAddresses,
  validateEndpointIp,
} from '../../../validation/ip-addresses.ts';
import { PROTOCOLS, validatePortNumber, validateProtocol } from '../../../validation/port-rules.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from './objects.ts';

const ADDRESS_LISTS = ['addresses', 'notReadyAddresses'] as const;

function validateSubsets(endpoints: Endpoints, rules: Pick<StrategyContext, 'gateEnabled'>): FieldError[] {
  const legacy = legacyAddresses(rules);
  return validateItems(endpoints.subsets ?? [], 'subsets', (subset, field) => {
    const ports = subset.ports ?? [];
    const lists = ADDRESS_LISTS.map((name) => ({ name, addresses: subset[name] ?? [] }));
    const empty = lists.every(({ addresses }) => addresses.length === 0);
    return [
      ...(empty ? [fieldError.required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...lists.flatMap(({ name, addresses }) =>
        validateItems(addresses, `${field}.${name}`, (address, at) => validateAddress(address, legacy, at)),
      ),
      ...validateItems(ports, `${field}.ports`, (port, at) => validatePort(port, at, ports.length > 1)),
    ];
  });
}

function validateAddress(address: EndpointAddress, legacy: LegacyAddresses, field: string): FieldError[] {
  const ip = address.ip ?? '';
  const hostname = address.hostname ?? '';
  const nodeName = address.nodeName;
  return [
    ...legacy.ip(ip, `${field}.ip`),
    ...(hostname === '' ? [] : faultErrors(labelFaults(hostname), hostname, `${field}.hostname`)),
    ...(nodeName !== undefined ? faultErrors(subdomainFaults(nodeName), nodeName, `${field}.nodeName`) : []),
    ...validateEndpointIp(ip, `${field}.ip`),
  ];
}

function validatePort(port: EndpointPort, field: string, nameRequired: boolean): FieldError[] {
  const name = port.name ?? '';
  const appProtocol = port.appProtocol;
  const found: FieldError[] = [];
  if (name !== '') found.push(...faultErrors(labelFaults(name), name, `${field}.name`));
  else if (nameRequired) found.push(fieldError.required(`${field}.name`));
  found.push(
    ...validatePortNumber(port.port ?? 0, `${field}.port`),
    ...validateProtocol(port.protocol ?? '', PROTOCOLS, `${field}.protocol`),
  );
  if (appProtocol === undefined) return found;
  return [...found, ...faultErrors(qualifiedNameFaults(appProtocol), appProtocol, `${field}.appProtocol`)];
}

export const endpointsRules: KindRules<Endpoints> = {
  checks: { update: ['metadataChange', 'metadata', 'content', 'change'] },
  validateCreate: validateSubsets,
  // Unchanged subsets may violate newer rules.
  validateUpdate: (next, previous, rules) =>
    equalJson(next.subsets, previous.subsets) ? [] : validateSubsets(next, rules),
  warnings: (endpoints) =>
    (endpoints.subsets ?? []).flatMap((subset, index) =>
      ADDRESS_LISTS.flatMap((name) =>
        (subset[name] ?? []).flatMap((address, place) =>
          ipWarnings(address.ip ?? '', `subsets[${index}].${name}[${place}].ip`),
        ),
      ),
    ),
};
