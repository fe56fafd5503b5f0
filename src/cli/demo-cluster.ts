// The cluster of `keelson console --demo`: a server in memory with simulated nodes and sample objects, for as long as the
// command runs.

import { silentLog } from '../base/log.ts';
import { demoObjects } from './demo-objects.ts';

const NODES = 3;
interface DemoCluster extends AsyncDisposable {
  readonly kubeconfigText: string;
}

/** Starts the cluster and creates its objects. @throws Error for an object that the server refuses */
export async function startDemoCluster(): Promise<DemoCluster> {
  const { startServer } = await import('../server/server.ts');
  const token = crypto.randomUUID();
  const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
  const authenticateToken = (given: string) => (given === token ? administrator : undefined);
  const server = await startServer(
    { store: 'memory', securePort: 0, nodes: NODES },
    { log: silentLog, ephemeral: true, tokens: [{ permanent: true, authenticateToken }] },
  );
  const dispose = (): Promise<void> => server.close();
  try {
    for (const [path, body] of demoObjects()) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const request = new Request(`https://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const response = await server.fetch(request);
      if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    }
    return { kubeconfigText: server.kubeconfigText ?? '', [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
