// The objects of networking/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { TypedLocalObjectReference } from '../core/reference-objects.ts';
import type { Condition, LabelSelector } from '../meta/v1-objects.ts';

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
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly IngressTLS[];
  readonly rules?: readonly IngressRule[];
};

export type IngressBackend = {
  readonly service?: IngressServiceBackend;
  readonly resource?: TypedLocalObjectReference;
};

export type IngressServiceBackend = {
  readonly name?: string;
  readonly port?: ServiceBackendPort;
};

export type ServiceBackendPort = {
  readonly name?: string;
  readonly number?: number;
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
  readonly pathType?: string | null;
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

export type NetworkPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: NetworkPolicySpec;
};

export type NetworkPolicySpec = {
  readonly podSelector?: LabelSelector;
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly policyTypes?: readonly string[];
};

export type NetworkPolicyIngressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly from?: readonly NetworkPolicyPeer[];
};

export type NetworkPolicyPort = {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
};

export type NetworkPolicyPeer = {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: IPBlock;
};

export type IPBlock = {
  readonly cidr?: string;
  readonly except?: readonly string[];
};

export type NetworkPolicyEgressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
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
