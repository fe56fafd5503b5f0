// Rows for deletion and definition: the time until the dependents of a deleted object are gone, and until a new
// CustomResourceDefinition can be used.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, withRig } from './bench.ts';
import { cloudDefinition, cloudObject } from './cloud-definitions.ts';
import { Http1Client } from './http1-client.ts';
import { median } from './latencies.ts';

const COUNT = 1_000;
const IN_FLIGHT = 16;
const NAMESPACES = '/api/v1/namespaces';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINED = 20;

export async function deletionRows(bench: Bench): Promise<void> {
  await withRig(bench, async ({ server }) => {
    const client = new Http1Client(server.target);
    bench.row('namespace of 1,000 objects gone', { ms: await namespaceGoneMs(client) });
    bench.row('1,000 dependents gone', { ms: await dependentsGoneMs(client) });
    bench.row('definition usable', { ms: await usableMs(client) });
    client.close();
  });
}

async function namespaceGoneMs(client: Http1Client): Promise<number> {
  await client.create(NAMESPACES, { metadata: { name: 'full' } });
  await createMany(client, `${NAMESPACES}/full/configmaps`, (name) => ({ metadata: { name } }));
  const startMs = performance.now();
  await client.send('DELETE', `${NAMESPACES}/full`);
  while ((await client.send('GET', `${NAMESPACES}/full`)).status !== 404) await sleep(2);
  return performance.now() - startMs;
}

async function dependentsGoneMs(client: Http1Client): Promise<number> {
  const maps = `${NAMESPACES}/default/configmaps`;
  await client.create(maps, { metadata: { name: 'owner' } });
  const { uid } = JSON.parse((await client.send('GET', `${maps}/owner`)).text).metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await createMany(client, maps, (name) => ({ metadata: { name, labels: { dependent: 'yes' }, ownerReferences } }));
  const startMs = performance.now();
  await client.send('DELETE', `${maps}/owner`);
  for (;;) {
    const { text } = await client.send('GET', `${maps}?labelSelector=dependent%3Dyes&limit=1`);
    if (JSON.parse(text).items.length === 0) return performance.now() - startMs;
    await sleep(2);
  }
}

/** From sending a definition to the response for the first object of it. */
async function usableMs(client: Http1Client): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < DEFINED; number++) {
    const definition = cloudDefinition(number);
    const objects = `/apis/${definition.group}/v1beta1/${definition.plural}`;
    const body = cloudObject(definition, 'first');
    const startMs = performance.now();
    await client.create(DEFINITIONS, definition.object);
    while ((await client.send('POST', objects, { 'content-type': 'application/json' }, body)).status === 404)
      await sleep(1);
    times.push(performance.now() - startMs);
  }
  return median(times);
}

async function createMany(client: Http1Client, path: string, objectOf: (name: string) => unknown): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < COUNT) await client.create(path, objectOf(`object-${next++}`));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}
