// The topology of a namespace: what leads to what, from Ingresses over Services and workloads to pods and what they use.
// It is live.

import { useMemo } from 'preact/hooks';
import { NamespaceChoice } from '../browse/namespace-choice.tsx';
import { objectHref } from '../browse/object-address.ts';
import { lastNamespace } from '../browse/preferences.ts';
import { pluralOf, type Resource, resources } from '../cluster/discovery.ts';
import { kindOf } from '../relations/links.ts';
import { type Neighbours, useNeighbours } from '../relations/use-neighbours.ts';
import { place, setQuery } from '../shell/router.ts';
import type { GraphNode } from '../understand/graph-layout.ts';
import { type Box, GraphView } from './graph-view.tsx';
import { layOutParts } from './stacked-layout.ts';
import { HIDDEN_AT_FIRST, TOPOLOGY_KINDS, type TopologyNode, topologyOf } from './topology.ts';

export function TopologyView() {
  const { query } = place.value;
  // One of several that a list had.
  const [namespace = 'default'] = [...(query.get('ns') || lastNamespace.value).split(','), 'default'].filter(Boolean);
  const neighbours = useNeighbours(TOPOLOGY_KINDS, namespace).value;
  const hidden = query.get('hide')?.split(',') ?? HIDDEN_AT_FIRST;
  const choose = (ns: string): void => {
    lastNamespace.value = ns;
    setQuery({ ns });
  };
  return (
    <>
      <div class="bar">
        <h1>Topology</h1>
        <span class={`badge ${neighbours.isLoading ? '' : 'good'}`}>{neighbours.isLoading ? 'loading' : 'live'}</span>
        <span class="grow" />
        <NamespaceChoice chosen={namespace} allows="one" onChoose={choose} />
      </div>
      <KindChips neighbours={neighbours} hidden={hidden} />
      <div class="scroll">
        <Picture neighbours={neighbours} hidden={hidden} namespace={namespace} />
      </div>
    </>
  );
}

interface KindChipsProps {
  readonly neighbours: Neighbours;
  readonly hidden: readonly string[];
}

/** The kinds that the picture has, and which of them are shown. */
function KindChips({ neighbours: { all, refused }, hidden }: KindChipsProps) {
  const counts = Map.groupBy(all, ({ resource }) => kindOf(resource));
  const present = TOPOLOGY_KINDS.flatMap((kind) => {
    const resource = resources.value.find((one) => kindOf(one) === kind);
    return resource === undefined || !counts.has(kind) ? [] : [resource];
  });
  return (
    <div class="chips" role="group" aria-label="Kinds of the picture">
      {present.map((resource) => (
        <Chip key={kindOf(resource)} resource={resource} count={counts.get(kindOf(resource))!.length} hidden={hidden} />
      ))}
      {refused.length > 0 && <span class="weak">You may not list {refused.map(({ name }) => name).join(', ')}.</span>}
      <span class="weak legend">
        <svg aria-hidden="true" width="26" height="8">
          <path class="owner" d="M0,4 H26" />
        </svg>{' '}
        owns
        <svg aria-hidden="true" width="26" height="8">
          <path class="selector" d="M0,4 H26" />
        </svg>{' '}
        selects
        <svg aria-hidden="true" width="26" height="8">
          <path class="reference" d="M0,4 H26" />
        </svg>{' '}
        refers to
      </span>
    </div>
  );
}

interface ChipProps {
  readonly resource: Resource;
  readonly count: number;
  readonly hidden: readonly string[];
}

function Chip({ resource, count, hidden }: ChipProps) {
  const kind = kindOf(resource);
  const isShown = !hidden.includes(kind);
  const toggle = (): void => {
    const next = isShown ? [...hidden, kind] : hidden.filter((one) => one !== kind);
    setQuery({ hide: next.length === 0 ? '-' : next.join(',') });
  };
  return (
    <button type="button" class="chip" aria-pressed={isShown} onClick={toggle}>
      {pluralOf(resource)} <span class="weak">{count}</span>
    </button>
  );
}

interface PictureProps {
  readonly neighbours: Neighbours;
  readonly hidden: readonly string[];
  readonly namespace: string;
}

function Picture({ neighbours, hidden, namespace }: PictureProps) {
  const key = hidden.join(',');
  const graph = useMemo(() => topologyOf(neighbours, key.split(',')), [neighbours, key]);
  const layout = useMemo(() => {
    const owners = Map.groupBy(graph.links, ({ to }) => to);
    return layOutParts(
      graph.nodes.map(({ id }): GraphNode => ({ id, owners: owners.get(id)?.map(({ from }) => from) ?? [] })),
    );
  }, [graph]);
  const lines = useMemo(() => new Map(graph.links.map(({ from, to, by }) => [`${from} ${to}`, by])), [graph]);
  if (graph.nodes.length === 0) {
    return <p class="empty">{neighbours.isLoading ? 'Loading…' : `Nothing to show in the namespace ${namespace}.`}</p>;
  }
  return (
    <>
      {graph.leftOut > 0 && (
        <p class="notice">{graph.leftOut.toLocaleString('en')} objects are left out: hide kinds to see others.</p>
      )}
      <GraphView
        label={`Topology of ${namespace}`}
        layout={layout}
        boxes={graph.nodes.map(boxOf)}
        lineOf={(from, to) => lines.get(`${from} ${to}`) ?? 'owner'}
      />
    </>
  );
}

function boxOf(node: TopologyNode): Box {
  const { id } = node;
  if (node.type === 'fold') {
    const name = `and ${node.count.toLocaleString('en')} more ${node.kind}s`;
    return { id, above: '', name, title: name, tone: '' };
  }
  if (node.type === 'missing') {
    const { kind, name, use } = node.reference;
    return {
      id,
      above: `${kind} · does not exist`,
      name,
      title: `${kind} ${name} (${use}) does not exist`,
      tone: 'bad',
    };
  }
  const { neighbour, finding } = node;
  const { resource, object } = neighbour;
  const { name, deletionTimestamp } = object.metadata;
  const state = finding.text === '' ? '' : ` · ${finding.text}`;
  return {
    ...{
      id,
      name,
      above: `${resource.kind}${state.replace(' replicas ', ' ')}`,
      title: `${resource.kind} ${name}${state}`,
    },
    href: objectHref(resource, object.metadata),
    tone: finding.label === '' ? '' : finding.health,
    isLeaving: deletionTimestamp !== undefined,
  };
}
