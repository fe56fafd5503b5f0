// The server as people run it: a process of its own with the embedded store, which tests stop, kill and start again.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../until.ts';

const ownProgram = join(import.meta.dirname, '../../bin/keelson.js');

interface ServerProcessOptions {
  /** That of this repository unless given. */
  readonly program?: string;
  /** For Node itself. */
  readonly nodeFlags?: readonly string[];
  /** For the server, besides those that say where its data is and where it listens. */
  readonly flags?: readonly string[];
}

export class ServerProcess implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #program: string;
  readonly #nodeFlags: readonly string[];
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';
  /** 0 until the first start has found a free one; then it stays. */
  #port = 0;

  /** `dataDir` is made when it is not there, and left to the test to remove. */
  constructor(dataDir: string, { program = ownProgram, nodeFlags = [], flags = [] }: ServerProcessOptions = {}) {
    this.#nodeFlags = nodeFlags;
    this.#flags = flags;
    this.#dataDir = dataDir;
    this.#program = program;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The process's id, while it runs. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Where the kubeconfig is that the server wrote. */
  get kubeconfigPath(): string {
    const path = /KUBECONFIG=(\S+)/.exec(this.#output)?.[1];
    if (path === undefined) throw new Error(`the server names no kubeconfig:\n${this.#output}`);
    return path;
  }

  /** The text of that kubeconfig. */
  async kubeconfig(): Promise<string> {
    return readFile(this.kubeconfigPath, 'utf8');
  }

  /** Resolves when the server takes requests; the port of an earlier start is kept. */
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

  /** Ends the server as an operator does; its exit status. */
  async stop(): Promise<number> {
    return this.#end('SIGTERM');
  }

  /** Ends the server as a power failure does. */
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
