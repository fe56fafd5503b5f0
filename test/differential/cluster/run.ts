// Comparison of clusters: random sequences of changes to workloads, on Keelson's own controllers and on Kubernetes', and
// the objects that each leaves behind once it has come to rest.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../../../src/base/seeded-random.ts';
import { settledObjects } from './settled-objects.ts';
import { missingPrograms, type Side, startSides } from './sides.ts';
import { sequence, take } from './workloads.ts';

interface ClusterRun {
  readonly seed: number;
  readonly minutes: number;
  /** The number of sequences, instead of the minutes. */
  readonly cases: number;
  /** How many run at once, each in a namespace of its own. */
  readonly concurrency: number;
}

/** A sequence after which the sides differ. */
interface Difference {
  readonly seed: number;
  readonly steps: readonly unknown[];
  readonly resource: string;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** Compares until the time is over, prints the counts, and writes the differences to .cache/differential. */
export async function compareClusters(run: ClusterRun): Promise<void> {
  const missing = missingPrograms();
  if (missing !== undefined) {
    process.stdout.write(`skipped: ${missing}\n`);
    return;
  }
  await using sides = await startSides();
  const end = Date.now() + run.minutes * 60_000;
  const found: Difference[] = [];
  let [count, equal, started] = [0, 0, 0];
  const work = async () => {
    while (started < run.cases && Date.now() < end) {
      const seed = run.seed * 100_000 + started++;
      const differences = await compare(seed, [sides.theirs, sides.ours]);
      count++;
      if (differences.length === 0) equal++;
      found.push(...differences);
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  const folder = join(import.meta.dirname, '../../../.cache/differential');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `cluster-${run.seed}.json`), JSON.stringify(found, undefined, 1));
  const byResource = Map.groupBy(found, ({ resource }) => resource);
  process.stdout.write(`cluster, seed ${run.seed}: ${count} sequences, ${equal} equal\n`);
  for (const [resource, all] of byResource) process.stdout.write(`  ${resource}: ${all.length} differ\n`);
}

async function compare(seed: number, sides: readonly [Side, Side]): Promise<Difference[]> {
  const namespace = `c${seed}`;
  const steps = sequence(new SeededRandom(seed));
  const [expected, actual] = await Promise.all(sides.map((side) => live(side, namespace, steps)));
  const differences: Difference[] = [];
  for (const [resource, texts] of expected as Map<string, string[]>) {
    const ours = (actual as Map<string, string[]>).get(resource) ?? [];
    if (JSON.stringify(texts) === JSON.stringify(ours)) continue;
    const only = (one: readonly string[], other: readonly string[]) => one.filter((text) => !other.includes(text));
    differences.push({ seed, steps, resource, expected: only(texts, ours), actual: only(ours, texts) });
  }
  return differences;
}

async function live(side: Side, namespace: string, steps: ReturnType<typeof sequence>): Promise<Map<string, string[]>> {
  await side.server.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const step of steps) {
    await take(side, namespace, step);
    if (step.waits) await settledObjects(side, namespace);
  }
  const objects = await settledObjects(side, namespace);
  await side.server.request('DELETE', `/api/v1/namespaces/${namespace}`);
  return objects;
}
