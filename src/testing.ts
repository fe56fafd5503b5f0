// A server for tests: ready in milliseconds, in memory, leaving no file and no open handle behind.
//
//   await using server = await startTestServer();
//   const pods = await server.get('/api/v1/namespaces/default/pods');

export type { TestClock } from './testing/test-clock.ts';
export { type Snapshot, startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.ts';
