// Measures the embedded store alone: durable writes per second, their cost on the main thread, the file's size after
// many updates, and how long opening takes. Run: node bench/store.ts [directory]

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import type { Store } from '../src/store/store.ts';

const clock: Clock = {
  now: () => Date.now(),
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

interface Load {
  readonly writers: number;
  readonly writes: number;
  readonly bytes: number;
  /** Writes cycle through this many keys; undefined: every write has a new key. */
  readonly keys?: number;
}

async function load(store: Store, name: string, { writers, writes, bytes, keys }: Load): Promise<void> {
  const latencies: number[] = [];
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < writes) {
      const index = next++;
      const startMs = performance.now();
      const key = `/registry/${name}/default/object-${keys === undefined ? index : index % keys}`;
      await store.put(
        key,
        Buffer.allocUnsafeSlow(bytes).fill(97 + (index % 26)),
        keys === undefined ? 'absent' : 'any',
      );
      latencies.push(performance.now() - startMs);
    }
  };
  const cpu = process.threadCpuUsage();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.threadCpuUsage(cpu);
  latencies.sort((one, other) => one - other);
  const at = (share: number): string => latencies[Math.floor(latencies.length * share)]!.toFixed(2);
  console.log(
    `${name}: ${Math.round(writes / seconds)} writes/s, main thread ${((user + system) / writes).toFixed(1)} us a write, ` +
      `p50 ${at(0.5)} p99 ${at(0.99)} p99.9 ${at(0.999)} max ${at(0.99999)} ms`,
  );
}

function sizes(directory: string): string {
  const files = readdirSync(directory).map((file) => [file, statSync(join(directory, file)).size] as const);
  return files.map(([file, size]) => `${file} ${(size / 2 ** 20).toFixed(1)} MB`).join(', ');
}

async function open(directory: string): Promise<Store> {
  const startMs = performance.now();
  const store = await openEmbeddedStore({ directory, clock, log: silentLog });
  const { entries } = store.statistics();
  console.log(`open: ${(performance.now() - startMs).toFixed(0)} ms with ${entries} entries`);
  return store;
}

const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'store-bench-'));
try {
  let store = await open(join(root, 'creates'));
  await load(store, 'warm-up', { writers: 64, writes: 20_000, bytes: 3000 });
  await load(store, 'serial', { writers: 1, writes: 10_000, bytes: 3000 });
  await load(store, 'writers-64', { writers: 64, writes: 50_000, bytes: 3000 });
  await load(store, 'updates-64', { writers: 64, writes: 50_000, bytes: 3000, keys: 1000 });
  console.log(sizes(join(root, 'creates')));
  await store.close();

  store = await open(join(root, 'hundred-thousand'));
  await load(store, 'fill', { writers: 256, writes: 100_000, bytes: 2400 });
  await store.close();
  store = await open(join(root, 'hundred-thousand'));
  await store.close();
  console.log(sizes(join(root, 'hundred-thousand')));

  store = await open(join(root, 'leases'));
  await load(store, 'leases', { writers: 256, writes: 1_000_000, bytes: 500, keys: 1000 });
  console.log(sizes(join(root, 'leases')), store.statistics());
  await store.close();
  console.log(sizes(join(root, 'leases')));
  store = await open(join(root, 'leases'));
  await store.close();
} finally {
  rmSync(root, { recursive: true, force: true });
}
