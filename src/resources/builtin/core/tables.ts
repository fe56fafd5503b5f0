// Table columns of the core kinds except Pod, which has its own file.

import { ownMember } from '../../../api/own-member.ts';
import { hostAndPort } from '../../../base/host-port.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { TableColumns } from '../../definition.ts';
import {
  age,
  column,
  containers,
  integer,
  labels,
  NONE,
  namedTable,
  since,
  some,
  table,
  UNKNOWN,
  UNSET,
  wide,
} from '../../table.ts';
import { countEntries, sortedEntries } from '../../value.ts';
import type { IngressLoadBalancerStatus } from '../networking/v1-objects.ts';
import type { ComponentStatus } from './cluster-objects.ts';
import type { ConfigMap, Secret, ServiceAccount } from './config/objects.ts';
import type { EndpointSubset, Endpoints } from './endpoints/objects.ts';
import type { Event } from './event/objects.ts';
import type { Namespace } from './namespace/objects.ts';
import type { Node } from './node/objects.ts';
import type { PersistentVolume } from './persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim/objects.ts';
import type { PodTemplate } from './pod/objects.ts';
import type { ResourceQuota } from './quota/objects.ts';
import type { ReplicationController } from './replication-controller/objects.ts';
import type { LoadBalancerStatus, Service, ServicePort } from './service/objects.ts';

const NODE_ROLE_PREFIX = 'node-role.kubernetes.io/';
const OLD_NODE_ROLE = 'kubernetes.io/role';
const OLD_STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';

export const configMapTable: TableColumns<ConfigMap> = table(['Data', 'Age'], (map) => [
  countEntries(map.data) + countEntries(map.binaryData),
  age(map),
]);

export const secretTable: TableColumns<Secret> = table(['Type', 'Data', 'Age'], (secret) => [
  secret.type ?? '',
  countEntries(secret.data),
  age(secret),
]);

/** From 1.35 on accounts do not count their secrets, which are not made for them any more. */
export function serviceAccountTable(minor: number): TableColumns<ServiceAccount> {
  if (isSince({ minor }, 35)) return namedTable;
  return table(['Secrets', 'Age'], (account) => [(account.secrets ?? []).length, age(account)]);
}

export const namespaceTable: TableColumns<Namespace> = table(['Status', 'Age'], (namespace) => [
  namespace.status?.phase ?? '',
  age(namespace),
]);

export const podTemplateTable: TableColumns<PodTemplate> = table(['Containers', 'Images', 'Pod Labels'], (template) => [
  ...containers(template.template?.spec),
  labels(template.template?.metadata?.labels),
]);

export const replicationControllerTable: TableColumns<ReplicationController> = table(
  [
    integer('Desired'),
    integer('Current'),
    integer('Ready'),
    'Age',
    wide('Containers'),
    wide('Images'),
    wide('Selector'),
  ],
  (controller) => [
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    age(controller),
    ...containers(controller.spec?.template?.spec),
    labels(controller.spec?.selector),
  ],
);

export const componentStatusTable: TableColumns<ComponentStatus> = table(
  ['Status', 'Message', 'Error'],
  (component) => {
    const healthy = (component.conditions ?? []).find((each) => (each.type ?? '') === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : (healthy.status ?? '') === 'True' ? 'Healthy' : 'Unhealthy';
    return [status, healthy?.message ?? '', healthy?.error ?? ''];
  },
);

export const serviceTable: TableColumns<Service> = table(
  ['Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', wide('Selector')],
  (service) => [
    service.spec?.type ?? '',
    ((service.spec?.clusterIPs ?? [])[0] ?? '') || NONE,
    externalAddress(service),
    (service.spec?.ports ?? []).map(port).join(',') || NONE,
    age(service),
    labels(service.spec?.selector),
  ],
);

function externalAddress(service: Service): string {
  const external = service.spec?.externalIPs ?? [];
  switch (service.spec?.type ?? '') {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || NONE;
    case 'LoadBalancer':
      return [...balancerAddresses(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return service.spec?.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

/** The addresses and host names of a service's or ingress's load balancer, sorted. */
export function balancerAddresses(object: {
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus | IngressLoadBalancerStatus };
}): string[] {
  const points = object.status?.loadBalancer?.ingress ?? [];
  const addresses = points.map((point) => (point.ip ?? '') || (point.hostname ?? ''));
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}

function port(port: ServicePort): string {
  const node = port.nodePort ?? 0;
  return `${port.port ?? 0}${node > 0 ? `:${node}` : ''}/${port.protocol ?? ''}`;
}

export const endpointsTable: TableColumns<Endpoints> = table(['Endpoints', 'Age'], (endpoints) => {
  const subsets = endpoints.subsets ?? [];
  return [subsets.length === 0 ? NONE : some(subsets.flatMap(subsetAddresses)), age(endpoints)];
});

function subsetAddresses(subset: EndpointSubset): string[] {
  const addresses = (subset.addresses ?? []).map((address) => address.ip ?? '');
  const ports = (subset.ports ?? []).map((each) => each.port ?? 0);
  if (ports.length === 0) return addresses;
  return ports.flatMap((each) => addresses.map((host) => hostAndPort({ host, port: each })));
}

/** The columns of nodes. From 1.36 on the kernel version includes the architecture. */
export function nodeTable(minor: number): TableColumns<Node> {
  return table(
    [
      'Status',
      'Roles',
      'Age',
      'Version',
      ...['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'].map(wide),
    ],
    (node) => [
      nodeStatus(node),
      nodeRoles(node),
      age(node),
      node.status?.nodeInfo?.kubeletVersion ?? '',
      nodeAddress(node, 'InternalIP'),
      nodeAddress(node, 'ExternalIP'),
      (node.status?.nodeInfo?.osImage ?? '') || UNKNOWN,
      kernelOf(node, isSince({ minor }, 36)),
      (node.status?.nodeInfo?.containerRuntimeVersion ?? '') || UNKNOWN,
    ],
  );
}

function kernelOf({ status }: Node, withArchitecture: boolean): string {
  const { kernelVersion = '', architecture = '' } = status?.nodeInfo ?? {};
  return (kernelVersion || UNKNOWN) + (withArchitecture && architecture !== '' ? ` (${architecture})` : '');
}

function nodeStatus(node: Node): string {
  // The last one counts.
  const ready = node.status?.conditions?.findLast(({ type }) => type === 'Ready');
  const status = ready === undefined ? 'Unknown' : (ready.status ?? '') === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: Node): string {
  const roles = sortedEntries(node.metadata?.labels).map(([key, value]) =>
    key.startsWith(NODE_ROLE_PREFIX) ? key.slice(NODE_ROLE_PREFIX.length) : key === OLD_NODE_ROLE ? (value ?? '') : '',
  );
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || NONE;
}

function nodeAddress(node: Node, type: string): string {
  const found = (node.status?.addresses ?? []).find((address) => (address.type ?? '') === type);
  return found === undefined ? NONE : (found.address ?? '');
}

export const persistentVolumeTable: TableColumns<PersistentVolume> = table(
  [
    ...['Capacity', 'Access Modes', 'Reclaim Policy', 'Status', 'Claim', 'StorageClass', 'VolumeAttributesClass'],
    'Reason',
    'Age',
    wide('VolumeMode'),
  ],
  (volume) => {
    const claim = volume.spec?.claimRef;
    return [
      (volume.spec?.capacity?.storage ?? '') || '0',
      accessModes(volume.spec?.accessModes ?? []),
      volume.spec?.persistentVolumeReclaimPolicy ?? '',
      volumePhase(volume),
      claim !== undefined ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '',
      storageClass(volume),
      volume.spec?.volumeAttributesClassName ?? UNSET,
      volume.status?.reason ?? '',
      age(volume),
      volume.spec?.volumeMode ?? UNSET,
    ];
  },
);

export const persistentVolumeClaimTable: TableColumns<PersistentVolumeClaim> = table(
  [
    ...['Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeAttributesClass', 'Age'],
    wide('VolumeMode'),
  ],
  (claim) => {
    const volume = claim.spec?.volumeName ?? '';
    // The capacity of a claim is only known once it is bound.
    const bound = volume !== '';
    return [
      volumePhase(claim),
      volume,
      bound ? (claim.status?.capacity?.storage ?? '') || '0' : '',
      bound ? accessModes(claim.status?.accessModes ?? []) : '',
      storageClass(claim),
      claim.spec?.volumeAttributesClassName ?? UNSET,
      age(claim),
      claim.spec?.volumeMode ?? UNSET,
    ];
  },
);

function volumePhase(object: PersistentVolume | PersistentVolumeClaim): string {
  return object.metadata.deletionTimestamp === undefined ? (object.status?.phase ?? '') : 'Terminating';
}

function storageClass(object: PersistentVolume | PersistentVolumeClaim): string {
  return object.metadata.annotations?.[OLD_STORAGE_CLASS] ?? object.spec?.storageClassName ?? '';
}

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly string[]): string {
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** From 1.33 on the age is the last column. */
export function resourceQuotaTable(minor: number): TableColumns<ResourceQuota> {
  if (isSince({ minor }, 33)) {
    return table(['Request', 'Limit', 'Age'], (quota) => [...requestsAndLimits(quota), age(quota)]);
  }
  return table(['Age', 'Request', 'Limit'], (quota) => [age(quota), ...requestsAndLimits(quota)]);
}

function requestsAndLimits(quota: ResourceQuota): [requests: string, limits: string] {
  const rows = sortedEntries(quota.status?.hard).map(([name, hard]) => ({
    limit: name.startsWith('limits'),
    text: `${name}: ${ownMember(quota.status?.used, name) || '0'}/${hard ?? ''}`,
  }));
  const cell = (limit: boolean) =>
    rows
      .filter((row) => row.limit === limit)
      .map((row) => row.text)
      .join(', ');
  return [cell(false), cell(true)];
}

export const eventTable: TableColumns<Event> = {
  columns: [
    ...['Last Seen', 'Type', 'Reason', 'Object'].map((name) => column(name)),
    wide('Subobject'),
    wide('Source'),
    column('Message'),
    wide('First Seen'),
    wide('Count'),
    column('Name', { format: 'name', priority: 1 }),
  ],
  cells: (event) => {
    const firstSeen = since(event['firstTimestamp'] ?? event['eventTime']);
    const series = event['series'] !== undefined ? event['series'] : undefined;
    const lastSeen = event['lastTimestamp'] ? since(event['lastTimestamp']) : firstSeen;
    const kind = (event.involvedObject?.kind ?? '').toLowerCase();
    const name = event.involvedObject?.name ?? '';
    return [
      series === undefined ? lastSeen : since(series['lastObservedTime']),
      event.type ?? '',
      event.reason ?? '',
      name === '' ? kind : `${kind}/${name}`,
      event.involvedObject?.fieldPath ?? '',
      eventSource(event),
      (event.message ?? '').trim(),
      firstSeen,
      // An event for a single occurrence has no count.
      series === undefined ? (event.count ?? 0) || 1 : (series.count ?? 0),
      event.metadata.name ?? '',
    ];
  },
};

function eventSource(event: Event): string {
  const component = (event.source?.component ?? '') || (event.reportingComponent ?? '');
  const instance = (event.source?.host ?? '') || (event.reportingInstance ?? '');
  return instance === '' ? component : `${component}, ${instance}`;
}
