// h2load of nghttp2, a load generator for gets with very little overhead. If it is not installed, ours is used instead.

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
 * Gets one path repeatedly. Rejects if a response was unsuccessful. Requests without a response in time are not
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
