// Large bodies sent to a server without a port, each measured by its longest turn.

import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type LargeBody, largeBodies, widgets } from './bodies.ts';
import { longestTurn, type Turns } from './longest-turn.ts';

export interface TurnRow extends Turns {
  readonly name: string;
  readonly status: number;
}

/** Runs of one body: a busy machine makes one slow, not each of them. */
const RUNS = 3;

/** Returns one row for each body whose name `matches`, with the best of its runs. */
export async function longestTurns(matches: (name: string) => boolean, runs = RUNS): Promise<TurnRow[]> {
  await using server = await startTestServer();
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
  await server.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'there' }, data: {} });
  const widget = { apiVersion: 'turns.example/v1', kind: 'Widget', metadata: { name: 'there' } };
  await until('the definition is served', async () => {
    server.clock?.advance('1s');
    return (await server.request('POST', '/apis/turns.example/v1/namespaces/default/widgets', widget)).status === 201;
  });
  const rows: TurnRow[] = [];
  for (const large of largeBodies.filter(({ name }) => matches(name))) rows.push(await measured(server, large, runs));
  return rows;
}

async function measured(server: TestServer, large: LargeBody, runs: number): Promise<TurnRow> {
  const { name, method, path, type, body } = large;
  const bytes = Buffer.from(body());
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json', 'content-type': type };
  let best: TurnRow | undefined;
  for (let run = 0; run < runs; run++) {
    const request = new Request(`https://localhost${path}${path.includes('?') ? '&' : '?'}dryRun=All`, {
      method,
      headers,
      body: bytes,
    });
    let status = 0;
    const turns = await longestTurn(async () => {
      const response = await server.fetch(request);
      status = response.status;
      await response.body?.cancel();
    });
    if (best === undefined || turns.longestMs < best.longestMs) best = { name, status, ...turns };
  }
  return best as TurnRow;
}
