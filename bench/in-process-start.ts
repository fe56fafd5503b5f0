// One start of a server within a process, measured in a fresh process.

import { builtTesting } from './built.ts';

export interface InProcessStart {
  readonly importMs: number;
  /** From the call of startTestServer() to the first response. */
  readonly answeredMs: number;
}

const startMs = performance.now();
const { startTestServer } = await builtTesting();
const importedMs = performance.now();
{
  await using server = await startTestServer();
  const { status } = await server.request('GET', '/api/v1/namespaces/default');
  const answeredMs = performance.now() - importedMs;
  if (status !== 200) throw new Error(`the server answered ${status}`);
  process.send!({ importMs: importedMs - startMs, answeredMs } satisfies InProcessStart);
}
process.disconnect!();
