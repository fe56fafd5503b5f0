// The rules of network policies.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../validation/field-rules.ts';
import { bitsOf, cidrContains, cidrWarnings, parseCidr, validateCidr } from '../../validation/ip-addresses.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../validation/label-selector.ts';
import { portNameFaults, validatePortNumber } from '../../validation/port-rules.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';

/** A rule's member that lists the peers, by direction. */
const PEERS = [
  { direction: 'ingress', peers: 'from' },
  { direction: 'egress', peers: 'to' },
] as const;
const TYPES = ['Ingress', 'Egress'];

function validatePolicy({ spec }: ApiObject): FieldError[] {
  const types = listAt(spec, 'policyTypes');
  const rules = PEERS.flatMap(({ direction, peers }) =>
    validateItems(listAt(spec, direction), `spec.${direction}`, (rule, field) => [
      ...validateItems(listAt(rule, 'ports'), `${field}.ports`, validatePort),
      ...validateItems(listAt(rule, peers), `${field}.${peers}`, validatePeer),
    ]),
  );
  return [
    ...validateSelector(at(spec, 'podSelector'), 'spec.podSelector'),
    ...rules,
    ...(types.length > 2
      ? [fieldError.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
      : validateItems(types, 'spec.policyTypes', (type, field) => validateChoice(String(type), TYPES, field))),
  ];
}

function validateSelector(selector: Json | undefined, field: string): FieldError[] {
  return validateLabelSelector(selector as LabelSelectorFields | undefined, field);
}

function validatePort(entry: Json, field: string): FieldError[] {
  const protocol = at(entry, 'protocol');
  const found =
    typeof protocol === 'string' ? validateChoice(protocol, ['TCP', 'UDP', 'SCTP'], `${field}.protocol`) : [];
  return [...found, ...validatePortRange(at(entry, 'port'), at(entry, 'endPort'), field)];
}

function validatePortRange(port: Json | undefined, end: Json | undefined, field: string): FieldError[] {
  const ranged = typeof end === 'number';
  const refuseEnd = (why: string) => fieldError.invalid(`${field}.endPort`, end, why);
  if (typeof port === 'string') {
    return [
      ...(ranged ? [refuseEnd('may not be specified when `port` is non-numeric')] : []),
      ...faultErrors(portNameFaults(port), port, `${field}.port`),
    ];
  }
  if (typeof port !== 'number') {
    return ranged ? [refuseEnd('may not be specified when `port` is not specified')] : [];
  }
  const found = validatePortNumber(port, `${field}.port`);
  if (!ranged) return found;
  if (end < port) {
    // Kubernetes quotes the port here.
    found.push(fieldError.invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`'));
  }
  return [...found, ...validatePortNumber(end, `${field}.endPort`)];
}

function validatePeer(peer: Json, field: string): FieldError[] {
  const block = at(peer, 'ipBlock');
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => isObject(at(peer, name)));
  const found = selectors.flatMap((name) => validateSelector(at(peer, name), `${field}.${name}`));
  if (!isObject(block)) {
    return selectors.length > 0 ? found : [fieldError.required(field, 'must specify a peer')];
  }
  found.push(...validateBlock(block, `${field}.ipBlock`));
  if (selectors.length === 0) return found;
  return [...found, fieldError.forbidden(field, 'may not specify both ipBlock and another peer')];
}

function validateBlock(block: Json, field: string): FieldError[] {
  const text = textAt(block, 'cidr');
  if (text === '') return [fieldError.required(`${field}.cidr`)];
  const range = parseCidr(text);
  if (range === undefined) return validateCidr(text, `${field}.cidr`);
  return validateItems(listAt(block, 'except'), `${field}.except`, (except, here) => {
    const inner = parseCidr(String(except));
    if (inner === undefined) return validateCidr(String(except), here);
    const smaller = bitsOf(range.family) === bitsOf(inner.family) && inner.prefixBits > range.prefixBits;
    if (smaller && cidrContains(range, inner.address)) return [];
    return [fieldError.invalid(here, except, 'must be a strict subset of `cidr`')];
  });
}

function policyWarnings({ spec }: ApiObject): string[] {
  return PEERS.flatMap(({ direction, peers }) =>
    listAt(spec, direction).flatMap((rule, index) =>
      listAt(rule, peers).flatMap((peer, place) => {
        const field = `spec.${direction}[${index}].${peers}[${place}].ipBlock`;
        return [
          ...cidrWarnings(textAt(peer, 'ipBlock', 'cidr'), `${field}.cidr`),
          ...listAt(peer, 'ipBlock', 'except').flatMap((except, which) =>
            cidrWarnings(String(except), `${field}.except[${which}]`),
          ),
        ];
      }),
    ),
  );
}

export const networkPolicyRules: Partial<Behaviour> = {
  generationTellsEmpty: true,
  updateChecks: ['metadata', 'content', 'metadataChange', 'content'],
  validate: validatePolicy,
  warnings: policyWarnings,
};
