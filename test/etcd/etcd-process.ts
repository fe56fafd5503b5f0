// Real etcd for tests: found on this machine, started on free ports with its data in its own folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isExecutable } from '../processes.ts';

/** The skip message if etcd is missing. */
export const NO_ETCD = 'etcd is not installed here (Debian: etcd-server)';

/** The path of etcd's program; undefined if there is none. */
export function findEtcd(): string | undefined {
  const folders = [join(homedir(), '.cache/keelson-reference/bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'etcd')).find(isExecutable);
}

export interface EtcdProcess {
  readonly url: string;
  /** The data directory. */
  readonly folder: string;
  readonly child: ChildProcess;
  /** Kills the process, and starts another on the same data and port. */
  restart(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process and keeps its data. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

export interface EtcdProcessOptions {
  readonly program: string;
  /** The client URL and additional flags, for TLS for example. */
  readonly flags?: readonly string[];
  readonly scheme?: 'http' | 'https';
  /** A folder that is copied as the initial data. */
  readonly data?: string;
}

/** Starts one member and waits until it serves clients. */
export async function startEtcd({
  program,
  flags = [],
  scheme = 'http',
  data,
}: EtcdProcessOptions): Promise<EtcdProcess> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'keelson-etcd-'));
  if (data !== undefined) cpSync(data, folder, { recursive: true });
  const url = `${scheme}://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const args = [
    ...['--name=one', `--data-dir=${folder}`, '--log-level=error'],
    ...[`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=one=${peer}`],
    // A member on its own elects itself: waiting for others would take a second of every start.
    ...['--heartbeat-interval=10', '--election-timeout=100'],
    ...flags,
  ];
  const start = async () => {
    const started = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ETCD_UNSUPPORTED_ARCH: '' } });
    await serving(url, started);
    return started;
  };
  let child = await start();
  return {
    url,
    folder,
    get child() {
      return child;
    },
    async restart(signal) {
      await ended(child, signal);
      child = await start();
    },
    end: (signal) => ended(child, signal),
    async stop() {
      await ended(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

/** Retries until a connection is accepted. */
async function serving(url: string, child: ChildProcess): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`etcd ended with ${child.exitCode} at its start`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname, () => resolve(true));
      socket.on('error', () => resolve(false)).on('close', () => {});
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Starts a local cluster of several members and waits until all serve clients. */
export async function startEtcdCluster(program: string, count: number): Promise<EtcdProcess[]> {
  const peers = await Promise.all(Array.from({ length: count }, async () => `http://127.0.0.1:${await freePort()}`));
  const cluster = peers.map((peer, index) => `member${index}=${peer}`).join();
  return await Promise.all(
    peers.map((peer, index) =>
      startEtcd({
        program,
        // The last occurrence of a flag wins.
        flags: [
          ...[`--name=member${index}`, `--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
          ...[`--initial-cluster=${cluster}`, '--heartbeat-interval=100', '--election-timeout=1000'],
        ],
      }),
    ),
  );
}
