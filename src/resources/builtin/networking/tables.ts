// Table columns of Ingress, NetworkPolicy, IPAddress and ServiceCIDR.

import { qualified } from '../../../api/group-version.ts';
import type { TableColumns } from '../../definition.ts';
import { age, NONE, selector, table } from '../../table.ts';
import { balancerAddresses } from '../core/tables.ts';
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from './v1-objects.ts';

export const ingressTable: TableColumns<Ingress> = table(['Class', 'Hosts', 'Address', 'Ports', 'Age'], (ingress) => [
  (ingress.spec?.ingressClassName ?? '') || NONE,
  hosts(ingress),
  balancerAddresses(ingress).join(','),
  (ingress.spec?.tls ?? []).length > 0 ? '80, 443' : '80',
  age(ingress),
]);

/** The first three hosts; the number of further ones counts rules, not hosts. */
function hosts(ingress: Ingress): string {
  const rules = ingress.spec?.rules ?? [];
  const all = rules.map((rule) => rule.host ?? '').filter((host) => host !== '');
  if (all.length === 0) return '*';
  const shown = all.slice(0, 3).join(',');
  const third = rules.findIndex((rule) => (rule.host ?? '') === all[2]);
  const more = all.length >= 3 && third < rules.length - 1;
  return more ? `${shown} + ${rules.length - 3} more...` : shown;
}

export const ingressClassTable: TableColumns<IngressClass> = table(
  ['Controller', 'Parameters', 'Age'],
  (ingressClass) => {
    const parameters = ingressClass.spec?.parameters;
    const kind = qualified(parameters?.kind ?? '', parameters?.apiGroup ?? '');
    return [
      ingressClass.spec?.controller ?? '',
      parameters !== undefined ? `${kind}/${parameters.name ?? ''}` : NONE,
      age(ingressClass),
    ];
  },
);

export const networkPolicyTable: TableColumns<NetworkPolicy> = table(['Pod-Selector', 'Age'], (policy) => [
  selector(policy.spec?.podSelector),
  age(policy),
]);

/** Kubernetes declares no column for the age in its rows; clients have adapted to that. */
export const ipAddressTable: TableColumns<IPAddress> = table(['ParentRef'], (address) => {
  const parent = address.spec?.parentRef;
  const resource = qualified(parent?.resource ?? '', parent?.group ?? '').toLowerCase();
  const parts = [resource, parent?.namespace ?? '', parent?.name ?? ''];
  return [parent !== undefined ? parts.filter((part) => part !== '').join('/') : NONE, age(address)];
});

export const serviceCidrTable: TableColumns<ServiceCIDR> = table(['CIDRs', 'Age'], (range) => [
  (range.spec?.cidrs ?? []).join(','),
  age(range),
]);
