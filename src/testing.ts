// A server for tests: ready in milliseconds, in memory, leaving no file and no open handle behind.
//
//   await using server = await startTestServer();
//   const { body } = await server.request('GET', '/api/v1/namespaces/default/pods');

export type { Fault, FaultOptions, FaultStatus, Faults } from './testing/faults.ts';
export type { ObjectReference, ObjectVersion } from './testing/history.ts';
export type { RequestFilter, RequestVerb } from './testing/request-filter.ts';
export type { RequestRecord, Requests } from './testing/request-log.ts';
export type { TestClock } from './testing/test-clock.ts';
export {
  type Snapshot,
  startTestServer,
  type TestCluster,
  type TestServer,
  type TestServerOptions,
} from './testing/test-server.ts';
