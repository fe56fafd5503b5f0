// A suite of small tests each of which starts a server for itself, measured in a fresh process: a create, a get and the end
// of the server.

import { builtTesting } from './built.ts';

/** Means of the tests. */
export interface SuiteOfServers {
  readonly ms: number;
  /** Of the process, its start and the import of the server included. */
  readonly cpuMicros: number;
}

const TESTS = 100;

const startMs = performance.now();
const { startTestServer } = await builtTesting();
for (let test = 0; test < TESTS; test++) {
  await using server = await startTestServer();
  const object = { metadata: { name: 'a' }, data: { test: String(test) } };
  const created = await server.request('POST', '/api/v1/namespaces/default/configmaps', object);
  const read = await server.request('GET', '/api/v1/namespaces/default/configmaps/a');
  if (created.status !== 201 || read.status !== 200) throw new Error(`the server answered ${created.status}`);
}
const { user, system } = process.cpuUsage();
const ms = (performance.now() - startMs) / TESTS;
process.send!({ ms, cpuMicros: (user + system) / TESTS } satisfies SuiteOfServers);
process.disconnect!();
