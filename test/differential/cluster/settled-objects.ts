// The objects of a namespace as two clusters can be compared by them: without what differs from run to run, such as names
// that were generated, addresses, identifiers, times and the nodes that were chosen. What is left out is left out for both.

import type { Side } from './sides.ts';

type Item = Record<string, unknown> & { metadata: Record<string, unknown> & { name: string } };

/** The lists that are compared. */
export const LISTS: readonly string[] = [
  'apis/apps/v1/NS/deployments',
  'apis/apps/v1/NS/replicasets',
  'apis/apps/v1/NS/statefulsets',
  'apis/apps/v1/NS/daemonsets',
  'apis/apps/v1/NS/controllerrevisions',
  'apis/batch/v1/NS/jobs',
  'apis/batch/v1/NS/cronjobs',
  'apis/discovery.k8s.io/v1/NS/endpointslices',
  'apis/policy/v1/NS/poddisruptionbudgets',
  'apis/resource.k8s.io/v1/NS/resourceclaims',
  'apis/autoscaling/v2/NS/horizontalpodautoscalers',
  'api/v1/NS/replicationcontrollers',
  'api/v1/NS/pods',
  'api/v1/NS/endpoints',
  'api/v1/NS/services',
  'api/v1/NS/persistentvolumeclaims',
  'api/v1/persistentvolumes',
  'api/v1/nodes',
  'apis/storage.k8s.io/v1/volumeattachments',
  'api/v1/NS/resourcequotas',
  'api/v1/NS/events',
];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const MASKED = new Set([
  ...['uid', 'resourceVersion', 'nodeName', 'hostIP', 'podIP', 'ip', 'clusterIP'],
  ...['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash'],
]);
const DROPPED = new Set([
  'endpoints.kubernetes.io/last-change-trigger-time',
  'hostIPs',
  'podIPs',
  'clusterIPs',
  'addresses',
  'containerID',
  ...['images', 'nodeInfo', 'podCIDR', 'podCIDRs'],
  'imageID',
  'host',
  'reportingInstance',
]);

/** The lists of a namespace, by path. */
async function read({ server }: Side, namespace: string): Promise<Map<string, Item[]>> {
  const lists = new Map<string, Item[]>();
  for (const path of LISTS) {
    const { body } = await server.request('GET', `/${path.replace('NS', `namespaces/${namespace}`)}`);
    const { items = [] } = body as { items?: Item[] };
    const volumes = lists.get('persistentvolumes') ?? [];
    const own = path.includes('/NS/') ? items : ofNamespace(items, namespace, volumes);
    lists.set(path.slice(path.lastIndexOf('/') + 1), own);
  }
  return lists;
}

/** Nodes and volumes that are named after a namespace, volumes that its claims have, and their attachments. */
function ofNamespace(items: readonly Item[], namespace: string, volumes: readonly Item[]): Item[] {
  const names = new Set(volumes.map(({ metadata }) => metadata.name));
  return items.filter(({ metadata, ['spec']: spec }) => {
    const { claimRef, source } = (spec ?? {}) as {
      claimRef?: { namespace?: string };
      source?: { persistentVolumeName?: string };
    };
    const isOwn = metadata.name.startsWith(`${namespace}-`) || claimRef?.namespace === namespace;
    return isOwn || names.has(source?.persistentVolumeName ?? '');
  });
}

/** Resources whose objects are written as often as their pods come and go, one by one or several at once. */
const UNCOUNTED: ReadonlySet<string> = new Set(['endpointslices', 'endpoints', 'replicasets']);

/** What is compared of a namespace, by resource: each object as a text. */
export async function look(side: Side, namespace: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const lists = await read(side, namespace);
  const objects = new Map<string, string[]>();
  for (const [resource, items] of lists) {
    const isCounted = !UNCOUNTED.has(resource);
    const texts =
      resource === 'events'
        ? eventTexts(items)
        : items.map((item) => JSON.stringify(comparable(item, isCounted), undefined, 1));
    objects.set(resource, texts.sort());
  }
  return objects;
}

/** @param isCounted whether how often the object was written does not depend on timing */
function comparable(item: Item, isCounted: boolean): unknown {
  if (isCounted) return plain(item, '');
  const { generation, ...metadata } = item.metadata;
  const { observedGeneration, ...status } = (item['status'] ?? {}) as { readonly observedGeneration?: number };
  const isObserved = observedGeneration === generation;
  return plain(
    { ...item, metadata: { ...metadata, isCounted: generation !== undefined }, status: { ...status, isObserved } },
    '',
  );
}

interface EventItem {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly reason: string;
  readonly type: string;
  readonly message: string;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
}

/** Begins the message of an event that has come too often, which depends on timing. */
const COMBINED = '(combined from similar events): ';
/**
 * kube-controller-manager often reads claims from a cache that is behind: it says that one could not be updated, and not
 * that the pod was created. Pods and the order in which they come are compared.
 */
const OF_CACHES = /the object has been modified; please apply|^create Pod \S+ in StatefulSet \S+ successful$/;

/** Events that one side may have and the other not, by their reasons. */
const ACCIDENTAL: ReadonlySet<string> = new Set([
  // Whether there is a pod already, and whether it has a node, when the binder looks at a claim.
  ...['WaitForPodScheduled', 'WaitForFirstConsumer'],
  // Whether the binder looks again while a volume is another claim's: one side does so every second, the other every 15 s.
  'FailedBinding',
  // Whether an image is there depends on the node that was chosen.
  ...['Pulling', 'Pulled'],
  // Whether the budget's controller knows the owner of a new pod already.
  'CalculateExpectedPodCountFailed',
]);

/**
 * Events are compared by what they are about, their reasons and messages; how often each came depends on timing. So does
 * what the scheduler says of a pod while others still make what it needs: it counts only that a pod could not be
 * scheduled, if it never was. Its last message is in the pod's condition, which is compared. By how many pods each step of
 * a rollout goes depends on when pods become ready; the limits of these steps are checked at each moment instead.
 */
function eventTexts(items: readonly Item[]): string[] {
  const events = items as unknown as readonly EventItem[];
  const scheduled = new Set(
    events.filter(({ reason }) => reason === 'Scheduled').map(({ involvedObject }) => involvedObject.name),
  );
  const texts = events.flatMap(({ involvedObject, reason, type, message, source, reportingComponent }) => {
    const who = source?.component || reportingComponent;
    const about = `${who} ${involvedObject.kind} ${nameless(involvedObject.name)} ${type}`;
    if (reason === 'FailedScheduling') return scheduled.has(involvedObject.name) ? [] : [`${about} ${reason}`];
    if (ACCIDENTAL.has(reason) || OF_CACHES.test(message)) return [];
    // Which of several pods a quota does not allow depends on which came first.
    if (reason === 'FailedCreate')
      return [`${about} ${reason}: ${nameless(message.replace(COMBINED, '')).replace(/-\d+-#/, '-N-#')}`];
    if (reason === 'ScalingReplicaSet') return [`${about} ${reason}: ${message.split(' ', 2).join(' ')}`];
    return [`${about} ${reason}: ${nameless(message.replace(COMBINED, ''))}`];
  });
  return [...new Set(texts)];
}

/** Generated parts of names, hashes and addresses become dots. */
function nameless(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UID')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{6,10}(?=-|\b)/g, '-#')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![A-Za-z0-9])/g, '-#')
    .replace(/\bcsi-[0-9a-f]{64}\b/g, 'csi-#')
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, 'IP')
    .replace(/\bnode-\d\b/g, 'NODE')
    .replace(/in \d[\w.µ]*s \(\d[\w.µ]*s including waiting\)/g, 'in a while');
}

function plain(value: unknown, member: string): unknown {
  if (typeof value === 'string') {
    if (MASKED.has(member)) return '…';
    return TIME.test(value) ? 'TIME' : nameless(value);
  }
  if (Array.isArray(value)) {
    const items = value.map((each) => plain(each, ''));
    // The order of conditions, endpoints and taints depends on who was first, that of ports on hashes.
    return ['conditions', 'endpoints', 'active', 'ports', 'taints'].includes(member)
      ? items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
      : items;
  }
  if (value === null || typeof value !== 'object') return value;
  if (member === 'managedFields') return undefined;
  const entries = Object.entries(value)
    .filter(([name]) => !DROPPED.has(name) && name !== 'managedFields')
    .map(([name, each]) => [nameless(name), plain(each, name)] as const)
    .filter(([name, each]) => name !== 'annotations' || Object.keys(each as object).length > 0);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
