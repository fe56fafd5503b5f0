import { defaultsTable } from '../../../../test/contract/defaults.ts';

const ports = [{ port: 80 }];
const fullPorts = [{ protocol: 'TCP', port: 80, targetPort: 80 }];
const CLUSTER = { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' };

defaultsTable('services', [
  { when: 'one port', given: { spec: { ports } }, stored: { spec: { ...CLUSTER, ports: fullPorts } } },
  {
    when: 'a port that leads elsewhere',
    given: { spec: { ports: [{ port: 80, targetPort: 'web', protocol: 'SCTP' }] } },
    stored: { 'spec.ports': [{ port: 80, targetPort: 'web', protocol: 'SCTP' }] },
    only: ['spec.ports'],
  },
  {
    when: 'a node port',
    given: { spec: { type: 'NodePort', ports } },
    stored: { spec: { ...CLUSTER, type: 'NodePort', externalTrafficPolicy: 'Cluster', ports: fullPorts } },
  },
  {
    when: 'a load balancer',
    given: { spec: { type: 'LoadBalancer', ports, externalTrafficPolicy: 'Local' } },
    stored: {
      spec: {
        ...CLUSTER,
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: true,
        ports: fullPorts,
      },
    },
  },
  {
    when: 'an external name',
    given: { spec: { type: 'ExternalName', externalName: 'db.example.com' } },
    stored: { spec: { type: 'ExternalName', externalName: 'db.example.com', sessionAffinity: 'None' } },
  },
  {
    when: 'external addresses',
    given: { spec: { ports, externalIPs: ['192.0.2.1'] } },
    stored: { 'spec.externalTrafficPolicy': 'Cluster' },
    only: ['spec.externalTrafficPolicy'],
  },
  {
    when: 'clients that stay',
    given: { spec: { ports, sessionAffinity: 'ClientIP' } },
    stored: { 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 10800 } } },
    only: ['spec.sessionAffinityConfig'],
  },
  {
    when: 'a time to stay for clients that do not',
    given: { spec: { ports, sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } } },
    stored: { 'spec.sessionAffinityConfig': undefined },
    only: ['spec.sessionAffinityConfig'],
  },
  {
    when: 'the address of a load balancer',
    given: {
      spec: { type: 'LoadBalancer', ports },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'a.example' }] } },
    },
    stored: { 'status.loadBalancer.ingress': [{ ip: '192.0.2.1', ipMode: 'VIP' }, { hostname: 'a.example' }] },
    only: ['status.loadBalancer.ingress'],
  },
]);

defaultsTable('endpoints', [
  {
    when: 'a port',
    given: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
    stored: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] },
  },
]);

function limit(given: object) {
  return { spec: { limits: [{ type: 'Container', ...given }] } };
}

defaultsTable('limitranges', [
  {
    when: 'a maximum alone',
    given: limit({ max: { cpu: '2' } }),
    stored: limit({ max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } }),
  },
  {
    when: 'a minimum is what is requested where nothing else is',
    given: limit({ min: { cpu: '1', memory: '1Mi' }, default: { cpu: '2' } }),
    stored: limit({
      min: { cpu: '1', memory: '1Mi' },
      default: { cpu: '2' },
      defaultRequest: { cpu: '2', memory: '1Mi' },
    }),
  },
  {
    when: 'limits of other things',
    given: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    stored: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
  },
]);

defaultsTable('resourcequotas', [
  {
    when: 'amounts finer than thousandths',
    given: { spec: { hard: { cpu: '100u', memory: '1Gi' } } },
    stored: { spec: { hard: { cpu: '1m', memory: '1Gi' } } },
  },
]);

defaultsTable('nodes', [
  {
    when: 'all that it has is to be given away',
    given: { status: { capacity: { cpu: '4' } } },
    stored: { 'status.allocatable': { cpu: '4' } },
    only: ['status.allocatable'],
  },
  {
    when: 'its range of addresses',
    given: { spec: { podCIDR: '10.1.0.0/24' } },
    stored: { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
  },
]);

defaultsTable('persistentvolumeclaims', [
  {
    when: 'a small one',
    given: { spec: { resources: { requests: { storage: '1Gi' } } } },
    stored: { spec: { resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' } },
  },
]);

const KEPT = { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' };

defaultsTable('persistentvolumes', [
  {
    when: 'a host path',
    given: { spec: { hostPath: { path: '/data' } } },
    stored: { spec: { hostPath: { path: '/data', type: '' }, ...KEPT } },
  },
  {
    when: 'iSCSI',
    given: { spec: { iscsi: { targetPortal: 'p', iqn: 'q', lun: 0 } } },
    stored: { spec: { iscsi: { targetPortal: 'p', iqn: 'q', lun: 0, iscsiInterface: 'default' }, ...KEPT } },
  },
  {
    when: 'Azure Disk',
    given: { spec: { azureDisk: { diskName: 'd', diskURI: 'u' } } },
    stored: {
      spec: {
        azureDisk: {
          diskName: 'd',
          diskURI: 'u',
          cachingMode: 'ReadWrite',
          fsType: 'ext4',
          readOnly: false,
          kind: 'Shared',
        },
        ...KEPT,
      },
    },
  },
]);

defaultsTable('secrets', [{ when: 'no type', given: {}, stored: { type: 'Opaque' } }]);
