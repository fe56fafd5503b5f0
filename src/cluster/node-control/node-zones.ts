// Zones of nodes, and how fast pods may be driven from the nodes of one that fails: when most of a zone is gone, the
// fault is more likely the network than the nodes. The numbers are kube-controller-manager's defaults.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { findCondition } from '../conditions.ts';

/** Between two nodes of a zone. */
const NORMAL_MS = 10_000;
const SLOW_MS = 100_000;
const LARGE_ZONE = 50;
const UNHEALTHY = 0.55;

/** How a zone fares: `full` if none of its nodes is ready. */
type ZoneState = 'normal' | 'partial' | 'full';

function zoneOf({ metadata }: Node): string {
  const { labels = {} } = metadata;
  return `${labels['topology.kubernetes.io/region'] ?? ''}:${labels['topology.kubernetes.io/zone'] ?? ''}`;
}

export class NodeZones {
  /** When the next node of a zone may be given up. */
  readonly #next = new Map<string, number>();

  /**
   * In how many milliseconds pods may be driven from a node that is not ready; 0 for now, which takes the turn; undefined
   * if they may not be until the zone changes.
   *
   * @param nodes all nodes
   */
  turnOf(node: Node, nodes: readonly Node[], nowMs: number): number | undefined {
    const zones = Map.groupBy(nodes.filter(isCounted), zoneOf);
    const states = new Map(Array.from(zones, ([zone, members]) => [zone, stateOf(members)]));
    if ([...states.values()].every((state) => state === 'full')) return undefined;
    const zone = zoneOf(node);
    const isSlow = states.get(zone) === 'partial';
    if (isSlow && (zones.get(zone)?.length ?? 0) <= LARGE_ZONE) return undefined;
    const waitMs = (this.#next.get(zone) ?? 0) - nowMs;
    if (waitMs > 0) return waitMs;
    this.#next.set(zone, nowMs + (isSlow ? SLOW_MS : NORMAL_MS));
    return 0;
  }
}

function isCounted({ metadata }: Node): boolean {
  return metadata.labels?.['node.kubernetes.io/exclude-disruption'] === undefined;
}

function stateOf(nodes: readonly Node[]): ZoneState {
  const ready = nodes.filter(({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True').length;
  const lost = nodes.length - ready;
  if (ready === 0 && lost > 0) return 'full';
  return lost > 2 && lost / nodes.length >= UNHEALTHY ? 'partial' : 'normal';
}
