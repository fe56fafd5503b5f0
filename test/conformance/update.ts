// `npm run conformance [-- area…]`: replays the recorded conversations, prints area by area how many pass, and adds those
// that pass for the first time to the lists of test/conformance/passing. A listed scenario that fails stays listed, and
// makes the exit status 1.
//
//   --why            the first differences of each scenario that fails; `--verbose` shows all of them
//   --only TEXT      scenarios whose name contains the text
//   --patience N     times as long for polls and watches of scenarios that are not listed
//   --store etcd     on its own etcd; the results are printed but not listed
//   --server URL     another server, with --token and --ca FILE (without it the certificate is not verified); its
//                    results are shown and not listed

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeKindsPage } from '../../scripts/kinds-page.ts';
import { Client, type Target } from './client.ts';
import { readPassing, writePassing } from './passing.ts';
import type { Outcome } from './replay.ts';
import { replayAll } from './run.ts';
import { readArea, recordedAreas, type Scenario } from './scenario.ts';
import { startConformanceServer } from './server.ts';

/** Failing scenarios mostly wait: running more of them concurrently costs little. */
const concurrency = 16;
const patienceWithListed = 2;
/** A lower limit for conditions that never become true. */
const patienceWithOthers = 0.1;
const shownProblems = 6;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    why: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    patience: { type: 'string', default: String(patienceWithOthers) },
    store: { type: 'string', default: 'memory' },
    server: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    ca: { type: 'string' },
  },
});

interface AreaRun {
  readonly area: string;
  readonly listed: Set<string>;
  readonly scenarios: readonly Scenario[];
}

const areas: AreaRun[] = (positionals.length > 0 ? positionals : recordedAreas()).map((area) => ({
  area,
  listed: readPassing(area),
  scenarios: readArea(area).scenarios.filter(({ id }) => id.includes(flags.only)),
}));

const outcomes = await withTarget(run);
if (flags.server === undefined && flags.store === 'memory') {
  for (const each of areas) addPassing(each);
  writeKindsPage();
}
process.stdout.write(`\n${table()}`);
process.exitCode = areas.some(({ listed, scenarios }) => count(scenarios, (id) => listed.has(id) && !passes(id)) > 0)
  ? 1
  : 0;

async function withTarget(use: (target: Target) => Promise<Outcome[]>): Promise<Map<string, Outcome>> {
  const { server: url, token, ca } = flags;
  const found: Outcome[] = [];
  if (url !== undefined) {
    found.push(...(await use({ url, token, ca: ca === undefined ? undefined : readFileSync(ca, 'utf8') })));
  } else {
    await using started = await startConformanceServer(flags.store);
    found.push(...(await use(started.target)));
  }
  return new Map(found.map((outcome) => [outcome.id, outcome]));
}

async function run(target: Target): Promise<Outcome[]> {
  using client = new Client(target);
  const listed = new Set(areas.flatMap((each) => [...each.listed]));
  const all = areas.flatMap(({ scenarios }) => scenarios);
  return await replayAll(client, all, {
    concurrency,
    patience: ({ id }) => (listed.has(id) ? patienceWithListed : Number(flags.patience)),
    report: ({ id, problems }) => {
      if (problems.length === 0) return;
      if (listed.has(id)) process.stdout.write(`NO LONGER ${id}\n`);
      else if (flags.why || flags.verbose) process.stdout.write(`fails ${id}\n`);
      else return;
      for (const line of flags.verbose ? problems : problems.slice(0, shownProblems)) {
        process.stdout.write(`     ${line}\n`);
      }
    },
  });
}

function passes(id: string): boolean {
  return outcomes.get(id)?.problems.length === 0;
}

function addPassing({ area, listed, scenarios }: AreaRun): void {
  const fresh = scenarios.filter(({ id }) => passes(id) && !listed.has(id));
  if (fresh.length > 0) writePassing(area, [...listed, ...fresh.map(({ id }) => id)]);
}

function count(scenarios: readonly Scenario[], test: (id: string) => boolean): number {
  return scenarios.filter(({ id }) => test(id)).length;
}

function table(): string {
  const rows = areas.map(({ area, listed, scenarios }) => ({
    area,
    passed: count(scenarios, passes),
    all: scenarios.length,
    fresh: count(scenarios, (id) => passes(id) && !listed.has(id)),
    lost: count(scenarios, (id) => !passes(id) && listed.has(id)),
  }));
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
  rows.push({
    area: 'all',
    passed: sum((row) => row.passed),
    all: sum((row) => row.all),
    fresh: sum((row) => row.fresh),
    lost: sum((row) => row.lost),
  });
  const lines = rows.map(({ area, passed, all, fresh, lost }) => {
    const news = `${fresh > 0 ? `  +${fresh}` : ''}${lost > 0 ? `  ${lost} no longer` : ''}`;
    return `${area.padEnd(16)}${String(passed).padStart(5)} of ${String(all).padStart(4)}${news}\n`;
  });
  return lines.join('');
}
