// The `kubernetes` Service and its endpoints, by which clients inside the cluster reach the server.

import type { JsonObject } from '../../api/object.ts';

const NAME = 'kubernetes';
const HTTPS = { name: 'https', protocol: 'TCP' };

interface OwnPorts {
  /** The port on which the server listens, which the Service forwards to. */
  readonly port: number;
  /** The node port; 0 for none. */
  readonly nodePort: number;
}

export function ownService(serviceAddress: string, { port, nodePort }: OwnPorts) {
  const spec = {
    ports: [{ ...HTTPS, port: 443, targetPort: port, ...(nodePort === 0 ? {} : { nodePort }) }],
    clusterIP: serviceAddress,
    clusterIPs: [serviceAddress],
    ...(nodePort === 0 ? { type: 'ClusterIP' } : { type: 'NodePort', externalTrafficPolicy: 'Cluster' }),
    sessionAffinity: 'None',
    ipFamilies: [serviceAddress.includes(':') ? 'IPv6' : 'IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  };
  const metadata = named({ component: 'apiserver', provider: 'kubernetes' });
  // The lists are defaulted from the single address.
  const { clusterIPs: _addresses, ipFamilies: _families, ...said } = spec;
  return { group: '', resource: 'services', metadata, content: { spec }, said: { spec: said } };
}

/** @param address of the server for other machines */
export function ownEndpoints(addresses: readonly string[], port: number) {
  const ports = [{ ...HTTPS, port }];
  return [
    {
      group: '',
      resource: 'endpoints',
      metadata: named({ 'endpointslice.kubernetes.io/skip-mirror': 'true' }),
      content: { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] },
    },
    {
      group: 'discovery.k8s.io',
      resource: 'endpointslices',
      metadata: named({ 'kubernetes.io/service-name': NAME }),
      content: {
        addressType: addresses[0]?.includes(':') ? 'IPv6' : 'IPv4',
        ports,
        endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      },
    },
  ];
}

function named(labels: JsonObject) {
  return { name: NAME, namespace: 'default', labels };
}
