// Layout of a graph of owners and dependents in rows: each object below all its owners, and close to them.

/** A node and its owners; owners that are not nodes are ignored. */
export interface GraphNode {
  readonly id: string;
  readonly owners: readonly string[];
}

export interface Placed {
  readonly id: string;
  /** From 0 at the top. */
  readonly row: number;
  /** From 0, in multiples of a node's width; rows are centred. */
  readonly column: number;
}

export interface Layout {
  readonly nodes: ReadonlyMap<string, Placed>;
  readonly edges: readonly { readonly owner: string; readonly dependent: string }[];
  readonly rows: number;
  readonly columns: number;
}

const SWEEPS = 4;

/** Returns nodes in rows by their longest chain of owners, sorted within a row by the nodes they connect to. */
export function layOut(graph: readonly GraphNode[]): Layout {
  const known = new Map(graph.map((node) => [node.id, node]));
  const edges = graph.flatMap(({ id, owners }) =>
    [...new Set(owners)].filter((owner) => known.has(owner) && owner !== id).map((owner) => ({ owner, dependent: id })),
  );
  const rowOf = closeToDependents(depths(known), edges);
  const filled: string[][] = [];
  for (const { id } of graph) (filled[rowOf.get(id)!] ??= []).push(id);
  // In a circle a row may be left without nodes.
  const rows = filled.filter(() => true);
  order(rows, edges);
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const nodes = rows.flatMap((row, at) =>
    row.map((id, place): Placed => ({ id, row: at, column: place + (columns - row.length) / 2 })),
  );
  return { nodes: new Map(nodes.map((node) => [node.id, node])), edges, rows: rows.length, columns };
}

/** Returns the length of the longest chain of owners above each node; cycles are cut where they close. */
function depths(known: ReadonlyMap<string, GraphNode>): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (id: string, path: ReadonlySet<string>): number => {
    const depth = found.get(id);
    if (depth !== undefined) return depth;
    const inside = new Set(path).add(id);
    const above = known.get(id)!.owners.filter((owner) => known.has(owner) && !inside.has(owner));
    const own = Math.max(0, ...above.map((owner) => visit(owner, inside) + 1));
    found.set(id, own);
    return own;
  };
  for (const id of known.keys()) visit(id, new Set());
  return found;
}

/** Moves nodes down to just above their first dependent, so that lines are short and pass no other nodes. */
function closeToDependents(rowOf: ReadonlyMap<string, number>, edges: Layout['edges']): Map<string, number> {
  const below = Map.groupBy(edges, ({ owner }) => owner);
  const found = new Map(rowOf);
  for (const [id, row] of [...rowOf].sort(([, a], [, b]) => b - a)) {
    const dependents = below.get(id)?.map(({ dependent }) => found.get(dependent)!) ?? [];
    if (dependents.length > 0) found.set(id, Math.max(row, Math.min(...dependents) - 1));
  }
  return found;
}

/** Sorts each row by the average position of its neighbours in the previous row, downwards and upwards in turn. */
function order(rows: string[][], edges: Layout['edges']): void {
  const above = Map.groupBy(edges, ({ dependent }) => dependent);
  const below = Map.groupBy(edges, ({ owner }) => owner);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    const place = new Map(rows.flatMap((row) => row.map((id, at) => [id, at - row.length / 2] as const)));
    for (const at of down ? rows.keys() : [...rows.keys()].reverse()) {
      const middle = (id: string): number => {
        const others = down
          ? above.get(id)?.map(({ owner }) => owner)
          : below.get(id)?.map(({ dependent }) => dependent);
        if (others === undefined) return place.get(id)!;
        return others.reduce((sum, other) => sum + place.get(other)!, 0) / others.length;
      };
      const keyed = rows[at]!.map((id) => ({ id, middle: middle(id) }));
      const row = keyed.sort((a, b) => a.middle - b.middle).map(({ id }) => id);
      rows[at] = row;
      for (const [index, id] of row.entries()) place.set(id, index - row.length / 2);
    }
  }
}
