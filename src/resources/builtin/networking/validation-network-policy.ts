// Validation of NetworkPolicies.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { overItems } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../validation/field-rules.ts';
import {
  bitsOf,
  cidrContains,
  cidrWarnings,
  type LegacyAddresses,
  legacyAddresses,
  parseCidr,
} from '../../validation/ip-addresses.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import { portNameFaults, validatePortNumber } from '../../validation/port-rules.ts';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from './v1-objects.ts';

interface Direction {
  readonly direction: 'ingress' | 'egress';
  readonly rules: readonly (NetworkPolicyIngressRule & NetworkPolicyEgressRule)[];
  /** The field with a rule's peers. */
  readonly peers: 'from' | 'to';
}

function directionsOf(spec: NetworkPolicySpec | undefined): readonly Direction[] {
  return [
    { direction: 'ingress', rules: spec?.ingress ?? [], peers: 'from' },
    { direction: 'egress', rules: spec?.egress ?? [], peers: 'to' },
  ];
}

const TYPES = ['Ingress', 'Egress'];

function validatePolicy({ spec }: NetworkPolicy, context: StrategyContext, previous?: NetworkPolicy): FieldError[] {
  const legacy = legacyAddresses(
    context,
    blocksOf(previous).flatMap(({ cidr, except = [] }) => [cidr, ...except]),
  );
  const types = spec?.policyTypes ?? [];
  const rules = directionsOf(spec).flatMap(({ direction, rules, peers }) =>
    validateItems(rules, `spec.${direction}`, (rule, field) => [
      ...validateItems(rule.ports ?? [], `${field}.ports`, (port, at) => validatePort(port, at, context)),
      ...validateItems(rule[peers] ?? [], `${field}.${peers}`, (peer, at) => validatePeer(peer, legacy, at)),
    ]),
  );
  return [
    ...keepableValues('selectors', validateLabelSelector(spec?.podSelector, 'spec.podSelector')),
    ...rules,
    ...(types.length > 2
      ? [fieldError.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
      : validateItems(types, 'spec.policyTypes', (type, field) => validateChoice(type, TYPES, field))),
  ];
}

function validatePort(entry: NetworkPolicyPort, field: string, context: StrategyContext): FieldError[] {
  const protocol = entry.protocol;
  const found =
    typeof protocol === 'string' ? validateChoice(protocol, ['TCP', 'UDP', 'SCTP'], `${field}.protocol`) : [];
  return [...found, ...validatePortRange(entry, field, context)];
}

function validatePortRange(
  { port, endPort: end }: NetworkPolicyPort,
  field: string,
  context: StrategyContext,
): FieldError[] {
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
    // Before 1.37 Kubernetes quoted the port here.
    const quoted = isSince(context, 37) ? end : port;
    found.push(fieldError.invalid(`${field}.endPort`, quoted, 'must be greater than or equal to `port`'));
  }
  return [...found, ...validatePortNumber(end, `${field}.endPort`)];
}

function validatePeer(peer: NetworkPolicyPeer, legacy: LegacyAddresses, field: string): FieldError[] {
  const block = peer.ipBlock;
  const selectors = (['podSelector', 'namespaceSelector'] as const).filter((name) => peer[name] !== undefined);
  const found = selectors.flatMap((name) =>
    keepableValues('selectors', validateLabelSelector(peer[name], `${field}.${name}`)),
  );
  if (block === undefined) {
    return selectors.length > 0 ? found : [fieldError.required(field, 'must specify a peer')];
  }
  found.push(...validateBlock(block, legacy, `${field}.ipBlock`));
  if (selectors.length === 0) return found;
  return [...found, fieldError.forbidden(field, 'may not specify both ipBlock and another peer')];
}

function validateBlock(block: IPBlock, legacy: LegacyAddresses, field: string): FieldError[] {
  const text = block.cidr ?? '';
  if (text === '') return [fieldError.required(`${field}.cidr`)];
  const found = legacy.cidr(text, `${field}.cidr`);
  const range = parseCidr(text);
  if (range === undefined) return found;
  const excepted = validateItems(block.except ?? [], `${field}.except`, (except, here) => {
    const faults = legacy.cidr(except, here);
    const inner = parseCidr(except);
    if (inner === undefined) return faults;
    const smaller = bitsOf(range.family) === bitsOf(inner.family) && inner.prefixBits > range.prefixBits;
    if (smaller && cidrContains(range, inner.address)) return faults;
    return [...faults, fieldError.invalid(here, except, 'must be a strict subset of `cidr`')];
  });
  return [...found, ...excepted];
}

function blocksOf(policy: NetworkPolicy | undefined): IPBlock[] {
  const peers = directionsOf(policy?.spec).flatMap(({ rules, peers }) => rules.flatMap((rule) => rule[peers] ?? []));
  return peers.flatMap(({ ipBlock }) => ipBlock ?? []);
}

function policyWarnings({ spec }: NetworkPolicy): string[] {
  return directionsOf(spec).flatMap(({ direction, rules, peers }) =>
    overItems(rules, (rule, index) =>
      overItems(rule[peers] ?? [], (peer, place) => {
        const field = `spec.${direction}[${index}].${peers}[${place}].ipBlock`;
        return [
          ...cidrWarnings(peer.ipBlock?.cidr ?? '', `${field}.cidr`),
          ...overItems(peer.ipBlock?.except ?? [], (except, which) =>
            cidrWarnings(except, `${field}.except[${which}]`),
          ),
        ];
      }),
    ),
  );
}

export const networkPolicyRules: KindRules<NetworkPolicy> = {
  generation: { countsEmpty: true },
  checks: {
    update: ['metadata', 'content', 'metadataChange', 'content'],
    later: { since: 36, update: ['metadataChange', 'content'] },
  },
  validate: validatePolicy,
  warnings: policyWarnings,
};
