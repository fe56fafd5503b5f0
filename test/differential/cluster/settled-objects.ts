// The objects of a namespace once its cluster has come to rest, without what differs from run to run: names that were
// generated, addresses, identifiers, times and the nodes that were chosen.

import type { Side } from './sides.ts';

type Item = Record<string, unknown> & { metadata: Record<string, unknown> & { name: string } };

/** The lists that are compared. */
const LISTS: readonly string[] = [
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
  'apis/storage.k8s.io/v1/volumeattachments',
  'api/v1/NS/resourcequotas',
  'api/v1/NS/events',
];
/** How long nothing may change, and how long that may take. */
const QUIET_MS = 1_500;
const LIMIT_MS = 25_000;

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

/** Volumes that are named after a namespace or that its claims have, and their attachments. */
function ofNamespace(items: readonly Item[], namespace: string, volumes: readonly Item[]): Item[] {
  const names = new Set(volumes.map(({ metadata }) => metadata.name));
  return items.filter(({ metadata, ['spec']: spec }) => {
    const { claimRef, source } = spec as {
      claimRef?: { namespace?: string };
      source?: { persistentVolumeName?: string };
    };
    const isVolume = metadata.name.startsWith(`${namespace}-`) || claimRef?.namespace === namespace;
    return isVolume || names.has(source?.persistentVolumeName ?? '');
  });
}

/** Changes to this text mean that the cluster has not come to rest; repeated events do not count. */
function lookOf(lists: ReadonlyMap<string, Item[]>): string {
  return JSON.stringify([...lists].map(([name, items]) => [name, name === 'events' ? eventTexts(items) : items]));
}

/** The objects of a namespace once they no longer change, by resource, each as a text. */
export async function settledObjects(side: Side, namespace: string): Promise<Map<string, string[]>> {
  const start = Date.now();
  let lists = await read(side, namespace);
  let since = Date.now();
  let before = lookOf(lists);
  while (Date.now() - since < QUIET_MS && Date.now() - start < LIMIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    lists = await read(side, namespace);
    const now = lookOf(lists);
    if (now !== before) since = Date.now();
    before = now;
  }
  const objects = new Map<string, string[]>();
  for (const [resource, items] of lists) {
    const isCounted = resource !== 'endpointslices' && resource !== 'endpoints';
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
  const { generation, ...metadata } = item.metadata;
  return plain(isCounted ? item : { ...item, metadata: { ...metadata, isCounted: generation !== undefined } }, '');
}

/** Events are compared by what they are about, their reasons and messages; how often each came depends on timing. */
function eventTexts(items: readonly Item[]): string[] {
  const texts = items.map((item) => {
    const { involvedObject, reason, type, message, source, reportingComponent } = item as unknown as {
      involvedObject: { kind: string; name: string };
      reason: string;
      type: string;
      message: string;
      source?: { component?: string };
      reportingComponent?: string;
    };
    const who = source?.component || reportingComponent;
    const about = `${who} ${involvedObject.kind} ${nameless(involvedObject.name)} ${type}`;
    // Whether there is a pod already when the binder looks at a claim depends on timing.
    if (reason === 'WaitForPodScheduled' || reason === 'WaitForFirstConsumer') return `${about} waits for a pod`;
    return `${about} ${reason}: ${nameless(message)}`;
  });
  return [...new Set(texts)];
}

/** Generated parts of names, hashes and addresses become dots. */
function nameless(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UID')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{6,10}(?=-|\b)/g, '-#')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-#')
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
    // The order of conditions and of endpoints depends on who was first, that of ports on hashes.
    return ['conditions', 'endpoints', 'active', 'ports'].includes(member)
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
