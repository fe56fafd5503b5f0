// Runs the commands of other toolchains.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to run with lower priority than concurrent tests. */
  readonly yielding?: boolean;
  /** Ends the command. */
  readonly signal?: AbortSignal;
}

/** Whether a command exists and succeeds with `args`. */
export function answers(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Returns a command's standard output; rejects with all its output if it fails. */
export async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const running = start(command, args, options);
  const status = await running.ended;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${running.said}`);
  return running.stdout;
}

/** Starts a command that keeps running. */
export function start(command: string, args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { cwd, env, signal, yielding = false } = options;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
    ...(signal !== undefined && { signal }),
  });
  if (yielding && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return new RunningCommand(child);
}

export class RunningCommand implements Disposable {
  readonly #child: ChildProcess;
  stdout = '';
  /** All output, including errors. */
  said = '';
  /** The exit status; null for a command that was killed. Rejects if it cannot be run. */
  readonly ended: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.said += text;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // Prevents an unhandled rejection when nobody waits for the end.
    this.ended.catch(() => {});
  }

  /** Asks the command to end; resolves with its exit status. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
