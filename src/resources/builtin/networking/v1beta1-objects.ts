// The objects of networking/v1beta1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { TypedLocalObjectReference } from '../core/reference-objects.ts';
import type { Condition } from '../meta/v1-objects.ts';

export type IPAddress = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IPAddressSpec;
};

export type IPAddressSpec = {
  readonly parentRef?: ParentReference;
};

export type ParentReference = {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
};

export type Ingress = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IngressSpec;
  readonly status?: IngressStatus;
};

export type IngressSpec = {
  readonly ingressClassName?: string;
  readonly backend?: IngressBackend;
  readonly tls?: readonly IngressTLS[];
  readonly rules?: readonly IngressRule[];
};

export type IngressBackend = {
  readonly serviceName?: string;
  readonly servicePort?: number | string;
  readonly resource?: TypedLocalObjectReference;
};

export type IngressTLS = {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
};

export type IngressRule = {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
};

export type IngressRuleValue = {
  readonly http?: HTTPIngressRuleValue;
};

export type HTTPIngressRuleValue = {
  readonly paths?: readonly HTTPIngressPath[] | null;
};

export type HTTPIngressPath = {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend?: IngressBackend;
};

export type IngressStatus = {
  readonly loadBalancer?: IngressLoadBalancerStatus;
};

export type IngressLoadBalancerStatus = {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
};

export type IngressLoadBalancerIngress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ports?: readonly IngressPortStatus[];
};

export type IngressPortStatus = {
  readonly port?: number;
  readonly protocol?: string;
  readonly error?: string;
};

export type IngressClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IngressClassSpec;
};

export type IngressClassSpec = {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
};

export type IngressClassParametersReference = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly scope?: string | null;
  readonly namespace?: string;
};

export type ServiceCIDR = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus;
};

export type ServiceCIDRSpec = {
  readonly cidrs?: readonly string[];
};

export type ServiceCIDRStatus = {
  readonly conditions?: readonly Condition[];
};
