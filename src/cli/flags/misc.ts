// Misc flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const miscFlags: readonly Flag[] = [
  {
    name: 'aggregator-reject-forwarding-redirect',
    type: 'bool',
    option: 'aggregatorRejectForwardingRedirect',
    help: 'Reject redirects of aggregated API servers.',
  },
  {
    name: 'allow-privileged',
    type: 'bool',
    option: 'allowPrivileged',
    help: 'If true, allow privileged containers.',
  },
  {
    name: 'coordinated-leadership-lease-duration',
    type: 'duration',
    option: 'coordinatedLeadershipLeaseDurationMs',
    help: 'After this time without renewal, another server coordinates leaders.',
  },
  {
    name: 'coordinated-leadership-renew-deadline',
    type: 'duration',
    option: 'coordinatedLeadershipRenewDeadlineMs',
    help: 'After this time without renewal, the server stops to do so.',
  },
  {
    name: 'coordinated-leadership-retry-period',
    type: 'duration',
    option: 'coordinatedLeadershipRetryPeriodMs',
    help: 'How often that Lease is renewed, or tried to be taken.',
  },
  {
    name: 'egress-selector-config-file',
    type: 'file',
    option: 'egressSelectorConfigFile',
    help: 'EgressSelectorConfiguration: proxies for outgoing connections.',
  },
  {
    name: 'enable-aggregator-routing',
    type: 'bool',
    option: 'enableAggregatorRouting',
    help: 'Reach aggregated API servers at endpoints, not at cluster IPs.',
  },
  {
    name: 'endpoint-reconciler-type',
    type: 'string',
    option: 'endpointReconcilerType',
    help: 'How servers on one etcd publish addresses: lease, master-count, none.',
  },
  {
    name: 'apiserver-count',
    type: 'int',
    option: 'apiserverCount',
    help: 'Number of servers that share an etcd, for master-count. Deprecated.',
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
  },
  {
    name: 'kubernetes-service-node-port',
    type: 'int',
    option: 'kubernetesServiceNodePort',
    help: 'Make the Service kubernetes a NodePort service with this port.',
  },
  {
    name: 'kubelet-certificate-authority',
    type: 'file',
    option: 'kubeletCertificateAuthority',
    help: 'CA bundle for verifying kubelets, PEM; not verified if not given.',
  },
  {
    name: 'kubelet-client-certificate',
    type: 'file',
    option: 'kubeletClientCertificate',
    help: 'Client certificate for kubelets, PEM.',
  },
  {
    name: 'kubelet-client-key',
    type: 'file',
    option: 'kubeletClientKey',
    help: 'The key of that certificate, PEM.',
  },
  {
    name: 'kubelet-preferred-address-types',
    type: 'strings',
    option: 'kubeletPreferredAddressTypes',
    help: 'Types of node addresses for reaching kubelets, in order of preference.',
  },
  {
    name: 'max-connection-bytes-per-sec',
    type: 'int',
    option: 'maxConnectionBytesPerSec',
    help: 'Bytes per second and direction of upgraded connections; 0 for no limit.',
  },
  {
    name: 'peer-advertise-ip',
    type: 'string',
    option: 'peerAdvertiseIp',
    help: 'IP for other servers on the store; with --peer-advertise-port.',
  },
  {
    name: 'peer-advertise-port',
    type: 'string',
    option: 'peerAdvertisePort',
    help: 'Port for other servers on the store; with --peer-advertise-ip.',
  },
  {
    name: 'peer-ca-file',
    type: 'file',
    option: 'peerCaFile',
    help: 'CA of servers on this store that serve what this one does not, PEM.',
  },
  {
    name: 'proxy-client-cert-file',
    type: 'file',
    option: 'proxyClientCertFile',
    help: 'Client certificate for aggregated API servers, PEM.',
  },
  {
    name: 'proxy-client-key-file',
    type: 'file',
    option: 'proxyClientKeyFile',
    help: 'The key of that certificate, PEM.',
  },
  {
    name: 'service-cluster-ip-range',
    type: 'serviceRanges',
    option: 'serviceClusterIpRange',
    help: 'Service addresses: one CIDR, or one per IP family.',
  },
  {
    name: 'service-node-port-range',
    type: 'portRange',
    option: 'serviceNodePortRange',
    help: 'Ports of NodePort services, inclusive.',
  },
  { name: 'event-ttl', type: 'duration', option: 'eventTtlMs', help: 'How long events are kept.' },
  {
    name: 'controllers',
    type: 'string',
    option: 'controllers',
    help: 'Controllers to run: * for all, -* only for kube-apiserver, name, -name.',
  },
];
