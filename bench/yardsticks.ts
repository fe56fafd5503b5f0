// Yardsticks of the machine without our server: read the other rows against these.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { Latencies } from './latencies.ts';

const APPEND = new Uint8Array(4096);

/** Runs `measure` with a server that answers every get with as many bytes as a pod has. */
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

/** The disk by itself: 4 KB appended to a file and made durable, again and again. */
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
