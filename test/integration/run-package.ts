// Build and run of one package of Kubernetes' integration tests. Every server that a test starts is a Keelson of its own,
// on the test's etcd.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** How long the program of a package may go on after its tests. */
const LAST_MS = 10_000;

const PROGRAM = join(import.meta.dirname, '../../bin/keelson.js');

/** Where a run keeps its files, and what it runs with. */
export interface PackageRun {
  /** The release of Kubernetes that Keelson is told to be: `1.34`. */
  readonly release: string;
  /** The prepared module. */
  readonly module: string;
  /** Of test binaries and logs. */
  readonly folder: string;
  readonly etcdUrl: string;
  /** Runs the original server in the test's process instead. */
  readonly control: boolean;
  /** Keeps objects in memory rather than in etcd. */
  readonly memory: boolean;
  /** The time limit of a package, in seconds. */
  readonly timeoutSeconds: number;
}

/** Compiles the tests of a package. @returns the compiler's errors; '' if there are none */
export async function buildPackage({ module, folder }: PackageRun, name: string): Promise<string> {
  const output = binaryOf(folder, name);
  mkdirSync(join(output, '..'), { recursive: true });
  const argv = ['test', '-c', '-vet=off', '-ldflags=-s -w', '-o', output, `./${name}`];
  const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
  try {
    await promisify(execFile)('go', argv, { cwd: module, env, maxBuffer: 2 ** 26 });
    return '';
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error);
  }
}

/** The names of the top-level tests in a package. */
export async function listTests({ module, folder }: PackageRun, name: string): Promise<string[]> {
  const argv = ['-test.list', '.'];
  const { stdout } = await promisify(execFile)(binaryOf(folder, name), argv, { cwd: join(module, name) });
  return stdout.split('\n').filter((line) => line.startsWith('Test'));
}

/** Runs the tests of a package, or those that a regular expression selects. @returns the output */
export async function runPackage(run: PackageRun, name: string, only = ''): Promise<string> {
  const { release, module, folder, etcdUrl, control, memory, timeoutSeconds } = run;
  const log = join(folder, 'logs', `${name.replaceAll('/', '_')}${control ? '-control' : ''}.log`);
  const servers = log.replace(/\.log$/, '');
  mkdirSync(servers, { recursive: true });
  const argv = ['-test.v', `-test.timeout=${timeoutSeconds}s`, ...(only === '' ? [] : [`-test.run=${only}`])];
  const child = spawn(binaryOf(folder, name), argv, {
    cwd: join(module, name),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      KUBE_INTEGRATION_ETCD_URL: etcdUrl,
      KEELSON_PROGRAM: PROGRAM,
      KEELSON_NODE: process.execPath,
      KEELSON_LOGS: servers,
      KEELSON_RELEASE: release,
      ...(control ? { KEELSON_CONTROL: '1' } : {}),
      ...(memory ? { KEELSON_STORE: 'memory' } : {}),
    },
  });
  const file = createWriteStream(log);
  let ended: NodeJS.Timeout | undefined;
  child.stdout.on('data', (text: Buffer) => {
    file.write(text);
    // From 1.37 on the program waits ten minutes, busily, for goroutines that a test has left behind.
    if (/^(?:PASS|FAIL)$/m.test(text.toString('latin1'))) ended ??= setTimeout(() => child.kill('SIGKILL'), LAST_MS);
  });
  child.stderr.pipe(file, { end: false });
  await once(child, 'close');
  clearTimeout(ended);
  await new Promise<void>((resolve) => file.end(resolve));
  return readFileSync(log, 'utf8');
}

/** Tests look at the name of their program, which is a field manager: it must be that of the package. */
function binaryOf(folder: string, name: string): string {
  return join(folder, 'bin', name, `${basename(name)}.test`);
}

/** Links a program into the path under a name that tests look for. */
export function linkProgram(folder: string, name: string, path: string): void {
  const link = join(folder, 'bin', name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  if (!existsSync(link)) symlinkSync(path, link);
}
