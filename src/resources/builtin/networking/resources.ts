// Ingresses, NetworkPolicies, IPAddresses and ServiceCIDRs.

import { isSince } from '../../../lifecycle/version.ts';
import { RESET_METADATA, type ResourceDefinition, STATUS_APART } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { ingressClassDefaults, networkPolicyDefaults } from './defaults.ts';
import { ingressClassTable, ingressTable, ipAddressTable, networkPolicyTable, serviceCidrTable } from './tables.ts';
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from './v1-objects.ts';
import { ipAddressRules, serviceCidrRules } from './validation-addresses.ts';
import { ingressClassRules, ingressRules } from './validation-ingress.ts';
import { networkPolicyRules } from './validation-network-policy.ts';

/** Before 1.36 every write of a ServiceCIDR may set its status, including creates. */
const OPEN_STATUS = {
  // Kubernetes lists reset fields for a group that is not served, so all fields have owners.
  subresources: { status: { keeps: RESET_METADATA, resets: [], isShared: true } },
  prepareForCreate: undefined,
} as const;

/** Alphas are not served beside the beta. */
const ADDRESS_VERSIONS = { 0: ['v1alpha1'], 31: ['v1', 'v1beta1'] } as const;

const networking = group('networking.k8s.io', 'v1');

export const networkingResources: readonly ResourceDefinition[] = [
  networking<IngressClass>({
    resource: 'ingressclasses',
    kind: 'IngressClass',
    cluster: true,
    strategy: { ...ingressClassRules, defaults: ingressClassDefaults, generation: true },
    table: ingressClassTable,
  }),
  networking<Ingress>({
    resource: 'ingresses',
    kind: 'Ingress',
    shortNames: ['ing'],
    prefix: 'ingress',
    subresources: { status: own },
    strategy: { ...ingressRules, generation: true },
    table: ingressTable,
  }),
  networking<IPAddress>({
    resource: 'ipaddresses',
    kind: 'IPAddress',
    cluster: true,
    shortNames: ['ip'],
    versions: ADDRESS_VERSIONS,
    strategy: ipAddressRules,
    table: ipAddressTable,
  }),
  networking<NetworkPolicy>({
    resource: 'networkpolicies',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    strategy: { ...networkPolicyRules, defaults: networkPolicyDefaults },
    table: networkPolicyTable,
  }),
  networking<ServiceCIDR>({
    resource: 'servicecidrs',
    kind: 'ServiceCIDR',
    cluster: true,
    versions: ADDRESS_VERSIONS,
    subresources: { status: own },
    strategy: (minor) => ({ ...serviceCidrRules, ...(isSince({ minor }, 36) ? STATUS_APART : OPEN_STATUS) }),
    table: serviceCidrTable,
  }),
];
