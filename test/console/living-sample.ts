// Sample objects for the console of a cluster with simulated nodes: those of `keelson console --demo`.

import { demoObjects } from '../../src/cli/demo-objects.ts';
import type { TestServer } from '../../src/testing.ts';

/** Fills namespace `store` and waits until its controllers have nothing left to do. @throws Error for a refused object */
export async function fillStore(server: TestServer): Promise<void> {
  for (const [path, body] of demoObjects()) {
    const { status, body: answer } = await server.request('POST', path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
  await server.cluster.settled();
}
