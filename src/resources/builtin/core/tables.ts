// How core kinds are listed, but for pods, which have a file of their own.

import type { ApiObject, Json } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import {
  age,
  column,
  condition,
  containers,
  integer,
  labels,
  NONE,
  since,
  some,
  table,
  UNKNOWN,
  UNSET,
  wide,
} from '../../table.ts';
import { at, entriesAt, isObject, listAt, numberAt, textAt } from '../../value.ts';

const NODE_ROLE_PREFIX = 'node-role.kubernetes.io/';
const OLD_NODE_ROLE = 'kubernetes.io/role';
const OLD_STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';

export const configMapTable: TableColumns = table(['Data', 'Age'], (map) => [
  entriesAt(map, 'data').length + entriesAt(map, 'binaryData').length,
  age(map),
]);

export const secretTable: TableColumns = table(['Type', 'Data', 'Age'], (secret) => [
  textAt(secret, 'type'),
  entriesAt(secret, 'data').length,
  age(secret),
]);

export const serviceAccountTable: TableColumns = table(['Secrets', 'Age'], (account) => [
  listAt(account, 'secrets').length,
  age(account),
]);

export const namespaceTable: TableColumns = table(['Status', 'Age'], (namespace) => [
  textAt(namespace, 'status', 'phase'),
  age(namespace),
]);

export const podTemplateTable: TableColumns = table(['Containers', 'Images', 'Pod Labels'], (template) => [
  ...containers(template, 'template', 'spec'),
  labels(template, 'template', 'metadata', 'labels'),
]);

export const replicationControllerTable: TableColumns = table(
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
    numberAt(controller, 'spec', 'replicas'),
    numberAt(controller, 'status', 'replicas'),
    numberAt(controller, 'status', 'readyReplicas'),
    age(controller),
    ...containers(controller, 'spec', 'template', 'spec'),
    labels(controller, 'spec', 'selector'),
  ],
);

export const componentStatusTable: TableColumns = table(['Status', 'Message', 'Error'], (component) => {
  const healthy = listAt(component, 'conditions').find((each) => textAt(each, 'type') === 'Healthy');
  const status = healthy === undefined ? 'Unknown' : textAt(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
  return [status, textAt(healthy, 'message'), textAt(healthy, 'error')];
});

export const serviceTable: TableColumns = table(
  ['Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', wide('Selector')],
  (service) => [
    textAt(service, 'spec', 'type'),
    textAt(listAt(service, 'spec', 'clusterIPs')[0]) || NONE,
    externalAddress(service),
    listAt(service, 'spec', 'ports').map(port).join(',') || NONE,
    age(service),
    labels(service, 'spec', 'selector'),
  ],
);

function externalAddress(service: ApiObject): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || NONE;
    case 'LoadBalancer':
      return [...balancerAddresses(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return UNKNOWN;
  }
}

/** The addresses and host names that a load balancer gave a service or an ingress, sorted. */
export function balancerAddresses(object: ApiObject): string[] {
  const points = listAt(object, 'status', 'loadBalancer', 'ingress');
  const addresses = points.map((point) => textAt(point, 'ip') || textAt(point, 'hostname'));
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}

function port(port: Json): string {
  const node = numberAt(port, 'nodePort');
  return `${numberAt(port, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(port, 'protocol')}`;
}

export const endpointsTable: TableColumns = table(['Endpoints', 'Age'], (endpoints) => {
  const subsets = listAt(endpoints, 'subsets');
  return [subsets.length === 0 ? NONE : some(subsets.flatMap(subsetAddresses)), age(endpoints)];
});

function subsetAddresses(subset: Json): string[] {
  const addresses = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = listAt(subset, 'ports').map((each) => numberAt(each, 'port'));
  if (ports.length === 0) return addresses;
  return ports.flatMap((each) => addresses.map((ip) => (ip.includes(':') ? `[${ip}]:${each}` : `${ip}:${each}`)));
}

export const nodeTable: TableColumns = table(
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
    textAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    nodeAddress(node, 'InternalIP'),
    nodeAddress(node, 'ExternalIP'),
    textAt(node, 'status', 'nodeInfo', 'osImage') || UNKNOWN,
    textAt(node, 'status', 'nodeInfo', 'kernelVersion') || UNKNOWN,
    textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || UNKNOWN,
  ],
);

function nodeStatus(node: ApiObject): string {
  const ready = condition(node, 'Ready');
  const status = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: ApiObject): string {
  const roles = entriesAt(node, 'metadata', 'labels').map(([key, value]) =>
    key.startsWith(NODE_ROLE_PREFIX) ? key.slice(NODE_ROLE_PREFIX.length) : key === OLD_NODE_ROLE ? textAt(value) : '',
  );
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || NONE;
}

function nodeAddress(node: ApiObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return textAt(found, 'address') || NONE;
}

export const persistentVolumeTable: TableColumns = table(
  [
    ...['Capacity', 'Access Modes', 'Reclaim Policy', 'Status', 'Claim', 'StorageClass', 'VolumeAttributesClass'],
    'Reason',
    'Age',
    wide('VolumeMode'),
  ],
  (volume) => {
    const claim = at(volume, 'spec', 'claimRef');
    return [
      textAt(volume, 'spec', 'capacity', 'storage') || '0',
      accessModes(listAt(volume, 'spec', 'accessModes')),
      textAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
      volumePhase(volume),
      isObject(claim) ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}` : '',
      storageClass(volume),
      textAt(volume, 'spec', 'volumeAttributesClassName') || UNSET,
      textAt(volume, 'status', 'reason'),
      age(volume),
      textAt(volume, 'spec', 'volumeMode') || UNSET,
    ];
  },
);

export const persistentVolumeClaimTable: TableColumns = table(
  [
    ...['Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeAttributesClass', 'Age'],
    wide('VolumeMode'),
  ],
  (claim) => {
    const volume = textAt(claim, 'spec', 'volumeName');
    // What a claim has is known only when it has a volume.
    const bound = volume !== '';
    return [
      volumePhase(claim),
      volume,
      bound ? textAt(claim, 'status', 'capacity', 'storage') || '0' : '',
      bound ? accessModes(listAt(claim, 'status', 'accessModes')) : '',
      storageClass(claim),
      textAt(claim, 'spec', 'volumeAttributesClassName') || UNSET,
      age(claim),
      textAt(claim, 'spec', 'volumeMode') || UNSET,
    ];
  },
);

function volumePhase(object: ApiObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating';
}

function storageClass(object: ApiObject): string {
  return object.metadata.annotations?.[OLD_STORAGE_CLASS] ?? textAt(object, 'spec', 'storageClassName');
}

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: Json[]): string {
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export const resourceQuotaTable: TableColumns = table(['Request', 'Limit', 'Age'], (quota) => {
  const rows = entriesAt(quota, 'status', 'hard').map(([name, hard]) => ({
    limit: name.startsWith('limits'),
    text: `${name}: ${textAt(at(quota, 'status', 'used'), name) || '0'}/${textAt(hard)}`,
  }));
  const cell = (limit: boolean) =>
    rows
      .filter((row) => row.limit === limit)
      .map((row) => row.text)
      .join(', ');
  return [cell(false), cell(true), age(quota)];
});

export const eventTable: TableColumns = {
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
    const series = isObject(event['series']) ? event['series'] : undefined;
    const lastSeen = event['lastTimestamp'] ? since(event['lastTimestamp']) : firstSeen;
    const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
    const name = textAt(event, 'involvedObject', 'name');
    return [
      series === undefined ? lastSeen : since(series['lastObservedTime']),
      textAt(event, 'type'),
      textAt(event, 'reason'),
      name === '' ? kind : `${kind}/${name}`,
      textAt(event, 'involvedObject', 'fieldPath'),
      eventSource(event),
      textAt(event, 'message').trim(),
      firstSeen,
      // An event that stands for one occurrence has no count.
      series === undefined ? numberAt(event, 'count') || 1 : numberAt(series, 'count'),
      event.metadata.name ?? '',
    ];
  },
};

function eventSource(event: ApiObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
