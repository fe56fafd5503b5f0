// `npm run integration [-- FLAGS] [PACKAGE…]`: runs Kubernetes' own integration tests against Keelson, and fails if a test
// that the release's list names as passing does not pass, twice.
//
//   PACKAGE           test/integration/quota, or quota; without any, all packages
//   --release N       the tests of another release: 1.37 (default 1.34)
//   --sample          those that take some seconds each, for CI
//   --run REGEX       only tests whose name matches
//   --control         the original kube-apiserver, in the test's process
//   --memory          objects in memory instead of etcd, for packages that do not look into etcd
//   --jobs N          packages at the same time (default 2)
//   --timeout S       time limit of a package (default 900)
//   --update          takes what was found into the list
//
// Needs Go and etcd; says so and ends if one is missing. The first build takes some minutes. Files are in
// ~/.cache/keelson-integration, or in the folder that KEELSON_INTEGRATION names.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answers } from '../clients/commands.ts';
import { programPath } from '../e2e/programs.ts';
import { freePort } from '../processes.ts';
import { until } from '../until.ts';
import { prepareModule, RELEASES, type Release, testPackages } from './module.ts';
import { buildPackage, linkProgram, listTests, type PackageRun, runPackage } from './run-package.ts';
import {
  knownVerdicts,
  regressions,
  saidBy,
  shortName,
  updated,
  type Verdict,
  type Verdicts,
  verdictsIn,
  writeVerdicts,
} from './verdicts.ts';

/** Packages whose tests take some seconds and cover different parts of the server. */
const SAMPLE = ['evictions', 'pods', 'dryrun', 'configmap', 'secrets', 'ttlcontroller'];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: 'string', default: RELEASES[0]!.name },
    sample: { type: 'boolean', default: false },
    run: { type: 'string', default: '' },
    control: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '900' },
    update: { type: 'boolean', default: false },
  },
});

const release = RELEASES.find(({ name }) => name === flags.release);
if (release === undefined) throw new Error(`there are no tests of release ${flags.release}`);
const root = process.env['KEELSON_INTEGRATION'] ?? join(homedir(), '.cache/keelson-integration');
const folder = release === RELEASES[0] ? root : join(root, release.name);
const etcd = [programPath('etcd'), '/usr/bin/etcd', '/usr/local/bin/etcd'].find((path) => existsSync(path));
const missing = answers('go', 'version') ? (etcd === undefined ? 'etcd' : undefined) : 'Go';
if (missing === undefined) process.exitCode = await main(etcd!, release);
else process.stdout.write(`skipped: ${missing} is not installed, so that Kubernetes' integration tests cannot run\n`);

async function main(etcdProgram: string, tested: Release): Promise<number> {
  const module = join(folder, 'module');
  try {
    prepareModule(module, tested);
  } catch (error) {
    process.stdout.write(`skipped: Kubernetes' modules cannot be had: ${(error as Error).message}\n`);
    return 0;
  }
  linkProgram(folder, 'etcd', etcdProgram);
  process.env['PATH'] = `${join(folder, 'bin')}:${process.env['PATH']}`;
  await using store = await startEtcd(etcdProgram);
  const { control, memory } = flags;
  const timeoutSeconds = Number(flags.timeout);
  const run = { release: tested.name, module, folder, etcdUrl: store.url, control, memory, timeoutSeconds };
  const known = knownVerdicts(tested);
  const found = new Map<string, Verdict>();
  const waiting = chosen(testPackages(module)).values();
  const work = async () => {
    // All workers take from the same queue.
    for (const name of waiting) {
      const verdicts = await runOne(run, name);
      for (const [test, verdict] of verdicts) found.set(test, verdict);
      if (flags.update) writeVerdicts(tested, updated(knownVerdicts(tested), verdicts));
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
  return conclude(known, found);
}

function chosen(all: readonly string[]): string[] {
  const wanted = flags.sample ? SAMPLE : positionals;
  if (wanted.length === 0) return [...all];
  return wanted.map((each) => {
    const name = all.find((known) => known === each || shortName(known) === each);
    if (name === undefined) throw new Error(`there is no package ${each} with tests`);
    return name;
  });
}

/** The verdicts on the tests of a package; those that fail are run a second time. */
async function runOne(run: PackageRun, name: string): Promise<Map<string, Verdict>> {
  const short = shortName(name);
  const fault = await buildPackage(run, name);
  if (fault !== '') {
    process.stdout.write(`${short}: cannot be built\n${fault.slice(-2_000)}\n`);
    return new Map([[`${short} build`, 'fail']]);
  }
  const startMs = performance.now();
  const verdicts = await runAll(run, name);
  const failed = [...verdicts].flatMap(([test, verdict]) => (verdict === 'fail' ? [test] : []));
  if (failed.length > 0) {
    const again = await runPackage(run, name, `^(${failed.join('|')})$`);
    for (const [test, verdict] of verdictsIn(again)) {
      verdicts.set(test, verdict);
      if (verdict === 'fail') process.stdout.write(`${saidBy(again, test)}\n`);
    }
  }
  const passed = [...verdicts.values()].filter((verdict) => verdict === 'pass').length;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${short}: ${passed} of ${verdicts.size} pass (${seconds} s)\n`);
  return new Map([...verdicts].map(([test, verdict]) => [`${short} ${test}`, verdict]));
}

/** A test that ends its process, or a timeout, leaves others without a verdict: they are run by themselves. */
async function runAll(run: PackageRun, name: string): Promise<Map<string, Verdict>> {
  const wanted = (await listTests(run, name)).filter((test) => new RegExp(flags.run).test(test));
  const verdicts = new Map<string, Verdict>();
  for (let left = wanted; left.length > 0; left = wanted.filter((test) => !verdicts.has(test))) {
    const found = verdictsIn(await runPackage(run, name, `^(${left.join('|')})$`));
    for (const [test, verdict] of found) verdicts.set(test, verdict);
    if (found.size === 0) for (const test of left) verdicts.set(test, 'fail');
  }
  return verdicts;
}

function conclude(known: Verdicts, found: ReadonlyMap<string, Verdict>): number {
  const lost = flags.control ? [] : regressions(known, found);
  const count = (verdict: Verdict) => [...found.values()].filter((each) => each === verdict).length;
  for (const name of lost) process.stdout.write(`passed before: ${name}\n`);
  const others = count('skip') + count('needs Go');
  process.stdout.write(`integration tests: ${count('pass')} pass, ${count('fail')} do not, ${others} are skipped\n`);
  return lost.length === 0 ? 0 : 1;
}

/** An etcd that keeps nothing beyond its process. */
async function startEtcd(program: string): Promise<AsyncDisposable & { readonly url: string }> {
  const data = mkdtempSync(join(tmpdir(), 'keelson-integration-'));
  const [url, peers] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const argv = [
    ...['--data-dir', data, '--log-level', 'error', '--quota-backend-bytes', String(8 * 2 ** 30), '--unsafe-no-fsync'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  ];
  const child = spawn(program, argv, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  await until('etcd answers', async () => (await fetch(`${url}/health`)).ok);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
