// `npm run e2e [-- FLAGS]`: runs Kubernetes' end-to-end tests that need no containers against Keelson, and fails if
// a test listed in test/e2e/passing.txt (with --living: passing-living.txt) does not pass.
//
//   --build           builds e2e.test first
//   --server KIND     keelson (the default) or reference: the real kube-apiserver in the same setup
//   --own-controllers Keelson's own controllers instead of the controller manager's
//   --living          Keelson alone: with its own controllers, scheduler and simulated nodes
//   --only TEXT       tests whose name the regular expression matches
//   --all             includes tests known to be inconclusive
//   --update          adds passing tests to the list
//   --workers N       how many run concurrently (default 6); tests that must run alone come last
//   --timeout S       time limit of a test in seconds (default 180)
//   --port N          the first of three ports
//
// Logs and results are in .cache/e2e/KIND, with --living in .cache/e2e/living.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServerKind, startControlPlane } from './control-plane.ts';
import { buildTestProgram, missingProgram } from './programs.ts';
import { runSpec, type SpecEnvironment, type Verdict } from './run-spec.ts';
import { listSpecs, readPassing, readUndecided, type Spec, writePassing } from './specs.ts';

const { values: flags } = parseArgs({
  options: {
    build: { type: 'boolean', default: false },
    server: { type: 'string', default: 'keelson' },
    'own-controllers': { type: 'boolean', default: false },
    living: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    workers: { type: 'string', default: '6' },
    timeout: { type: 'string', default: '180' },
    port: { type: 'string', default: '17743' },
  },
});

// Everything started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.setMaxListeners(0);

if (flags.build) buildTestProgram();
const missing = missingProgram();
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`);
else process.exitCode = await main();

async function main(): Promise<number> {
  const kind: ServerKind = flags.server === 'reference' ? 'reference' : 'keelson';
  const folder = join(import.meta.dirname, '../../.cache/e2e', flags.living ? 'living' : kind);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true });
  // Simulated nodes decide more than hollow ones.
  const undecided = flags.all ? new Set<string>() : readUndecided().difference(readPassing(flags.living));
  const only = new RegExp(flags.only);
  const specs = listSpecs().filter(({ name }) => only.test(name) && !undecided.has(name));
  const ownControllers = flags['own-controllers'];
  await using plane = await startControlPlane({
    kind,
    port: Number(flags.port),
    folder,
    ownControllers,
    lives: flags.living,
  });
  const { url, kubeconfigPath } = plane;
  const environment = { url, kubeconfigPath, folder: join(folder, 'logs'), timeoutMs: Number(flags.timeout) * 1000 };
  const verdicts: Verdict[] = [];
  const note = (verdict: Verdict) => {
    verdicts.push(verdict);
    print(verdict);
    writeFileSync(join(folder, 'verdicts.json'), JSON.stringify(verdicts, undefined, 1));
  };
  await runAll(
    specs.filter(({ alone }) => !alone),
    { environment, workers: Number(flags.workers), note },
  );
  await runAll(
    specs.filter(({ alone }) => alone),
    { environment, workers: 1, note },
  );
  return conclude(verdicts);
}

interface Run {
  readonly environment: SpecEnvironment;
  readonly workers: number;
  readonly note: (verdict: Verdict) => void;
}

async function runAll(specs: readonly Spec[], { environment, workers, note }: Run): Promise<void> {
  const rest = specs.values();
  const work = async () => {
    // All workers take from the same queue.
    for (const spec of rest) note(await runSpec(spec, environment));
  };
  await Promise.all(Array.from({ length: workers }, work));
}

function print({ spec, outcome, seconds, message }: Verdict): void {
  const detail = outcome === 'failed' ? `\n    ${message.replaceAll('\n', '\n    ')}` : '';
  process.stdout.write(`${outcome.padEnd(9)} ${seconds.toFixed(0).padStart(4)} s  ${spec.name}${detail}\n`);
}

/** Prints the counts and the regressions; returns the exit status. */
function conclude(verdicts: readonly Verdict[]): number {
  const passing = readPassing(flags.living);
  const named = (outcome: string) => verdicts.filter((verdict) => verdict.outcome === outcome);
  const counts = ['passed', 'failed', 'timed out', 'skipped'].map((outcome) => `${named(outcome).length} ${outcome}`);
  process.stdout.write(`${verdicts.length} tests: ${counts.join(', ')}\n`);
  const passed = named('passed').map(({ spec }) => spec.name);
  if (flags.update) writePassing(flags.living, [...passing, ...passed]);
  const lost = verdicts.filter(({ spec, outcome }) => outcome !== 'passed' && passing.has(spec.name));
  for (const { spec, outcome } of lost) process.stdout.write(`passed before, ${outcome} now: ${spec.name}\n`);
  return lost.length === 0 ? 0 : 1;
}
