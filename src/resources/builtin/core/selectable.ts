// The fields of core kinds that a list or watch can be narrowed by, beyond metadata.name and metadata.namespace.

import type { JsonObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { textAt } from '../../value.ts';

type Selectable = Pick<Behaviour, 'selectableFields' | 'selectableFieldNames' | 'unknownField'>;

function selectable(fields: Record<string, (object: JsonObject) => string>): Selectable {
  const readers = Object.entries(fields);
  return {
    selectableFieldNames: Object.keys(fields),
    unknownField: 'notSupported',
    selectableFields: (object) => {
      const out: Record<string, string> = {};
      for (const [name, read] of readers) out[name] = read(object);
      return out;
    },
  };
}

const spec = (name: string) => (object: JsonObject) => textAt(object['spec'], name);
const status = (name: string) => (object: JsonObject) => textAt(object['status'], name);

export const podFields = selectable({
  'spec.nodeName': spec('nodeName'),
  // The older name of spec.nodeName, which clients of its time still send.
  'spec.host': spec('nodeName'),
  'spec.restartPolicy': spec('restartPolicy'),
  'spec.schedulerName': spec('schedulerName'),
  'spec.serviceAccountName': spec('serviceAccountName'),
  'spec.hostNetwork': (pod) => textAt(pod, 'spec', 'hostNetwork') || 'false',
  'status.phase': status('phase'),
  'status.podIP': status('podIP'),
  // Accepted but never set, so that it equals only the empty text.
  'status.podIPs': () => '',
  'status.nominatedNodeName': status('nominatedNodeName'),
});

export const nodeFields = selectable({
  'spec.unschedulable': (node) => textAt(node, 'spec', 'unschedulable') || 'false',
});

export const namespaceFields = selectable({ 'status.phase': status('phase') });

export const secretFields = selectable({ type: (secret) => textAt(secret, 'type') });

export const serviceFields = selectable({ 'spec.clusterIP': spec('clusterIP'), 'spec.type': spec('type') });

export const replicationControllerFields = selectable({
  'status.replicas': (controller) => textAt(controller, 'status', 'replicas') || '0',
});

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const about = (prefix: string) =>
  Object.fromEntries(
    REFERENCE.map((name) => [`${prefix}.${name}`, (event: JsonObject) => textAt(event, 'involvedObject', name)]),
  );

const component = (event: JsonObject) => textAt(event, 'reportingComponent');

// Events are stored once and watched in two groups, each with its own names for the fields. The values carry both sets,
// so that one reading of an object serves both; the names say which of them a group knows.
const bothGroups = selectable({
  ...about('involvedObject'),
  ...about('regarding'),
  reason: (event) => textAt(event, 'reason'),
  type: (event) => textAt(event, 'type'),
  reportingComponent: component,
  reportingController: component,
  source: (event) => textAt(event, 'source', 'component') || component(event),
});

const newerNames = (name: string) => name.startsWith('regarding.') || name === 'reportingController';

export const eventFields: Selectable = {
  ...bothGroups,
  selectableFieldNames: bothGroups.selectableFieldNames.filter((name) => !newerNames(name)),
};

export const newerEventFields: Selectable = {
  ...bothGroups,
  selectableFieldNames: [...bothGroups.selectableFieldNames.filter(newerNames), 'reason', 'type'],
};
