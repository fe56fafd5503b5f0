// The objects of a namespace and their links as a graph small enough to be looked at: what says the same twice is left
// out, and of many pods of one owner some are shown.

import type { Finding } from '../overview/health.ts';
import { healthOf } from '../overview/health.ts';
import { kindOf, type Link, linksAmong } from '../relations/links.ts';
import { at, numberAt } from '../relations/members.ts';
import type { Reference } from '../relations/references.ts';
import type { Neighbour, Neighbours } from '../relations/use-neighbours.ts';

/** The kinds of the graph in the order in which they are listed, by group and plural name. */
export const TOPOLOGY_KINDS: readonly string[] = [
  'networking.k8s.io/ingresses',
  '/services',
  'autoscaling/horizontalpodautoscalers',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/cronjobs',
  'batch/jobs',
  '/pods',
  'policy/poddisruptionbudgets',
  'networking.k8s.io/networkpolicies',
  '/configmaps',
  '/secrets',
  '/persistentvolumeclaims',
  '/serviceaccounts',
];

/** Kinds that link nearly everything: shown when asked for. */
export const HIDDEN_AT_FIRST: readonly string[] = ['/serviceaccounts', 'networking.k8s.io/networkpolicies'];

export type TopologyNode =
  | { readonly type: 'object'; readonly id: string; readonly neighbour: Neighbour; readonly finding: Finding }
  /** A reference to an object that does not exist. */
  | { readonly type: 'missing'; readonly id: string; readonly reference: Reference }
  /** More objects of one kind and owner. */
  | { readonly type: 'fold'; readonly id: string; readonly kind: string; readonly count: number };

interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly links: readonly Link[];
  /** Objects beyond the bound. */
  readonly leftOut: number;
}

interface TopologyBounds {
  readonly objects: number;
  /** How many objects of one kind and owner are shown. */
  readonly ofOneOwner: number;
}

const BOUNDS: TopologyBounds = { objects: 400, ofOneOwner: 6 };
/** In every namespace, for every pod. */
const EVERYWHERE = 'kube-root-ca.crt';

/** Returns the graph of the objects of a namespace, without those of hidden kinds. */
export function topologyOf(
  { all, isComplete }: Pick<Neighbours, 'all' | 'isComplete'>,
  hidden: readonly string[],
  bounds: TopologyBounds = BOUNDS,
): Topology {
  const wanted = all.filter((one) => isWanted(one, hidden));
  const drawn = wanted.slice(0, bounds.objects);
  const uids = new Set(drawn.map(({ object }) => object.metadata.uid));
  const { shown, folds, folded } = fold(drawn, bounds.ofOneOwner);
  // What is hidden exists: only what is not among all objects is missing.
  const found = linksAmong(all, isComplete);
  const missing = found.missing.filter(({ from }) => uids.has(from));
  const links = found.links.filter(({ from, to }) => uids.has(from) && uids.has(to));
  const absent = new Map(missing.map(({ reference }) => [missingId(reference), reference]));
  const toMissing = missing.map(({ from, reference }): Link => {
    return { from, to: missingId(reference), by: 'reference', use: reference.use };
  });
  const objects = shown.map(
    (neighbour): TopologyNode => ({
      ...{ type: 'object', id: neighbour.object.metadata.uid, neighbour },
      finding: findingOf(neighbour),
    }),
  );
  return {
    nodes: [
      ...objects,
      ...folds,
      ...[...absent].map(([id, reference]): TopologyNode => ({ type: 'missing', id, reference })),
    ],
    links: distinct(withoutRepetition([...links, ...toMissing]), folded),
    leftOut: Math.max(0, wanted.length - bounds.objects),
  };
}

function isWanted({ resource, object }: Neighbour, hidden: readonly string[]): boolean {
  const kind = kindOf(resource);
  if (hidden.includes(kind) || (kind === '/configmaps' && object.metadata.name === EVERYWHERE)) return false;
  // Former ReplicaSets of a Deployment.
  return !(
    kind === 'apps/replicasets' &&
    at(object, 'spec', 'replicas') === 0 &&
    numberAt(object, 'status', 'replicas') === 0
  );
}

interface Folded {
  readonly shown: readonly Neighbour[];
  readonly folds: readonly TopologyNode[];
  /** The id of the fold of each object that is not shown, by its uid. */
  readonly folded: ReadonlyMap<string, string>;
}

function fold(all: readonly Neighbour[], max: number): Folded {
  const folded = new Map<string, string>();
  const counts = new Map<string, { readonly id: string; readonly kind: string; count: number }>();
  const seen = new Map<string, number>();
  const shown = all.filter(({ resource, object: { metadata } }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner === undefined) return true;
    const id = `${owner} ${resource.kind}`;
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    if (before < max) return true;
    folded.set(metadata.uid, id);
    const known = counts.get(id);
    if (known === undefined) counts.set(id, { id, kind: resource.kind, count: 1 });
    else known.count += 1;
    return false;
  });
  return { shown, folds: [...counts.values()].map((one) => ({ type: 'fold', ...one })), folded };
}

/** An object that something controls often refers to what its controller refers to. */
function withoutRepetition(links: readonly Link[]): readonly Link[] {
  const owners = new Map(links.filter(({ by }) => by === 'owner').map(({ from, to }) => [to, from]));
  const known = new Set(links.filter(({ by }) => by === 'reference').map(({ from, to }) => `${from} ${to}`));
  return links.filter(({ from, to, by }) => {
    if (by !== 'reference') return true;
    const passed = new Set([from]);
    for (let owner = owners.get(from); owner !== undefined && !passed.has(owner); owner = owners.get(owner)) {
      if (known.has(`${owner} ${to}`)) return false;
      passed.add(owner);
    }
    return true;
  });
}

/** Links to what is folded lead to the fold, each once. */
function distinct(links: readonly Link[], folded: ReadonlyMap<string, string>): readonly Link[] {
  const found = new Map<string, Link>();
  for (const link of links) {
    const [from, to] = [folded.get(link.from) ?? link.from, folded.get(link.to) ?? link.to];
    found.set(`${from} ${to} ${link.by}`, { ...link, from, to });
  }
  return [...found.values()];
}

function findingOf({ resource, row, columns }: Neighbour): Finding {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return healthOf(kindOf(resource), (column) => String(row.cells[places.get(column) ?? -1] ?? ''));
}

function missingId({ kind, name }: Reference): string {
  return `missing ${kind} ${name}`;
}
