// Metrics of the process: event loop turns, temporarily held memory with its limits, and lost output. They are Keelson's own;
// kube-apiserver reports Go's runtime instead.

import type { MetricRegistry } from './metrics.ts';

/** Seconds. */
const TURNS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Temporarily held memory with a limit. */
export interface Held {
  /** `kept_forms` */
  readonly name: string;
  readonly limit: number;
  /** Current bytes. */
  readonly bytes: () => number;
}

/** An output of the process. */
export interface MeteredOutput {
  /** `stdout` or `stderr` */
  readonly name: string;
  /** How many writes have failed. */
  readonly failures: number;
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
  const outputs: MeteredOutput[] = [];
  registry.collected(
    {
      name: 'keelson_output_failures_total',
      help: 'Number of failed writes to standard output and standard error, each of which lost an entry.',
      stability: 'ALPHA',
      labels: ['output'],
    },
    'counter',
    () => Iterator.from(outputs).map(({ name, failures }) => ({ labels: { output: name }, value: failures })),
  );
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
    /** Adds outputs. */
    outputs(...added: readonly MeteredOutput[]): void {
      outputs.push(...added);
    },
    /** Adds a source. */
    hold(...held: Held[]): void {
      all.push(...held);
    },
  };
}
