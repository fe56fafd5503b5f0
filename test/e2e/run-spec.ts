// One end-to-end test in its own process, so that one that waits for a container can be killed without affecting
// others.

import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { programPath, testProgram } from './programs.ts';
import type { Spec } from './specs.ts';

export type Outcome = 'passed' | 'failed' | 'skipped' | 'timed out';

export interface Verdict {
  readonly spec: Spec;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Why it failed or was skipped; otherwise empty. */
  readonly message: string;
}

export interface SpecEnvironment {
  readonly kubeconfigPath: string;
  readonly url: string;
  /** The folder for the tests' output, one file per test. */
  readonly folder: string;
  readonly timeoutMs: number;
  readonly nodeCount: number;
}

/** How long a terminated test has to clean up. */
const graceMs = 10_000;
const messageLength = 600;

export async function runSpec(spec: Spec, environment: SpecEnvironment): Promise<Verdict> {
  const started = performance.now();
  const child = spawn('nice', ['-n', '5', testProgram, ...flags(spec, environment)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // kubectl's cache may be from another server at this address, or from before a test's definitions.
    env: { ...process.env, KUBECONFIG: environment.kubeconfigPath, KUBECACHEDIR: cacheFolder(spec, environment) },
  });
  const { said, late } = await ended(child, environment.timeoutMs);
  createWriteStream(join(environment.folder, `${fileName(spec)}.log`)).end(said);
  const seconds = (performance.now() - started) / 1000;
  const outcome = late ? 'timed out' : outcomeOf(said);
  return { spec, outcome, seconds, message: outcome === 'passed' ? '' : messageIn(said) };
}

function cacheFolder(spec: Spec, { folder }: SpecEnvironment): string {
  return join(folder, 'kubectl', fileName(spec));
}

function flags({ name }: Spec, { kubeconfigPath, url, nodeCount }: SpecEnvironment): string[] {
  return [
    ...[`--ginkgo.focus= ${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`, '--ginkgo.no-color', '--ginkgo.v'],
    ...[
      `--ginkgo.grace-period=${graceMs / 1000}s`,
      '--provider=local',
      `--kubeconfig=${kubeconfigPath}`,
      `--host=${url}`,
    ],
    ...[
      `--kubectl-path=${programPath('kubectl')}`,
      '--dump-logs-on-failure=false',
      '--disable-log-dump',
      `--num-nodes=${nodeCount}`,
    ],
  ];
}

function ended(child: ChildProcess, timeoutMs: number): Promise<{ said: string; late: boolean }> {
  return new Promise((resolve, reject) => {
    let said = '';
    let late = false;
    const collect = (text: string) => {
      said += text;
    };
    child.stdout!.setEncoding('utf8').on('data', collect);
    child.stderr!.setEncoding('utf8').on('data', collect);
    const last = () => child.kill('SIGKILL');
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGINT');
      setTimeout(last, graceMs).unref();
    }, timeoutMs);
    process.once('exit', last);
    child.on('error', reject);
    child.on('close', () => {
      process.off('exit', last);
      clearTimeout(timer);
      resolve({ said, late });
    });
  });
}

function outcomeOf(said: string): Outcome {
  if (/^SUCCESS! -- 1 Passed/m.test(said)) return 'passed';
  return /^SUCCESS! -- 0 Passed/m.test(said) ? 'skipped' : 'failed';
}

/** Returns the first message about why the test did not pass, without its stack. */
function messageIn(said: string): string {
  // The first lines only contain the location and the duration.
  const found =
    /\[(?:FAILED|SKIPPED|PANICKED|INTERRUPTED|TIMEDOUT)\] (?!in \[|\[)([\s\S]*?)\n\s*(?:In \[|-{6}|Full Stack)/.exec(
      said,
    )?.[1];
  return (found ?? said.slice(-messageLength)).trim().slice(0, messageLength);
}

/** Returns a file name: the end of a test's name distinguishes it, too. */
export function fileName({ name }: Spec): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 200);
}
