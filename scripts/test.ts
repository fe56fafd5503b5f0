// `npm test [-- what]`: runs the tests, or those in the files and folders named. `npm run toolchains` runs those that need
// a compiler, an interpreter or a browser, which take long where nothing is cached, and the recorded conversations a second
// time. Flags are passed to the test runner (`--test-name-pattern=watch`, `--watch`); its counts end the output.
//
// Files named one by one have a process each. Of a folder, most share processes: starting one and loading the server takes
// longer than most of their tests. Each file is a suite there, with its own hooks.

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const everything = ['src', 'scripts', 'test', 'bench'];

/** Where the tests are that need Go, Java, Python, Rust or a browser, and those that repeat others with another store. */
export const toolchains = [
  'test/aggregation/sample-api-server.test.ts',
  'test/clients/cert-manager.test.ts',
  'test/clients/command-lines.test.ts',
  'test/clients/go-clients.test.ts',
  'test/clients/h2spec.test.ts',
  'test/clients/java-clients.test.ts',
  'test/clients/past-clients.test.ts',
  'test/clients/python-clients.test.ts',
  'test/clients/rust-clients.test.ts',
  'test/clients/test-frameworks.test.ts',
  'test/conformance/etcd.test.ts',
  'test/conformance/threads.test.ts',
  'test/console',
  'test/recipes/kubebuilder.test.ts',
];

/** Processes at once: one more than processors, as tests also wait for disks, programs and time. */
const atOnce = availableParallelism() + 1;

/** A test still running after this long is considered hung. */
const testTimeoutMs = 60_000;

/** For tests that start compilers and browsers, which have several processes each: the runner takes the last of a flag. */
const ofToolchains = [`--test-concurrency=${availableParallelism()}`, '--test-timeout=180000'];

/** The number of files that share a process. */
const FILES_AT_ONCE = 20;

/** Where the lists of files that share a process are written, as modules. */
const LISTS = '.cache/tests';

/** Where files share processes. */
const SHARED = ['src/', 'test/access/', 'test/aggregation/', 'test/audit/', 'test/cel/'];

/** Files there that change their process, or start others. */
const ALONE = ['src/cli/', 'src/outbound/kubeconfig-client.test.ts', 'src/server/data-folder.test.ts'];

/** Test files that share a process, or one that has its own. */
export interface Group {
  readonly name: string;
  readonly files: readonly string[];
}

/** Returns the test files that `named` stands for, in groups. */
export function groups(named: readonly string[], root: string): Group[] {
  return named.flatMap((path) => {
    if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return alone(path);
    const files = globSync(`${path}/**/*.test.ts`, { cwd: root }).sort();
    const shared = files.filter(shares);
    const starts = shared.keys().filter((index) => index % FILES_AT_ONCE === 0);
    const together = [...starts].map((start) => ({
      name: `${path.replaceAll(/\W+/g, '-')}-${String(start).padStart(3, '0')}`,
      files: shared.slice(start, start + FILES_AT_ONCE),
    }));
    return [...together, ...files.filter((file) => !shares(file)).map(alone)];
  });
}

function alone(file: string): Group {
  return { name: file, files: [file] };
}

function shares(file: string): boolean {
  const isIn = (place: string): boolean => file.startsWith(place);
  return SHARED.some(isIn) && ![...ALONE, ...toolchains].some(isIn);
}

/** Returns the test files that run by default. */
export function byDefault(root: string): Group[] {
  const needsMore = ({ name }: Group): boolean => toolchains.some((place) => name.startsWith(place));
  return groups(everything, root).filter((group) => !needsMore(group));
}

/** Returns a module that runs the tests of files. */
export function moduleOf(files: readonly string[]): string {
  const suites = files.map((file) => `suite('${file}', () => import('../../${file}'));\n`);
  return `import { suite } from 'node:test';\n\n${suites.join('')}`;
}

/** Returns what Node is to run for a group: the file, or the module written for several. */
function runnable({ name, files }: Group, root: string): string {
  if (files.length === 1) return files[0]!;
  // Never removed: another run may be about to read it. It writes the same.
  mkdirSync(join(root, LISTS), { recursive: true });
  const path = `${LISTS}/${name}.ts`;
  writeFileSync(join(root, path), moduleOf(files));
  return path;
}

/** Returns Node's arguments for a run of tests. */
export function runnerArguments(flags: readonly string[], files: readonly string[]): string[] {
  return [
    '--test',
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=spec',
    ...flags,
    ...files,
  ];
}

/** What the folder for temporary files needs, if it is to be in memory. */
const MEMORY_BYTES = 4 * 2 ** 30;

/** Returns the folder for temporary files: in memory, if programs may run there, because stores wait for their disk. */
function temporaryParent(): string {
  try {
    const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const { bavail, bsize } = statfsSync('/dev/shm');
    const usable = options !== undefined && !options.split(',').includes('noexec') && bavail * bsize > MEMORY_BYTES;
    return usable ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const argv = process.argv.slice(2);
  const flags = argv.filter((argument) => argument.startsWith('-') && argument !== '--toolchains');
  const named = argv.filter((argument) => !argument.startsWith('-'));
  const needsMore = argv.includes('--toolchains');
  if (needsMore) named.push(...toolchains);
  const chosen = named.length > 0 ? groups(named, root) : byDefault(root);
  const files = chosen.map((group) => runnable(group, root));
  // At ^C the runner ends by itself, and the folder is still to be removed.
  process.on('SIGINT', () => {});
  const temporary = mkdtempSync(join(temporaryParent(), 'keelson-tests-'));
  const own = needsMore ? ofToolchains : [];
  const { status } = spawnSync(process.execPath, runnerArguments([...own, ...flags], files), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The compile cache is shared by all processes and by the next run.
    env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(root, '.cache/compile') },
  });
  rmSync(temporary, { recursive: true, force: true });
  process.exitCode = status ?? 1;
}
