// The server as users run it: its own process with the embedded store, which tests stop, kill and restart.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../until.ts';

const ownProgram = join(import.meta.dirname, '../../bin/keelson.js');

interface ServerProcessOptions {
  /** The program; that of this repository by default. */
  readonly program?: string;
  /** Arguments for Node. */
  readonly nodeFlags?: readonly string[];
  /** Arguments for the server, besides its data directory and address. */
  readonly flags?: readonly string[];
}

export class ServerProcess implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #program: string;
  readonly #nodeFlags: readonly string[];
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';
  /** 0 until the first start has found a free port; then fixed. */
  #port = 0;

  /** `dataDir` is created if missing; the test removes it. */
  constructor(dataDir: string, { program = ownProgram, nodeFlags = [], flags = [] }: ServerProcessOptions = {}) {
    this.#nodeFlags = nodeFlags;
    this.#flags = flags;
    this.#dataDir = dataDir;
    this.#program = program;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The process id while it runs. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** The path of the kubeconfig that the server wrote. */
  get kubeconfigPath(): string {
    const path = /KUBECONFIG=(\S+)/.exec(this.#output)?.[1];
    if (path === undefined) throw new Error(`the server names no kubeconfig:\n${this.#output}`);
    return path;
  }

  /** The text of that kubeconfig. */
  async kubeconfig(): Promise<string> {
    return readFile(this.kubeconfigPath, 'utf8');
  }

  /** Resolves when the server is ready; the port of an earlier start is reused. */
  async start(): Promise<void> {
    this.#output = '';
    const flags = ['--store=embedded', `--secure-port=${this.#port}`, `--data-dir=${this.#dataDir}`];
    const child = spawn(process.execPath, [...this.#nodeFlags, this.#program, 'serve', ...flags, ...this.#flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (text: string) => {
      this.#output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    this.#child = child;
    await until('the server says where it listens', () => {
      if (child.exitCode !== null) return true;
      return this.#output.includes('KUBECONFIG=');
    });
    const port = /listens on https:\/\/127\.0\.0\.1:(\d+)/.exec(this.#output)?.[1];
    if (port === undefined) throw new Error(`the server did not start:\n${this.#output}`);
    this.#port = Number(port);
  }

  /** Stops the server gracefully; returns its exit status. */
  async stop(): Promise<number> {
    return this.#end('SIGTERM');
  }

  /** Kills the server, as a power failure would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(signal: NodeJS.Signals): Promise<number> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? -1;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [status] = await ended;
    return status ?? -1;
  }
}
