// The installed versions of kubectl, and how tests run them: against one server, with their own cache and home
// directory.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isExecutable } from '../processes.ts';
import { until } from '../until.ts';

export interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  /** The expected exit status; 0 by default. */
  readonly status?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface InstalledKubectl {
  /** The name of its file. */
  readonly name: string;
  readonly binary: string;
}

/**
 * Returns every kubectl on the PATH that is named after a version, such as `kubectl.1.27`, oldest first; also those
 * next to the target of a link named `kubectl`. If there is none, `kubectl` itself.
 */
export function installedKubectls(path: string = process.env['PATH'] ?? ''): InstalledKubectl[] {
  const folders = path.split(delimiter);
  const plain = folders.map((folder) => join(folder, 'kubectl')).find(isExecutable);
  if (plain !== undefined) folders.push(dirname(realpathSync(plain)));
  const found = new Map<number, InstalledKubectl>();
  for (const folder of folders) {
    for (const name of namesIn(folder)) {
      const minor = /^kubectl\.1\.(\d+)$/.exec(name)?.[1];
      const binary = join(folder, name);
      if (minor !== undefined && !found.has(Number(minor)) && isExecutable(binary)) {
        found.set(Number(minor), { name, binary });
      }
    }
  }
  if (found.size === 0 && plain !== undefined) return [{ name: 'kubectl', binary: plain }];
  return [...found].sort(([one], [other]) => one - other).map(([, each]) => each);
}

/** The oldest and the newest: if both behave alike, versions in between are assumed to. */
export function oldestAndNewest(installed = installedKubectls()): InstalledKubectl[] {
  return [...new Set([...installed.slice(0, 1), ...installed.slice(-1)])];
}

/** The message of tests that are skipped because there is no kubectl. */
export const withoutKubectl =
  installedKubectls().length === 0 ? 'no kubectl is on the PATH: nothing of kubectl is tested' : false;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** One kubectl with one server. */
export class Kubectl implements AsyncDisposable {
  readonly #binary: string;
  readonly #home: string;
  readonly #running = new Set<ChildProcess>();

  private constructor(binary: string, home: string) {
    this.#binary = binary;
    this.#home = home;
  }

  static async create(binary: string, kubeconfig: string): Promise<Kubectl> {
    const home = await mkdtemp(join(tmpdir(), 'keelson-kubectl-'));
    const kubectl = new Kubectl(binary, home);
    await kubectl.use(kubeconfig);
    return kubectl;
  }

  /** Switches to another server, or to another address of the same one. */
  async use(kubeconfig: string): Promise<void> {
    await writeFile(join(this.#home, 'kubeconfig'), kubeconfig, { mode: 0o600 });
  }

  /** Runs a command to its end. Rejects with all output if its exit status is not the expected one. */
  async run(args: readonly string[], { input = '', status = 0, env }: RunOptions = {}): Promise<Result> {
    const running = this.start(args, env);
    running.process.stdin!.on('error', () => {});
    running.process.stdin!.end(input);
    const actual = await running.ended;
    const { stdout, stderr } = running;
    if (actual !== status) {
      throw new Error(`kubectl ${args.join(' ')} ended with ${actual}, not ${status}\n${stdout}${stderr}`);
    }
    return { status: actual, stdout, stderr };
  }

  /** Returns the output of a successful command, without the final line break. */
  async output(...args: string[]): Promise<string> {
    return (await this.run(args)).stdout.trimEnd();
  }

  /** Starts a command that keeps running, such as a watch. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningKubectl {
    const child = spawn(this.#binary, [`--cache-dir=${join(this.#home, 'cache')}`, ...args], {
      env: { ...process.env, HOME: this.#home, KUBECONFIG: join(this.#home, 'kubeconfig'), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return new RunningKubectl(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await until('kubectls end', () => this.#running.size === 0);
    await rm(this.#home, { recursive: true, force: true });
  }
}

/** A running command. */
export class RunningKubectl {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  /** The exit status; -1 for a process that was killed. */
  readonly ended: Promise<number>;

  constructor(child: ChildProcess) {
    this.process = child;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve(status ?? -1));
    });
  }

  /** Resolves once the output contains the text. */
  async said(wanted: string | RegExp): Promise<void> {
    const heard = () => (typeof wanted === 'string' ? this.stdout.includes(wanted) : wanted.test(this.stdout));
    try {
      await until(`kubectl says ${wanted}`, heard);
    } catch (error) {
      throw new Error(`kubectl said only:\n${this.stdout}${this.stderr}`, { cause: error });
    }
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
