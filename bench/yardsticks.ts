// Baselines of the machine without our server, for comparison with the other rows.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { Latencies } from './latencies.ts';

const APPEND = new Uint8Array(4096);

/** Runs `measure` with a server whose responses have the size of a pod. */
export async function withBareServer<T>(
  dataFolder: string,
  measure: (server: { pid: number; url: string }) => Promise<T>,
): Promise<T> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [join(dataFolder, 'pki')]);
  const ended = once(child, 'exit');
  try {
    const [url] = await Promise.race([once(child, 'message'), ended]);
    if (typeof url !== 'string') throw new Error('the bare server did not start');
    return await measure({ pid: child.pid!, url });
  } finally {
    child.kill();
    await ended;
  }
}

/** The disk alone: repeatedly appends 4 KB to a file and syncs it. */
export function diskRow({ workplace, seconds, row }: Bench): void {
  const file = openSync(workplace.newFolder(), 'wx');
  const latencies = new Latencies();
  const startMs = performance.now();
  while (performance.now() < startMs + (seconds * 1000) / 2) {
    const writtenMs = performance.now();
    writeSync(file, APPEND);
    fdatasyncSync(file);
    latencies.add(performance.now() - writtenMs);
  }
  const perSecond = (latencies.count * 1000) / (performance.now() - startMs);
  closeSync(file);
  row('yardstick: 4 KB on the disk', { perSecond, p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99) });
}
