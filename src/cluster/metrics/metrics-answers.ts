// The API metrics.k8s.io of a simulated cluster: what metrics-server answers, from what simulated pods use. For
// `kubectl top` and for dashboards.

import { ApiError, errors } from '../../api/errors.ts';
import { FieldSelectorError, parseFieldSelector } from '../../api/field-selector.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import { LabelSelectorError, parseLabelSelector } from '../../api/label-selector.ts';
import { negotiate, type Transformation } from '../../api/media-type.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import { timestamp } from '../../api/timestamp.ts';
import { compareText } from '../../base/compare-text.ts';
import type { ShortTurns } from '../../base/short-turns.ts';
import { sorting } from '../../base/sorting.ts';
import { inTurns, type Steps } from '../../base/steps.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { KubeletAnswer } from '../nodes/simulation.ts';
import { NODE_OWN, runningUsageOf } from '../nodes/usage.ts';

export const GROUP = 'metrics.k8s.io';
export const VERSION = 'v1beta1';
const GROUP_VERSION = `${GROUP}/${VERSION}`;
const ROOT = `/apis/${GROUP_VERSION}`;

/** What is measured. */
export interface MeasuredCluster {
  nodes(): Node[];
  /** The pods of a namespace, or all. */
  pods(namespace?: string): Pod[];
  /** Milliseconds since the Unix epoch. */
  now(): number;
  readonly turns: ShortTurns;
}

/** A request, which has been authorized. */
interface MetricsQuestion {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly accept: string | undefined;
}

interface Used {
  readonly milliCpu: number;
  readonly memoryBytes: number;
}

/** The usage of a node, or of the containers of a pod. */
interface Measurement {
  readonly of: Node | Pod;
  readonly used: Used | readonly (Used & { readonly name: string })[];
}

/** A resource of the API. */
interface Measure {
  readonly kind: string;
  /** Its name in errors. */
  readonly named: string;
  readonly isNamespaced: boolean;
  readonly measure: (cluster: MeasuredCluster, measured: Measured) => Steps<Measurement[]>;
}

const MEASURES: ReadonlyMap<string, Measure> = new Map([
  ['nodes', { kind: 'NodeMetrics', named: 'nodemetrics', isNamespaced: false, measure: measuringNodes }],
  ['pods', { kind: 'PodMetrics', named: 'podmetrics', isNamespaced: true, measure: measuringPods }],
]);

/** The period over which metrics-server measures. */
const WINDOW = '15s';
const TABLE: Transformation = { group: 'meta.k8s.io', version: 'v1', kind: 'Table' };
const OFFER = { mediaTypes: [{ mediaType: 'application/json' }], transformations: [TABLE] };

export async function metricsAnswer(cluster: MeasuredCluster, question: MetricsQuestion): Promise<KubeletAnswer> {
  try {
    return { status: 200, contentType: 'application/json', body: await answered(cluster, question) };
  } catch (error) {
    const isSelector = error instanceof LabelSelectorError || error instanceof FieldSelectorError;
    const fault = isSelector ? errors.badRequest(error.message) : error;
    if (!(fault instanceof ApiError)) throw fault;
    return { status: fault.code, contentType: 'application/json', body: stringifyJson(fault.status) };
  }
}

async function answered(
  cluster: MeasuredCluster,
  { method, target, accept }: MetricsQuestion,
): Promise<KubeletAnswer['body']> {
  const { pathname, searchParams } = new URL(target, 'https://metrics-server');
  if (pathname === ROOT) return stringifyJson(RESOURCES);
  const path = pathname.startsWith(`${ROOT}/`) ? pathname.slice(ROOT.length + 1).split('/') : [];
  const [first, second, ...others] = path.map(decodeURIComponent);
  const namespace = first === 'namespaces' ? second : undefined;
  const [resource = '', name, ...more] = namespace === undefined ? [first, second, ...others] : others;
  const found = MEASURES.get(resource);
  if (found === undefined || more.length > 0 || (namespace !== undefined && !found.isNamespaced)) {
    throw errors.noSuchPath();
  }
  if (method !== 'GET' || searchParams.has('watch')) throw errors.methodNotAllowed();
  const isTable = negotiate(accept, OFFER)?.transformation === TABLE;
  const matches = name === undefined ? selector(searchParams) : (of: Node | Pod) => of.metadata.name === name;
  const turn = cluster.turns.begin({ taskName: 'measuring simulated pods' });
  const items = await inTurns(found.measure(cluster, { namespace, matches }), turn);
  const now = cluster.now();
  if (name === undefined) {
    return isTable ? table(items, now) : list(items, { kind: found.kind, now });
  }
  const [one] = items;
  const shown = namespace === undefined ? name : `${namespace}/${name}`;
  if (one === undefined) throw errors.notFound({ group: GROUP, resource: found.named, name: shown });
  if (isTable) return table([one], now);
  return stringifyJson({ kind: found.kind, apiVersion: GROUP_VERSION, ...metricsOf(one, now) });
}

/** Pods are measured in slices of so many. */
const MEASURED_AT_ONCE = 100;

interface Measured {
  readonly namespace: string | undefined;
  readonly matches: (object: Node | Pod) => boolean;
}

function* measuringNodes(cluster: MeasuredCluster, { matches }: Measured): Steps<Measurement[]> {
  const used = new Map<string, Used>();
  for (const [index, pod] of cluster.pods().entries()) {
    if (index % MEASURED_AT_ONCE === MEASURED_AT_ONCE - 1) yield;
    const node = pod.spec?.nodeName ?? '';
    used.set(node, sum([used.get(node) ?? NODE_OWN, ...runningUsageOf(pod)]));
  }
  const nodes = yield* sorting(cluster.nodes().filter(matches), byPlace);
  return nodes.map((node) => ({ of: node, used: used.get(node.metadata.name ?? '') ?? NODE_OWN }));
}

/** Pods with running containers. */
function* measuringPods(cluster: MeasuredCluster, { namespace, matches }: Measured): Steps<Measurement[]> {
  const measured: Measurement[] = [];
  const pods = yield* sorting(cluster.pods(namespace).filter(matches), byPlace);
  for (const [index, pod] of pods.entries()) {
    if (index % MEASURED_AT_ONCE === MEASURED_AT_ONCE - 1) yield;
    const used = runningUsageOf(pod);
    if (used.length > 0) measured.push({ of: pod, used });
  }
  return measured;
}

function byPlace({ metadata: one }: Node | Pod, { metadata: other }: Node | Pod): number {
  return compareText(one.namespace ?? '', other.namespace ?? '') || compareText(one.name ?? '', other.name ?? '');
}

/** @throws LabelSelectorError, FieldSelectorError, and ApiError for a field that cannot be selected */
function selector(query: URLSearchParams): (object: Node | Pod) => boolean {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  const unknown = fields.requirements.find(({ field }) => field !== 'metadata.name' && field !== 'metadata.namespace');
  if (unknown !== undefined) throw errors.badRequest(`field label not supported: ${unknown.field}`);
  return ({ metadata }) => {
    const { name = '', namespace = '' } = metadata;
    return labels.matches(metadata.labels) && fields.matches((field) => (field === 'metadata.name' ? name : namespace));
  };
}

async function* list(
  items: readonly Measurement[],
  { kind, now }: { readonly kind: string; readonly now: number },
): AsyncGenerator<string> {
  yield `{"kind":"${kind}List","apiVersion":"${GROUP_VERSION}","metadata":{},"items":[`;
  yield* joined(items.values().map((item) => stringifyJson(metricsOf(item, now))));
  yield ']}';
}

async function* table(items: readonly Measurement[], now: number): AsyncGenerator<string> {
  const columns = stringifyJson(COLUMNS);
  yield `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":${columns},"rows":[`;
  yield* joined(items.values().map((item) => stringifyJson(rowOf(item, now))));
  yield ']}';
}

function* joined(texts: Iterable<string>): Generator<string> {
  let before = '';
  for (const text of texts) {
    yield before + text;
    before = ',';
  }
}

function metricsOf({ of: { metadata }, used }: Measurement, now: number): object {
  const time = timestamp(now);
  const { name = '', namespace, labels } = metadata;
  const place = { name, ...(namespace !== undefined && { namespace }) };
  return {
    metadata: { ...place, creationTimestamp: time, ...(labels !== undefined && { labels }) },
    ...{ timestamp: time, window: WINDOW },
    ...('milliCpu' in used
      ? { usage: amounts(used) }
      : { containers: used.map((container) => ({ name: container.name, usage: amounts(container) })) }),
  };
}

const COLUMNS = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the resource', priority: 0 },
  { name: 'cpu', type: 'string', format: 'quantity', description: '', priority: 0 },
  { name: 'memory', type: 'string', format: 'quantity', description: '', priority: 0 },
  { name: 'Window', type: 'string', format: 'duration', description: '', priority: 0 },
];

function rowOf({ of: { metadata }, used }: Measurement, now: number): object {
  const { cpu, memory } = amounts('milliCpu' in used ? used : sum(used));
  const { name = '', namespace, labels } = metadata;
  const shown = { name, namespace, creationTimestamp: timestamp(now), labels };
  return {
    cells: [name, cpu, memory, WINDOW],
    object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: shown },
  };
}

function amounts({ milliCpu, memoryBytes }: Used): { readonly cpu: string; readonly memory: string } {
  const kibibytes = Math.floor(memoryBytes / 1024);
  return { cpu: canonicalQuantity(`${milliCpu}m`) ?? '0', memory: canonicalQuantity(`${kibibytes}Ki`) ?? '0' };
}

function sum(all: readonly Used[]): Used {
  let milliCpu = 0;
  let memoryBytes = 0;
  for (const used of all) {
    milliCpu += used.milliCpu;
    memoryBytes += used.memoryBytes;
  }
  return { milliCpu, memoryBytes };
}

const VERBS = ['get', 'list'];
const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: GROUP_VERSION,
  resources: [...MEASURES].map(([name, { kind, isNamespaced }]) => ({
    ...{ name, singularName: '', namespaced: isNamespaced, kind, verbs: VERBS },
  })),
};
