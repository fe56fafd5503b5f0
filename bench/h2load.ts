// h2load of nghttp2, a load generator for gets that costs next to nothing. Where it is not installed ours takes its
// place.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Target } from './http2-connection.ts';

const run = promisify(execFile);

export async function hasH2load(): Promise<boolean> {
  return run('h2load', ['--version']).then(
    () => true,
    () => false,
  );
}

export interface GetLoad {
  readonly path: string;
  readonly connections: number;
  readonly streams: number;
  readonly seconds: number;
}

/** Gets one path again and again. Rejects when an answer was no success. */
export async function h2load(
  { url, token }: Target,
  { path, connections, streams, seconds }: GetLoad,
): Promise<{ requests: number; perSecond: number }> {
  const { stdout } = await run('h2load', [
    `--duration=${seconds * 1000}ms`,
    `--clients=${connections}`,
    `--max-concurrent-streams=${streams}`,
    `--header=authorization: Bearer ${token}`,
    '--header=accept: application/json',
    url + path,
  ]);
  const counts = /(\d+) done, (\d+) succeeded/.exec(stdout);
  const perSecond = /, ([\d.]+) req\/s/.exec(stdout)?.[1];
  if (counts === null || perSecond === undefined || counts[1] !== counts[2]) throw new Error(`h2load says: ${stdout}`);
  return { requests: Number(counts[1]), perSecond: Number(perSecond) };
}
