import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { inOneStep } from '../../base/steps.ts';
import { createCatalog } from '../../resources/catalog.ts';
import { customResource, type StoredDefinition } from '../../resources/custom/custom-resource.ts';
import { Lifetime } from '../../resources/custom/lifetime.ts';
import { OpenApiCache } from './openapi-cache.ts';
import { OpenApiThread } from './openapi-thread.ts';

const LONG = 'x'.repeat(limits.openApiThreadFromBytes / 4);

/** Two versions with different schemas, scale and status; `description` decides on the length. */
function definition(kind: string, description: string): ApiObject {
  const plural = `${kind.toLowerCase()}s`;
  const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: ['all'] };
  const replicas = { type: 'integer', description };
  const schema = (properties: object) => ({ openAPIV3Schema: { type: 'object', properties } });
  const spec = { type: 'object', nullable: true, required: ['replicas'], properties: { replicas } };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const versions = [
    { name: 'v1', served: true, storage: true, schema: schema({ spec }), subresources: { status: {}, scale } },
    {
      ...{ name: 'v1beta1', served: true, storage: false },
      schema: schema({ spec: { type: 'string', default: 'a' } }),
      selectableFields: [{ jsonPath: '.spec' }],
    },
  ];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    status: { acceptedNames: names, conditions: [] },
  } as unknown as ApiObject;
}

/** The documents of a server with three resources, in both encodings. */
async function wholeOf(storedForm: (definition: ApiObject) => StoredDefinition) {
  const catalog = createCatalog();
  for (const kind of ['Boat', 'Anchor', 'Crane']) {
    const served = definition(kind, LONG);
    const rest = { storageVersionHash: () => '', lifetime: new Lifetime(), converter: undefined };
    const { entries } = customResource({ definition: served, stored: storedForm(served), tag: kind, ...rest });
    catalog.addEntries(entries);
  }
  const { json, protobuf } = await new OpenApiCache(catalog, {
    apiVersion: '1.34',
    program: 'one',
    cbor: true,
  }).whole();
  return [(await json.plain()).joined(), (await protobuf.plain()).joined()] as const;
}

test('many CustomResourceDefinitions are described for OpenAPI in another thread, with the same result', async () => {
  const [json, protobuf] = await wholeOf((served) => ({
    bytes: () => Buffer.from(JSON.stringify(served)),
    reading: () => assert.fail('read here'),
  }));
  const [ownJson, ownProtobuf] = await wholeOf((served) => ({
    bytes: () => Buffer.alloc(0),
    reading: () => inOneStep(served),
  }));
  assert.ok(json.equals(ownJson));
  assert.ok(protobuf.equals(ownProtobuf));
  const { definitions } = JSON.parse(json.toString()) as { definitions: Record<string, { properties: object }> };
  assert.deepEqual(Object.keys(definitions['com.example.v1.Crane']!.properties).sort(), [
    ...['apiVersion', 'kind', 'metadata', 'spec'],
  ]);
});

test('a schema that cannot be described for OpenAPI is an error, and the thread goes on', async () => {
  const thread = new OpenApiThread();
  const request = {
    group: 'example.com',
    version: 'v1',
    minor: 34,
    cbor: false,
    fieldSelectors: true,
    encoding: 'json',
  } as const;
  const turn = { over: () => undefined };
  await assert.rejects(thread.encode(request, [Buffer.from('{')], turn), /unexpected end of JSON input/i);
  const boat = Buffer.from(JSON.stringify(definition('Boat', 'short')));
  const { definitions } = await thread.encode(request, [boat], turn);
  assert.deepEqual(definitions.names, ['com.example.v1.Boat', 'com.example.v1.BoatList']);
  await thread.stop();
});

test('an OpenAPI thread that has ended reports the reason', async () => {
  const thread = new OpenApiThread();
  const request = {
    group: 'example.com',
    version: 'v1',
    minor: 34,
    cbor: false,
    fieldSelectors: true,
    encoding: 'json',
  } as const;
  const turn = { over: () => undefined };
  await thread.encode(request, [], turn);
  await thread.stop();
  await assert.rejects(thread.encode(request, [], turn), /exited with code 1/);
});
