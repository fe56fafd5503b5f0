// Quota evaluator of Services: their number, node ports and load balancers.

import type { ApiObject } from '../../api/object.ts';
import type { Quantity } from '../../api/quantity.ts';
import { at, listAt, numberAt, textAt } from '../../resources/value.ts';
import { ONE } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

const COUNTED: ReadonlySet<string> = new Set([
  'services',
  'count/services',
  'services.nodeports',
  'services.loadbalancers',
]);

export const serviceEvaluator: Evaluator = {
  charges: ({ operation, request }) => request.subresource === '' && (operation === 'create' || operation === 'update'),
  counts: (name) => COUNTED.has(name),
  complaint: () => '',
  isWithin: () => false,
  usage: (service) =>
    new Map([
      ['services', ONE],
      ['count/services', ONE],
      ['services.nodeports', whole(nodePorts(service))],
      ['services.loadbalancers', whole(textAt(service, 'spec', 'type') === 'LoadBalancer' ? 1 : 0)],
    ]),
};

function whole(count: number): Quantity {
  return { mantissa: BigInt(count), exponent: 0, format: 'DecimalSI' };
}

/** Load balancers may have no node ports; those that are set count all the same. */
function nodePorts(service: ApiObject): number {
  const ports = listAt(service, 'spec', 'ports');
  switch (textAt(service, 'spec', 'type')) {
    case 'NodePort':
      return ports.length;
    case 'LoadBalancer':
      if (at(service, 'spec', 'allocateLoadBalancerNodePorts') !== false) return ports.length;
      return ports.filter((port) => numberAt(port, 'nodePort') !== 0).length;
    default:
      return 0;
  }
}
