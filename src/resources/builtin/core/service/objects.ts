// The objects of core/service/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { Condition } from '../../meta/v1-objects.ts';

export type Service = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ServiceSpec;
  readonly status?: ServiceStatus;
};

export type ServiceSpec = {
  readonly ports?: readonly ServicePort[];
  readonly selector?: Readonly<Record<string, string>>;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly type?: string;
  readonly externalIPs?: readonly string[];
  readonly sessionAffinity?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly externalName?: string;
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly publishNotReadyAddresses?: boolean;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly loadBalancerClass?: string;
  readonly internalTrafficPolicy?: string;
  readonly trafficDistribution?: string;
};

export type ServicePort = {
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly port?: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
};

export type SessionAffinityConfig = {
  readonly clientIP?: ClientIPConfig;
};

export type ClientIPConfig = {
  readonly timeoutSeconds?: number;
};

export type ServiceStatus = {
  readonly loadBalancer?: LoadBalancerStatus;
  readonly conditions?: readonly Condition[];
};

export type LoadBalancerStatus = {
  readonly ingress?: readonly LoadBalancerIngress[];
};

export type LoadBalancerIngress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
};

export type PortStatus = {
  readonly port?: number;
  readonly protocol?: string;
  readonly error?: string;
};
