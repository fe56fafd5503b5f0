// Layout of a graph that consists of parts without links between them: each part by itself, one below the other, the
// largest first, and what has no links at all in rows at the end.

import { type GraphNode, type Layout, layOut, type Placed } from '../understand/graph-layout.ts';

/** How many nodes without links stand beside one another. */
const LOOSE_ROWS = 4;
/** Room between parts, in nodes. */
const GAP = 0.6;

/** Returns the places of all nodes; see `layOut`. */
export function layOutParts(graph: readonly GraphNode[]): Layout {
  const parts = partsOf(graph);
  const linked = parts.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
  const loose = parts.filter(({ length }) => length === 1).flat();
  const nodes = new Map<string, Placed>();
  const edges: Layout['edges'][number][] = [];
  let below = 0;
  let rows = 0;
  for (const part of linked) {
    const layout = layOut(part);
    for (const placed of layout.nodes.values()) nodes.set(placed.id, { ...placed, column: placed.column + below });
    edges.push(...layout.edges);
    below += layout.columns + GAP;
    rows = Math.max(rows, layout.rows);
  }
  const across = Math.max(LOOSE_ROWS, rows);
  for (const [at, { id }] of loose.entries()) {
    nodes.set(id, { id, row: at % across, column: below + Math.floor(at / across) });
  }
  const columns = loose.length === 0 ? Math.max(0, below - GAP) : below + Math.ceil(loose.length / across);
  return { nodes, edges, rows: Math.max(rows, Math.min(across, loose.length)), columns };
}

/** Returns the nodes that are linked with one another, in the order of the first of each part. */
function partsOf(graph: readonly GraphNode[]): GraphNode[][] {
  const leader = new Map(graph.map(({ id }) => [id, id]));
  const leaderOf = (id: string): string => {
    let found = id;
    for (let next = leader.get(found)!; next !== found; next = leader.get(found)!) found = next;
    leader.set(id, found);
    return found;
  };
  for (const { id, owners } of graph) {
    for (const owner of owners) if (leader.has(owner)) leader.set(leaderOf(owner), leaderOf(id));
  }
  return [...Map.groupBy(graph, ({ id }) => leaderOf(id)).values()];
}
