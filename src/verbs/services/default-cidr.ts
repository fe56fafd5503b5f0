// The ServiceCIDR `kubernetes`, which stands for the server's own ranges of service addresses.

import type { ApiObject } from '../../api/object.ts';

/** The manager of its status, which is also the name of its controller. */
export const SERVICE_CIDR_CONTROLLER = 'kubernetes-service-cidr-controller';

/** The condition of a ServiceCIDR whose ranges are those of the server; without its time. */
export const SERVICE_CIDR_READY = {
  type: 'Ready',
  status: 'True',
  message: 'Kubernetes default Service CIDR is ready',
} as const;

/** @param cidrs the ranges, that of the default family first */
export function defaultServiceCidr(cidrs: readonly string[]): ApiObject {
  return { metadata: { name: 'kubernetes' }, spec: { cidrs: [...cidrs] } };
}
