// What the kernel, TLS and the disk cost by themselves, for a request and for an event: no server in this language can
// cost less. Beside the rows of creates and of watches they show how much of those is the server's own.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { type Bench, withRig } from './bench.ts';
import type { Figures } from './figures.ts';
import { POD_BYTES, podText } from './pod.ts';
import { processorMicros } from './process-usage.ts';

const WATCHES = 200;

/** Connections of watchers, for the two shapes of the rows of watches. */
const CONNECTIONS = [10, WATCHES];

export async function floorRows(bench: Bench): Promise<void> {
  await withRig(bench, async ({ server }) => {
    const pki = join(server.dataFolder, 'pki');
    await withTlsServer(bench, { pki, watches: 0 }, async (floor) => {
      bench.row('floor: TLS, 1 in flight', await floor.exchange('a'));
      bench.row('floor: TLS and 4 KB on the disk, 1 in flight', await floor.exchange('w'));
    });
    for (const connections of CONNECTIONS) {
      await withTlsServer(bench, { pki, watches: WATCHES / connections }, async (floor) => {
        for (let count = 0; count < connections; count++) (await floor.connect()).resume();
        const { perSecond = 0, cpuMicros = 0 } = await floor.exchange('e');
        bench.row(`floor: TLS, ${WATCHES} watchers on ${connections} connections`, {
          perSecond: perSecond * WATCHES,
          cpuMicros: cpuMicros / WATCHES,
        });
      });
    }
  });
}

interface Floor {
  connect(): Promise<TLSSocket>;
  /** Sends a message and waits for its answer, again and again. Processor time is that of the server. */
  exchange(what: 'a' | 'w' | 'e'): Promise<Figures>;
}

async function withTlsServer(
  { workplace, warmUpSeconds, seconds }: Bench,
  { pki, watches }: { readonly pki: string; readonly watches: number },
  measure: (floor: Floor) => Promise<void>,
): Promise<void> {
  const child = fork(join(import.meta.dirname, 'tls-server.ts'), [pki, workplace.newFolder(), String(watches)]);
  const ended = once(child, 'exit');
  const sockets: TLSSocket[] = [];
  try {
    const [port] = await Promise.race([once(child, 'message'), ended]);
    if (child.exitCode !== null) throw new Error('the TLS server did not start');
    const dial = async (): Promise<TLSSocket> => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      sockets.push(socket.setNoDelay(true));
      return socket;
    };
    const exchange = async (what: 'a' | 'w' | 'e'): Promise<Figures> => {
      const socket = await dial();
      const message = what + podText('floor');
      await answers(socket, { message, forMs: warmUpSeconds * 1000 });
      const before = processorMicros(child.pid!);
      const counted = await answers(socket, { message, forMs: seconds * 1000 });
      const cpuMicros = (processorMicros(child.pid!) - before) / counted.answers;
      return { perSecond: (counted.answers * 1000) / counted.ms, cpuMicros };
    };
    await measure({ connect: dial, exchange });
  } finally {
    for (const socket of sockets) socket.destroy();
    child.disconnect();
    await ended;
  }
}

/** Counts the answers to a message that is sent again when its answer is complete. */
function answers(
  socket: TLSSocket,
  { message, forMs }: { readonly message: string; readonly forMs: number },
): Promise<{ readonly answers: number; readonly ms: number }> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    let [count, bytes] = [0, 0];
    const onData = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes < POD_BYTES) return;
      bytes = 0;
      count++;
      const ms = performance.now() - startMs;
      if (ms < forMs) return void socket.write(message);
      socket.off('data', onData);
      resolve({ answers: count, ms });
    };
    socket.on('data', onData).once('error', reject);
    socket.write(message);
  });
}
