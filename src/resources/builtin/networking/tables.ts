// How ingresses, network policies and service addresses are listed.

import { qualified } from '../../../api/group-version.ts';
import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, NONE, selector, table } from '../../table.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';
import { balancerAddresses } from '../core/tables.ts';

export const ingressTable: TableColumns = table(['Class', 'Hosts', 'Address', 'Ports', 'Age'], (ingress) => [
  textAt(ingress, 'spec', 'ingressClassName') || NONE,
  hosts(ingress),
  balancerAddresses(ingress).join(','),
  listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80',
  age(ingress),
]);

/** The first three hosts; how many more is counted in rules, not in hosts. */
function hosts(ingress: ApiObject): string {
  const rules = listAt(ingress, 'spec', 'rules');
  const all = rules.map((rule) => textAt(rule, 'host')).filter((host) => host !== '');
  if (all.length === 0) return '*';
  const shown = all.slice(0, 3).join(',');
  const third = rules.findIndex((rule) => textAt(rule, 'host') === all[2]);
  const more = all.length >= 3 && third < rules.length - 1;
  return more ? `${shown} + ${rules.length - 3} more...` : shown;
}

export const ingressClassTable: TableColumns = table(['Controller', 'Parameters', 'Age'], (ingressClass) => {
  const parameters = at(ingressClass, 'spec', 'parameters');
  const kind = qualified(textAt(parameters, 'kind'), textAt(parameters, 'apiGroup'));
  return [
    textAt(ingressClass, 'spec', 'controller'),
    isObject(parameters) ? `${kind}/${textAt(parameters, 'name')}` : NONE,
    age(ingressClass),
  ];
});

export const networkPolicyTable: TableColumns = table(['Pod-Selector', 'Age'], (policy) => [
  selector(policy, 'spec', 'podSelector'),
  age(policy),
]);

/** Kubernetes declares no column for the age that its rows carry; clients have learnt to live with it. */
export const ipAddressTable: TableColumns = table(['ParentRef'], (address) => {
  const parent = at(address, 'spec', 'parentRef');
  const resource = qualified(textAt(parent, 'resource'), textAt(parent, 'group')).toLowerCase();
  const parts = [resource, textAt(parent, 'namespace'), textAt(parent, 'name')];
  return [isObject(parent) ? parts.filter((part) => part !== '').join('/') : NONE, age(address)];
});

export const serviceCidrTable: TableColumns = table(['CIDRs', 'Age'], (range) => [
  listAt(range, 'spec', 'cidrs').join(','),
  age(range),
]);
