// Metrics of controllers' work queues, with the names, labels and buckets of Kubernetes' client library.

import type { Counter, Gauge, Histogram, MetricRegistry } from './metrics.ts';

/**
 * From 10 ns, each bound ten times the previous one, in seconds. They are multiplied successively, as in Kubernetes,
 * whose labels show the rounding.
 */
const bounds: readonly number[] = (() => {
  const made = [1e-8];
  while (made.length < 10) made.push(made.at(-1)! * 10);
  return made;
})();

/** The series of one queue. */
export interface WorkQueueSeries {
  readonly depth: Gauge;
  readonly adds: Counter;
  readonly retries: Counter;
  /** Seconds that a key waited. */
  readonly queued: Histogram;
  /** Seconds that a key was being processed. */
  readonly worked: Histogram;
}

export interface WorkQueueMetrics {
  /**
   * The series of a queue.
   * @param runningSeconds returns for how long each current key has been processed
   */
  of(name: string, runningSeconds: () => Iterable<number>): WorkQueueSeries;
}

export function declareWorkQueueMetrics(registry: MetricRegistry): WorkQueueMetrics {
  const of = { stability: 'ALPHA', labels: ['name'] } as const;
  const running = new Map<string, () => Iterable<number>>();
  const samples = (value: (seconds: readonly number[]) => number) =>
    running.entries().map(([queue, seconds]) => ({ labels: { name: queue }, value: value([...seconds()]) }));
  registry.collected(
    { name: 'workqueue_unfinished_work_seconds', help: 'Seconds of unfinished work over all keys.', ...of },
    'gauge',
    () => samples((seconds) => seconds.reduce((sum, each) => sum + each, 0)),
  );
  registry.collected(
    {
      name: 'workqueue_longest_running_processor_seconds',
      help: 'Seconds that the longest-running key has been processed.',
      ...of,
      sharedByThreads: true,
    },
    'gauge',
    () => samples((seconds) => Math.max(0, ...seconds)),
  );
  const histogram = (name: string, help: string) => registry.histogram({ name, help, ...of }, bounds);
  const depth = registry.gauge({ name: 'workqueue_depth', help: 'Keys waiting in a queue.', ...of });
  const adds = registry.counter({ name: 'workqueue_adds_total', help: 'Keys added to a queue.', ...of });
  const retries = registry.counter({
    name: 'workqueue_retries_total',
    help: 'Retried keys.',
    ...of,
  });
  const queued = histogram('workqueue_queue_duration_seconds', 'Queueing time of keys in seconds.');
  const worked = histogram('workqueue_work_duration_seconds', 'Processing time of keys in seconds.');
  return {
    of(name, runningSeconds) {
      running.set(name, runningSeconds);
      const labels = { name };
      return {
        depth: depth.with(labels),
        adds: adds.with(labels),
        retries: retries.with(labels),
        queued: queued.with(labels),
        worked: worked.with(labels),
      };
    },
  };
}
