// `npm run suites`: compares Keelson with the real kube-apiserver in suites of other projects that are data. The port is the
// first of three for the reference: `--port N`. `--suite json-schema` runs one of them, `--release 1.37` compares another
// release.

import { parseArgs } from 'node:util';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer } from '../../src/testing.ts';
import { Client } from '../conformance/client.ts';
import { missingReference, serviceRange, startReference } from '../differential/reference.ts';
import type { Ask, Outcome } from './comparison.ts';
import { compareJsonSchemas } from './json-schema.ts';
import { compareMerges, type MergeRelease } from './merge.ts';

const APPLY = 'application/apply-patch+yaml';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '25300' },
    suite: { type: 'string', multiple: true, default: ['json-schema', 'merge'] },
    release: { type: 'string', default: '1.34' },
  },
});
// The reference without a number is that of the default release.
const numbered = values.release === '1.34' ? undefined : values.release;
const missing = missingReference(numbered);
if (missing === undefined) await run(Number(values.port));
else console.log(`not run: ${missing}`);

async function run(port: number): Promise<void> {
  await using reference = await startReference(port, [`--service-cluster-ip-range=${serviceRange}`], numbered);
  await using keelson = await startTestServer({ controllers: '', kubernetesVersion: values.release });
  using client = new Client(reference.target);
  const askReference: Ask = async (method, path, body) => {
    const headers: Record<string, string> = method === 'PATCH' ? { 'content-type': APPLY } : {};
    const answer = await client.send({ method, path, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, body: answer.body as JsonObject };
  };
  const askKeelson: Ask = async (method, path, body) => {
    keelson.clock?.advance('1s');
    const patch = () => keelson.patch(path, body, APPLY);
    const answer = method === 'PATCH' ? await patch() : await keelson.request(method, path, body);
    return { status: answer.status, body: answer.body as JsonObject };
  };
  if (values.suite.includes('json-schema')) conclude('JSON schema', await compareJsonSchemas(askReference, askKeelson));
  if (values.suite.includes('merge')) {
    const merges = await compareMerges(askReference, askKeelson, values.release as MergeRelease);
    for (const each of merges.otherwise) console.log(`kube-apiserver says otherwise than the library: ${each}`);
    for (const [reason, count] of merges.without) console.log(`${count} cases need ${reason}`);
    console.log(
      `structured-merge-diff: ${merges.asTheLibrary} of ${merges.cases} cases are as in the library with kube-apiserver`,
    );
    conclude('structured-merge-diff', merges);
  }
}

function conclude(suite: string, { answers, differences }: Outcome): void {
  for (const each of differences) console.log(each);
  console.log(`${suite}: ${answers - differences.length} of ${answers} answers are those of kube-apiserver`);
  if (differences.length > 0) process.exitCode = 1;
}
