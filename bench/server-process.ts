// The server under measurement: `keelson serve` in its own process, with the embedded store in its own folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openConnection, type Target } from './http2-connection.ts';

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'keelson.js');
const TOKEN = 'bench-token';

/** The folder of one run of the benchmark: token file, compile cache, the servers' data. Removed at the end. */
export class Workplace implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'keelson-bench-'));
  readonly tokenFile = join(this.folder, 'tokens.csv');
  #folders = 0;

  constructor() {
    writeFileSync(this.tokenFile, `${TOKEN},bench,bench,"system:masters"\n`);
  }

  /** The path of a folder that isn't there yet. */
  newFolder(): string {
    this.#folders++;
    return join(this.folder, String(this.#folders));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface ServerProcessOptions {
  readonly workplace: Workplace;
  /** The data directory; a new one by default. */
  readonly dataFolder?: string;
  /** Further flags of the server. */
  readonly flags?: readonly string[];
  /** The compile cache; that of the workplace by default. */
  readonly compileCache?: string;
  /** Where to write the server's CPU profile when it exits. */
  readonly profileFolder?: string | undefined;
}

export class ServerProcess implements AsyncDisposable {
  readonly pid: number;
  readonly target: Target;
  readonly dataFolder: string;
  /** From the start of the process to the first response to GET /readyz. */
  readonly readyMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, found: { target: Target; dataFolder: string; readyMs: number }) {
    this.#child = child;
    this.pid = child.pid!;
    this.target = found.target;
    this.dataFolder = found.dataFolder;
    this.readyMs = found.readyMs;
  }

  /** Starts a server; resolves when it is ready, rejects with its output if it exits instead. */
  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const { workplace, profileFolder } = options;
    const dataFolder = options.dataFolder ?? workplace.newFolder();
    const compileCache = options.compileCache ?? join(workplace.folder, 'compile-cache');
    mkdirSync(dataFolder, { recursive: true });
    const startMs = performance.now();
    const child = spawn(
      process.execPath,
      [
        ...(profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
        PROGRAM,
        'serve',
        '--bind-address=127.0.0.1',
        '--secure-port=0',
        `--data-dir=${dataFolder}`,
        `--token-auth-file=${workplace.tokenFile}`,
        ...(options.flags ?? []),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE: compileCache } },
    );
    const target = { url: await listeningUrl(child), token: TOKEN };
    const connection = await openConnection(target);
    const { status } = await connection.request({ method: 'GET', path: '/readyz' });
    const readyMs = performance.now() - startMs;
    connection.close();
    if (status !== 200) throw new Error(`the server listens but is not ready: ${status}`);
    return new ServerProcess(child, { target, dataFolder, readyMs });
  }

  /** Shuts the server down gracefully; resolves when its process has exited. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** What the server says it listens on. */
async function listeningUrl(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000);
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^Keelson listens on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout!.resume();
      return url;
    }
  }
  throw new Error(`the server ended before it listened: ${said}`);
}
