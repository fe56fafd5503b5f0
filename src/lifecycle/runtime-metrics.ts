// Metrics of how the process keeps up: turns of the event loop, and what is held in memory for a while, each beside its
// bound. They are this server's own; kube-apiserver tells of Go's runtime in their place.

import type { MetricRegistry } from './metrics.ts';

/** Seconds. */
const TURNS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Something that is held in memory for a while and has a bound. */
export interface Held {
  /** `kept_forms` */
  readonly name: string;
  readonly limit: number;
  /** Bytes at the moment. */
  readonly bytes: () => number;
}

export type RuntimeMetrics = ReturnType<typeof declareRuntimeMetrics>;

export function declareRuntimeMetrics(registry: MetricRegistry) {
  const all: Held[] = [];
  const gauges: [name: string, help: string, value: (held: Held) => number][] = [
    ['keelson_held_bytes', 'Temporarily held memory in bytes, by purpose.', ({ bytes }) => bytes()],
    ['keelson_held_bytes_limit', 'Limit of temporarily held memory in bytes, by purpose.', ({ limit }) => limit],
  ];
  for (const [name, help, value] of gauges) {
    registry.collected({ name, help, stability: 'ALPHA', labels: ['held'] }, 'gauge', () =>
      Iterator.from(all).map((held) => ({ labels: { held: held.name }, value: value(held) })),
    );
  }
  const turns = registry.histogram(
    {
      name: 'keelson_event_loop_turn_seconds',
      help: 'Length of event loop turns in seconds, during which no other request is served.',
      stability: 'ALPHA',
    },
    TURNS,
  );
  return {
    turns,
    /** Has something told from now on. */
    hold(...held: Held[]): void {
      all.push(...held);
    },
  };
}
