// Large requests of every kind with 10,000 pods: what each costs, and how long small gets wait meanwhile.

import { type Bench, fill, type Rig, withRig } from './bench.ts';
import { cloudDefinition } from './cloud-definitions.ts';
import { Http1Client } from './http1-client.ts';
import { LoadProcess } from './load.ts';
import { processorMicros } from './process-usage.ts';
import type { TextRequest } from './text-request.ts';
import { PODS } from './workloads.ts';

const COUNT = 10_000;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The first definition with as many fields as large ones have. */
const LARGE_BYTES = 100_000;
const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
const get = (path: string, more: Partial<TextRequest> = {}): TextRequest => ({ method: 'GET', path, ...more });

const LISTS: readonly (readonly [name: string, request: TextRequest])[] = [
  ['list', get(PODS)],
  ['table', get(PODS, { accept: as('Table') })],
  ['table page of 500', get(`${PODS}?limit=500`, { accept: as('Table') })],
  ['metadata list', get(PODS, { accept: as('PartialObjectMetadataList') })],
  ['protobuf list', get(PODS, { accept: 'application/vnd.kubernetes.protobuf' })],
  ['CBOR list', get(PODS, { accept: 'application/cbor' })],
  ['compressed list', get(PODS, { gzip: true })],
  ['indented list', get(`${PODS}?pretty=true`)],
  ['YAML list', get(PODS, { accept: 'application/yaml' })],
];

export async function besideRows(bench: Bench): Promise<void> {
  await withRig(
    bench,
    async (rig) => {
      await fill(rig.load, 'beside', COUNT);
      await fill(rig.load, 'small', 1);
      const rounds = bench.quick ? 3 : 10;
      for (const [name, request] of LISTS) {
        // The first makes what later ones find ready.
        await row(bench, rig, { name: `${name}, first`, requests: [request] });
        await row(bench, rig, { name, requests: Array.from({ length: rounds }, () => request) });
      }
      await row(bench, rig, {
        name: 'deletion of all pods',
        requests: [{ method: 'DELETE', path: `${PODS}?labelSelector=app%3Dweb` }],
      });
    },
    { flags: ['--feature-gates=CBORServingAndStorage=true'] },
  );
  await withRig(bench, (rig) => definitions(bench, rig));
}

interface Measured {
  readonly name: string;
  readonly requests: readonly TextRequest[];
}

async function row(bench: Bench, { server, load }: Rig, { name, requests }: Measured): Promise<void> {
  await using small = new LoadProcess(server.target);
  await small.beginGets('/api/v1/namespaces/default');
  const before = processorMicros(server.pid);
  const { requestMs } = await load.large(requests);
  const cpuMicros = (processorMicros(server.pid) - before) / requests.length;
  const { p99Ms, longestMs } = await small.endGets();
  bench.row(name, { cpuMicros, p50Ms: requestMs });
  bench.row(`small get beside ${name}`, { p99Ms, longestMs });
}

async function definitions(bench: Bench, rig: Rig): Promise<void> {
  const count = bench.quick ? 200 : 2_000;
  const client = new Http1Client(rig.server.target);
  let large: string | undefined;
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const { object } = cloudDefinition(next++);
      const text = JSON.stringify(object);
      if (large === undefined && text.length > LARGE_BYTES) large = text;
      else await client.create(DEFINITIONS, object);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  if (large !== undefined) {
    const request = { method: 'POST', path: DEFINITIONS, contentType: 'application/json', body: large } as const;
    await row(bench, rig, { name: 'definition with 300 fields', requests: [request] });
  }
  const named = `/openapi/v2 with ${count.toLocaleString('en-US')} definitions`;
  await row(bench, rig, { name: `${named}, first`, requests: [get('/openapi/v2')] });
  await row(bench, rig, { name: named, requests: [get('/openapi/v2')] });
  await client.create(DEFINITIONS, cloudDefinition(count).object);
  client.close();
  await row(bench, rig, { name: `${named}, after one more`, requests: [get('/openapi/v2')] });
}
