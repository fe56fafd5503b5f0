// A server in its own process that tests kill, stop and query.

import { type ChildProcess, spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { until } from '../until.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A stopped process does not respond. */
const ANSWER_MS = 5_000;
const SILENCE_MS = 3_000;

export interface Answer {
  readonly status: number;
  readonly body: { data?: Record<string, string>; metadata: { resourceVersion: string } };
}

export class FaultyServer {
  readonly port: string;
  readonly #args: readonly string[];
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  #child: ChildProcess | undefined;
  #said = '';
  /** How the process ended if it was not killed by the test. */
  #ended: string | undefined;

  constructor(folder: string, port: number, flags: readonly string[]) {
    this.port = String(port);
    const tokens = join(ROOT, 'test/conformance/tokens.csv');
    const own = [`--data-dir=${folder}`, `--secure-port=${port}`, `--token-auth-file=${tokens}`, '--controllers='];
    this.#args = [join(ROOT, 'bin/keelson.js'), 'serve', ...own, ...flags];
  }

  start(): void {
    const child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4_000);
    });
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') this.#ended = `ended with ${code ?? signal}: ${this.#said}`;
    });
    this.#child = child;
  }

  async ready(): Promise<void> {
    await until('a server is ready', async () => {
      this.assertAlive();
      return (await this.ask('GET', '/readyz')).status === 200;
    });
  }

  /** @throws Error with the output of a process that exited by itself */
  assertAlive(): void {
    if (this.#ended !== undefined) throw new Error(`the server on port ${this.port} ${this.#ended}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exit;
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = this.#request({ method, path, timeout: ANSWER_MS }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject);
        response.on('end', () => {
          const parsed = text.startsWith('{') ? JSON.parse(text) : { metadata: {} };
          resolve({ status: response.statusCode ?? 0, body: parsed });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /**
   * Resolves when a stream of lines has ended, for whatever reason, or has been silent for long; every complete line
   * has been passed on.
   */
  lines(path: string, onLine: (line: string) => void): Promise<void> {
    return new Promise((resolve) => {
      const sent = this.#request({ method: 'GET', path, timeout: SILENCE_MS }, (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          const lines = (rest + piece).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) onLine(line);
        });
        response.on('error', () => resolve());
        response.on('close', () => resolve());
      });
      sent.on('error', () => resolve());
      sent.end();
    });
  }

  #request(of: { method: string; path: string; timeout: number }, onResponse: (response: IncomingMessage) => void) {
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
    const place = { agent: this.#agent, host: '127.0.0.1', port: this.port };
    const sent = request({ ...place, ...of, headers }, onResponse);
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    return sent;
  }
}
