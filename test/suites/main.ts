// `npm run suites`: compares Keelson with the real kube-apiserver in suites of other projects that are data. The port is the
// first of three for the reference: `--port N`.

import { parseArgs } from 'node:util';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer } from '../../src/testing.ts';
import { Client } from '../conformance/client.ts';
import { missingReference, serviceRange, startReference } from '../differential/reference.ts';
import { type Ask, compareJsonSchemas } from './json-schema.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '25300' } } });
const missing = missingReference();
if (missing === undefined) await run(Number(values.port));
else console.log(`not run: ${missing}`);

async function run(port: number): Promise<void> {
  await using reference = await startReference(port, [`--service-cluster-ip-range=${serviceRange}`]);
  await using keelson = await startTestServer({ controllers: '' });
  using client = new Client(reference.target);
  const askReference: Ask = async (method, path, body) => {
    const answer = await client.send({ method, path, ...(body !== undefined && { body }) });
    return { status: answer.status, body: answer.body as JsonObject };
  };
  const askKeelson: Ask = async (method, path, body) => {
    keelson.clock?.advance('1s');
    const answer = await keelson.request(method, path, body);
    return { status: answer.status, body: answer.body as JsonObject };
  };
  const { answers, differences } = await compareJsonSchemas(askReference, askKeelson);
  for (const each of differences) console.log(each);
  console.log(`JSON schema: ${answers - differences.length} of ${answers} answers are those of kube-apiserver`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
