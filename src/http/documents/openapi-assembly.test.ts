import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import type { OpenApiV2Entry } from '../../resources/openapi/document-v2.ts';
import { type AssemblyPart, OpenApiAssembly } from './openapi-assembly.ts';
import { openapiV2Json } from './openapi-json.ts';

const turn = { over: () => Promise.resolve() };
const frame = { swagger: '2.0', paths: {}, definitions: {}, parameters: {}, security: [] };

/** Parts as the cache of documents makes them, with a list of those that were described. */
function world() {
  const assembly = new OpenApiAssembly(openapiV2Json);
  const described: string[] = [];
  const part = (key: string, definitions: Record<string, JsonObject>): AssemblyPart => ({
    key,
    hash: JSON.stringify(definitions),
    describe() {
      described.push(key);
      const entries = Object.entries(definitions).map(([name, value]) => ({ member: 'definitions', name, value }));
      return [{ member: 'paths', name: `/apis/${key}`, value: { get: {} } }, ...entries] as OpenApiV2Entry[];
    },
  });
  const assemble = async (parts: readonly AssemblyPart[], others: readonly { document: JsonObject }[] = []) => {
    described.length = 0;
    const bytes = await assembly.assemble({ frame, parts, others }, turn);
    return JSON.parse(bytes.joined().toString()) as typeof frame;
  };
  return { part, assemble, described };
}

test('an OpenAPI document holds the entries of all parts, sorted by name', async () => {
  const { part, assemble } = world();
  const document = await assemble([part('b', { y: { title: 'B' } }), part('a', { z: {}, x: { title: 'Ä' } })]);
  assert.deepEqual(document, {
    ...frame,
    paths: { '/apis/a': { get: {} }, '/apis/b': { get: {} } },
    definitions: { x: { title: 'Ä' }, y: { title: 'B' }, z: {} },
  });
  assert.deepEqual(Object.keys(document.definitions), ['x', 'y', 'z']);
  assert.deepEqual(Object.keys(document), Object.keys(frame));
});

test('a change of one part of an OpenAPI document does not build the others again', async () => {
  const { part, assemble, described } = world();
  const kept = part('a', { x: { title: 'A' } });
  await assemble([kept, part('b', { y: { title: 'old' } }), part('c', { z: {} })]);
  assert.deepEqual(described, ['a', 'b', 'c']);
  const changed = await assemble([kept, part('b', { y: { title: 'new' } })]);
  assert.deepEqual(described, ['b']);
  assert.deepEqual(changed.definitions, { x: { title: 'A' }, y: { title: 'new' } });
  assert.deepEqual(changed.paths, { '/apis/a': { get: {} }, '/apis/b': { get: {} } });
});

test('a type of a custom resource with the name of a built-in type is renamed in OpenAPI', async () => {
  const { part, assemble } = world();
  const builtin = part('', { 'io.x.Before': {}, 'io.x.Kind': { title: 'built-in' }, 'io.x.Later': {} });
  const list = { properties: { items: { items: { $ref: '#/definitions/io.x.Kind' } } } };
  const custom = part('x', { 'io.x.Kind': { title: 'custom' }, 'io.x.KindList': list });
  const document = await assemble([builtin, custom, part('y', { z: {} })]);
  assert.deepEqual(document.definitions, {
    'io.x.Before': {},
    'io.x.Kind': { title: 'built-in' },
    'io.x.KindList': { properties: { items: { items: { $ref: '#/definitions/io.x.Kind_v2' } } } },
    'io.x.Kind_v2': { title: 'custom' },
    'io.x.Later': {},
    z: {},
  });
  assert.deepEqual(Object.keys(document.paths), ['/apis/', '/apis/x', '/apis/y']);
});

test('OpenAPI of aggregated servers is merged, and leaves nothing behind when it goes', async () => {
  const { part, assemble } = world();
  const KINDS = 'x-kubernetes-group-version-kind';
  const parts = [part('a', { Shared: { type: 'object', [KINDS]: [{ kind: 'A' }] }, Own: { title: 'ours' } })];
  const before = await assemble(parts);
  const document = {
    paths: { '/apis/other': { get: { $ref: '#/definitions/Own' } } },
    definitions: { Shared: { type: 'object', [KINDS]: [{ kind: 'B' }] }, Own: { title: 'theirs' } },
    parameters: { p: { in: 'query' } },
  };
  const merged = await assemble(parts, [{ document }]);
  assert.deepEqual(merged.definitions, {
    Own: { title: 'ours' },
    Own_v2: { title: 'theirs' },
    Shared: { type: 'object', [KINDS]: [{ kind: 'A' }, { kind: 'B' }] },
  });
  assert.deepEqual(merged.paths, { '/apis/a': { get: {} }, '/apis/other': { get: { $ref: '#/definitions/Own_v2' } } });
  assert.deepEqual(merged.parameters, { p: { in: 'query' } });
  assert.deepEqual(await assemble(parts), before);
});

test('OpenAPI documents that are requested at the same time are assembled one after another', async () => {
  const { part, assemble } = world();
  const [one, two] = await Promise.all([
    assemble([part('a', { x: { title: 'one' } })]),
    assemble([part('a', { x: { title: 'two' } })]),
  ]);
  assert.deepEqual([one.definitions, two.definitions], [{ x: { title: 'one' } }, { x: { title: 'two' } }]);
});
