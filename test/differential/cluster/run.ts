// Comparison of clusters: random sequences of changes to workloads, on Keelson's own controllers and on Kubernetes', and
// the objects that each leaves behind once it has come to rest.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compared, type Difference, sequenceOf } from './comparison.ts';
import { missingPrograms, startSides } from './sides.ts';

interface ClusterRun {
  readonly seed: number;
  readonly minutes: number;
  /** The number of sequences, instead of the minutes. */
  readonly cases: number;
  /** How many run at once, each in a namespace of its own. */
  readonly concurrency: number;
  /** The numbers of the only sequences that run, as they are printed; all if there are none. */
  readonly only: readonly number[];
}

/**
 * Compares until the time is over, prints the counts, and writes the differences to .cache/differential. Sequences that
 * change nodes, and those after which the sides differ, run alone at the end: what differs because something else was
 * going on does not differ again. Both counts are printed, and both kinds of differences are written.
 */
export async function compareClusters(run: ClusterRun): Promise<void> {
  const missing = missingPrograms();
  if (missing !== undefined) {
    process.stdout.write(`skipped: ${missing}\n`);
    return;
  }
  await using sides = await startSides();
  const pair = [sides.theirs, sides.ours] as const;
  const end = Date.now() + run.minutes * 60_000;
  const alone: number[] = [];
  const once: Difference[] = [];
  let [count, equal, started] = [0, 0, 0];
  const cases = run.only.length === 0 ? run.cases : run.only.length;
  const again: Difference[] = [];
  const report = reportOf(run.seed);
  const counted = (found: readonly Difference[]) => {
    count++;
    if (found.length === 0) equal++;
    once.push(...found);
    report(found, { again, once });
  };
  const work = async () => {
    while (started < cases && Date.now() < end) {
      const seed = run.only[started] ?? run.seed * 100_000 + started;
      started++;
      if (sequenceOf(seed).isAlone) alone.push(seed);
      else counted(await compared(seed, pair, `c${seed}`));
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  process.stdout.write(`  ${count} compared, ${equal} equal; ${alone.length} run alone\n`);
  for (const seed of alone) counted(await compared(seed, pair, `c${seed}`));
  for (const seed of new Set(once.map((each) => each.seed))) {
    const found = await compared(seed, pair, `r${seed}`);
    if (found.length === 0) equal++;
    again.push(...found);
    report(found, { again, once });
  }
  const differed = new Set(once.map(({ seed }) => seed)).size;
  process.stdout.write(
    `cluster, seed ${run.seed}: ${count} sequences, ${equal} equal; ${differed} differed at first, ${count - equal} when repeated alone\n`,
  );
  const byResource = Map.groupBy(again, ({ resource }) => resource);
  for (const [resource, all] of byResource) process.stdout.write(`  ${resource}: ${all.length} differ\n`);
}

/** Tells of new differences as they come, and writes all of them. */
function reportOf(seed: number) {
  const folder = join(import.meta.dirname, '../../../.cache/differential');
  mkdirSync(folder, { recursive: true });
  return (found: readonly Difference[], all: object) => {
    writeFileSync(join(folder, `cluster-${seed}.json`), JSON.stringify(all, undefined, 1));
    const [first] = found;
    if (first === undefined) return;
    const resources = found.map(({ resource }) => resource).join(', ');
    process.stdout.write(`  ${first.seed} differs after step ${first.after} of ${first.steps.length}: ${resources}\n`);
  };
}
