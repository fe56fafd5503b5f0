// `npm run e2e [-- FLAGS]`: runs Kubernetes' end-to-end tests that need no containers against Keelson, and fails if
// a test listed in test/e2e/passing.txt (with --living: passing-living.txt, with --node: passing-node.txt) does not pass.
//
//   --build           builds e2e.test first, with --node also the node's programs and images
//   --server KIND     keelson (the default) or reference: the real kube-apiserver in the same setup
//   --own-controllers Keelson's own controllers instead of the controller manager's
//   --living          Keelson alone: with its own controllers, scheduler and simulated nodes
//   --node            the conformance tests, on a real node on this machine
//   --only TEXT       tests whose name the regular expression matches
//   --all             includes tests known to be inconclusive
//   --update          adds passing tests to the list
//   --workers N       how many run concurrently (default 6); tests that must run alone come last
//   --timeout S       time limit of a test in seconds (default 180, with --node 600)
//   --port N          the first of three ports
//
// Logs and results are in .cache/e2e/KIND, with --living in .cache/e2e/living, with --node in .cache/e2e/node-KIND.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type NodeKind, type ServerKind, startControlPlane } from './control-plane.ts';
import { buildImages } from './node/images.ts';
import { isIsolated, prepareIsolation, runIsolated, unfitMachine } from './node/isolation.ts';
import { buildNodePrograms, buildTestProgram, missingNodeProgram, missingProgram } from './programs.ts';
import { runSpec, type SpecEnvironment, type Verdict } from './run-spec.ts';
import { listSpecs, readPassing, readUndecided, type Spec, writePassing } from './specs.ts';

const { values: flags } = parseArgs({
  options: {
    build: { type: 'boolean', default: false },
    server: { type: 'string', default: 'keelson' },
    'own-controllers': { type: 'boolean', default: false },
    living: { type: 'boolean', default: false },
    node: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    workers: { type: 'string', default: '6' },
    timeout: { type: 'string' },
    port: { type: 'string', default: '17743' },
  },
});

const nodes: NodeKind = flags.node ? 'real' : flags.living ? 'living' : 'hollow';
const kind: ServerKind = flags.server === 'reference' ? 'reference' : 'keelson';
const timeoutSeconds = Number(flags.timeout ?? (flags.node ? 600 : 180));
const isolates = flags.node && !isIsolated();

// Everything started ends with this process.
if (!isolates) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.setMaxListeners(0);

if (flags.build && (isolates || !flags.node)) await build();
const missing = missingProgram() ?? (flags.node ? (unfitMachine() ?? missingNodeProgram()) : undefined);
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`);
else process.exitCode = isolates ? await runIsolated() : await main();

async function build(): Promise<void> {
  buildTestProgram();
  if (!flags.node) return;
  buildNodePrograms();
  await buildImages();
}

async function main(): Promise<number> {
  const name = { hollow: kind, living: 'living', real: `node-${kind}` }[nodes];
  const folder = join(import.meta.dirname, '../../.cache/e2e', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true });
  if (flags.node) prepareIsolation(folder);
  // Simulated nodes decide more than hollow ones.
  const undecided = flags.all ? new Set<string>() : readUndecided(nodes).difference(readPassing(nodes));
  const only = new RegExp(flags.only);
  const specs = listSpecs(nodes).filter(({ name }) => only.test(name) && !undecided.has(name));
  const ownControllers = flags['own-controllers'];
  await using plane = await startControlPlane({ kind, port: Number(flags.port), folder, ownControllers, nodes });
  const { url, kubeconfigPath } = plane;
  const environment: SpecEnvironment = {
    ...{ url, kubeconfigPath, folder: join(folder, 'logs'), timeoutMs: timeoutSeconds * 1000 },
    nodeCount: flags.node ? 1 : 3,
  };
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
  const passing = readPassing(nodes);
  const named = (outcome: string) => verdicts.filter((verdict) => verdict.outcome === outcome);
  const counts = ['passed', 'failed', 'timed out', 'skipped'].map((outcome) => `${named(outcome).length} ${outcome}`);
  process.stdout.write(`${verdicts.length} tests: ${counts.join(', ')}\n`);
  const passed = named('passed').map(({ spec }) => spec.name);
  if (flags.update) writePassing(nodes, [...passing, ...passed]);
  const lost = verdicts.filter(({ spec, outcome }) => outcome !== 'passed' && passing.has(spec.name));
  for (const { spec, outcome } of lost) process.stdout.write(`passed before, ${outcome} now: ${spec.name}\n`);
  return lost.length === 0 ? 0 : 1;
}
