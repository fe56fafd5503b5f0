// Rows for many CustomResourceDefinitions: the cost of creating them, keeping them and starting with them, and whether
// anything else becomes slower.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, fill, measureLoop, pause, podPadding, type Rig, withRig } from './bench.ts';
import { type CloudDefinition, cloudDefinition, cloudObject } from './cloud-definitions.ts';
import { Http1Client } from './http1-client.ts';
import { median } from './latencies.ts';
import { processorMicros, residentMegabytes } from './process-usage.ts';
import { ServerProcess } from './server-process.ts';
import { PODS } from './workloads.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const IN_FLIGHT = 8;
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const STARTS = 3;
const GETS = { connections: 10, streams: 8 };

export async function definitionRows(bench: Bench): Promise<void> {
  const count = bench.quick ? 200 : 2_000;
  const named = `${count.toLocaleString('en-US')} definitions`;
  await withRig(bench, (rig) => podRows(bench, rig, 'without definitions'));
  let dataFolder = '';
  await withRig(bench, async ({ server }) => {
    const client = new Http1Client(server.target);
    const before = { megabytes: residentMegabytes(server.pid), micros: processorMicros(server.pid) };
    const ms = await loadAll(client, count);
    bench.row(`loading ${named}`, { ms, cpuMicros: (processorMicros(server.pid) - before.micros) / count });
    await pause(2);
    bench.row(`memory of ${named}`, { megabytes: residentMegabytes(server.pid) - before.megabytes });
    client.close();
    dataFolder = server.dataFolder;
  });
  bench.row(`ready, with ${named}`, { ms: await readyMs(bench, dataFolder) });
  await withRig(
    bench,
    async (rig) => {
      const client = new Http1Client(rig.server.target);
      bench.row(`discovery with ${named}`, { ms: await getMs(client, '/apis', { accept: DISCOVERY }) });
      bench.row(`index of OpenAPI with ${named}`, { ms: await getMs(client, '/openapi/v3') });
      await podRows(bench, rig, `with ${named}`);
      await customObjectRows(bench, rig, client);
      client.close();
    },
    { dataFolder },
  );
}

/** From the start of the process to the first response, with the definitions and nothing else; a median. */
async function readyMs({ workplace }: Bench, dataFolder: string): Promise<number> {
  const ready: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await using server = await ServerProcess.start({ workplace, dataFolder });
    ready.push(server.readyMs);
  }
  return median(ready);
}

/** How long it takes until the last of the definitions is served. */
async function loadAll(client: Http1Client, count: number): Promise<number> {
  const startMs = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < count) await client.create(DEFINITIONS, cloudDefinition(next++).object);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  // Which of those that were in flight at the end came last is not known.
  for (let last = Math.max(0, count - IN_FLIGHT); last < count; last++) {
    while ((await client.send('GET', objectsOf(cloudDefinition(last)))).status === 404) await sleep(5);
  }
  return performance.now() - startMs;
}

async function getMs(client: Http1Client, path: string, headers?: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  const { status } = await client.send('GET', path, headers);
  if (status !== 200) throw new Error(`GET ${path}: ${status}`);
  return performance.now() - startMs;
}

/** Requests that should not be slower because of the definitions. */
async function podRows(bench: Bench, rig: Rig, circumstances: string): Promise<void> {
  await fill(rig.load, 'held', 1);
  const get = { kind: 'get', path: `${PODS}/held-0` } as const;
  bench.row(`get ${circumstances}`, await measureLoop(bench, rig, { ...GETS, workload: () => get }));
  const padding = await podPadding(rig.load);
  const prefix = `beside-${circumstances.replaceAll(/[ ,]/g, '-')}`;
  const creates = await measureLoop(bench, rig, {
    connections: 8,
    streams: 8,
    workload: (run) => ({ kind: 'create', prefix: `${prefix}-${run}`, padding }),
  });
  bench.row(`create ${circumstances}`, creates);
}

async function customObjectRows(bench: Bench, rig: Rig, client: Http1Client): Promise<void> {
  const definition = cloudDefinition(0);
  await client.create(objectsOf(definition), cloudObject(definition, 'one'));
  const get = { kind: 'get', path: `${objectsOf(definition)}/one` } as const;
  bench.row('get of a custom object', await measureLoop(bench, rig, { ...GETS, workload: () => get }));
  const firstMs: number[] = [];
  for (let number = 1; number <= 40; number++) {
    const untouched = cloudDefinition(number);
    const startMs = performance.now();
    await client.create(objectsOf(untouched), cloudObject(untouched, 'first'));
    firstMs.push(performance.now() - startMs);
  }
  bench.row('first object of a definition', { ms: median(firstMs) });
}

function objectsOf({ group, plural }: CloudDefinition): string {
  return `/apis/${group}/v1beta1/${plural}`;
}
