// Selectable fields of core kinds in addition to metadata.name and metadata.namespace.

import { isSince } from '../../../lifecycle/version.ts';
import type { Selection } from '../../definition.ts';
import type { Secret } from './config/objects.ts';
import type { Event } from './event/objects.ts';
import type { Namespace } from './namespace/objects.ts';
import type { Node } from './node/objects.ts';
import type { Pod } from './pod/objects.ts';
import type { ReplicationController } from './replication-controller/objects.ts';
import type { Service } from './service/objects.ts';

/** Fields by name, with their readers: an absent value is empty. */
function selectable<T>(fields: Record<string, (object: T) => string | undefined>): Selection<T> {
  const readers = Object.entries(fields);
  return {
    names: Object.keys(fields),
    refusal: 'notSupported',
    values: (object) => {
      const out: Record<string, string> = {};
      for (const [name, read] of readers) out[name] = read(object) ?? '';
      return out;
    },
  };
}

const podValues = selectable<Pod>({
  'spec.nodeName': ({ spec }) => spec?.nodeName,
  // The deprecated name of spec.nodeName, which old clients still send.
  'spec.host': ({ spec }) => spec?.nodeName,
  'spec.restartPolicy': ({ spec }) => spec?.restartPolicy,
  'spec.schedulerName': ({ spec }) => spec?.schedulerName,
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName,
  'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
  'status.phase': ({ status }) => status?.phase,
  'status.podIP': ({ status }) => status?.podIP,
  // Accepted but never set, so it only equals the empty string.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName,
});

export const podFields: Selection<Pod> = { ...podValues, indexed: 'spec.nodeName' };

export const nodeFields = selectable<Node>({
  'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false),
});

export const namespaceFields = selectable<Namespace>({ 'status.phase': ({ status }) => status?.phase });

export const secretFields = selectable<Secret>({ type: ({ type }) => type });

const withServiceFields = selectable<Service>({
  'spec.clusterIP': ({ spec }) => spec?.clusterIP,
  'spec.type': ({ spec }) => spec?.type,
});

/** Services have selectable fields of their own from Kubernetes 1.31 on. */
export function serviceFields(minor: number): Selection<Service> | undefined {
  return isSince({ minor }, 31) ? withServiceFields : undefined;
}

export const replicationControllerFields = selectable<ReplicationController>({
  'status.replicas': ({ status }) => String(status?.replicas ?? 0),
});

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const about = (prefix: string) =>
  Object.fromEntries(
    REFERENCE.map((name) => [`${prefix}.${name}`, ({ involvedObject }: Event) => involvedObject?.[name]]),
  );

const component = ({ reportingComponent }: Event) => reportingComponent;

// Events are stored once and watched in two groups with different field names. The values contain both sets, so that an
// object is read once for both; the lists of names say which ones a group supports.
const bothGroups = selectable<Event>({
  ...about('involvedObject'),
  ...about('regarding'),
  reason: ({ reason }) => reason,
  type: ({ type }) => type,
  reportingComponent: component,
  reportingController: component,
  source: (event) => event.source?.component || component(event),
});

const BOTH_NAMES = bothGroups.names;
const newerNames = (name: string) => name.startsWith('regarding.') || name === 'reportingController';

export const eventFields: Selection<Event> = {
  ...bothGroups,
  names: BOTH_NAMES.filter((name) => !newerNames(name)),
};

export const newerEventFields: Selection<Event> = {
  ...bothGroups,
  names: [...BOTH_NAMES.filter(newerNames), 'reason', 'type'],
};
