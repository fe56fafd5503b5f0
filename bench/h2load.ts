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

/**
 * Gets one path again and again. Rejects when an answer was not a success. What is not answered in time is not
 * counted.
 */
export async function h2load(
  { url, token }: Target,
  { path, connections, streams, seconds }: GetLoad,
): Promise<{ requests: number; seconds: number }> {
  const { stdout } = await run('h2load', [
    `--duration=${seconds * 1000}ms`,
    `--clients=${connections}`,
    `--max-concurrent-streams=${streams}`,
    `--header=authorization: Bearer ${token}`,
    '--header=accept: application/json',
    url + path,
  ]);
  const counts = /(\d+) done, (\d+) succeeded/.exec(stdout);
  if (counts === null || counts[1] !== counts[2]) throw new Error(`h2load says: ${stdout}`);
  return { requests: Number(counts[1]), seconds };
}
