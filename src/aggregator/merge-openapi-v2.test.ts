import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../api/object.ts';
import { mergingOpenApiV2 } from './merge-openapi-v2.ts';

const POD = 'io.k8s.api.core.v1.Pod';

function mergeOpenApiV2(into: JsonObject, from: JsonObject): void {
  const members = (part: string) => new Map(Object.entries(into[part] as Record<string, Json>));
  const parts = { paths: members('paths'), definitions: members('definitions'), parameters: members('parameters') };
  for (const _ of mergingOpenApiV2(parts, from));
  for (const [part, entries] of Object.entries(parts)) into[part] = Object.fromEntries(entries);
}

const KINDS = 'x-kubernetes-group-version-kind';

function document(definitions: JsonObject, paths: JsonObject = {}): JsonObject {
  return { paths, definitions, parameters: {} };
}

test('merged OpenAPI documents hold the paths and definitions of both', () => {
  const into = document({ a: { type: 'object' } }, { '/apis/b': { get: {} } });
  mergeOpenApiV2(into, document({ B: { type: 'string' } }, { '/apis/a': { get: {} } }));
  assert.deepEqual(Object.keys(into['paths'] as JsonObject), ['/apis/b', '/apis/a']);
  assert.deepEqual(Object.keys(into['definitions'] as JsonObject), ['a', 'B']);
});

test('an OpenAPI definition whose name another one has is renamed, with its references', () => {
  const into = document({ [POD]: { description: 'ours' }, [`${POD}_v2`]: { description: 'an other' } });
  const list = { properties: { items: { items: { $ref: `#/definitions/${POD}` } } } };
  const path = { get: { responses: { 200: { schema: { $ref: `#/definitions/${POD}` } } } } };
  const from = document({ [POD]: { description: 'theirs' }, List: list }, { '/apis/x': path });
  const before = structuredClone(from);
  mergeOpenApiV2(into, from);
  const reference = { $ref: `#/definitions/${POD}_v3` };
  assert.deepEqual(into['definitions'], {
    List: { properties: { items: { items: reference } } },
    [POD]: { description: 'ours' },
    [`${POD}_v2`]: { description: 'an other' },
    [`${POD}_v3`]: { description: 'theirs' },
  });
  assert.deepEqual(into['paths'], { '/apis/x': { get: { responses: { 200: { schema: reference } } } } });
  assert.deepEqual(from, before, 'the other document stays as it is');
  mergeOpenApiV2(into, document({ [POD]: { description: 'theirs' } }));
  assert.equal(Object.keys(into['definitions'] as JsonObject).length, 4, 'what was renamed before is found again');
});

test('OpenAPI definitions that differ only in x-kubernetes-group-version-kind are merged', () => {
  const [one, other] = [
    { kind: 'DeleteOptions', group: 'a' },
    { kind: 'DeleteOptions', group: 'b' },
  ];
  const ours = { type: 'object', [KINDS]: [one] };
  const into = document({ D: ours });
  mergeOpenApiV2(into, document({ D: { type: 'object', [KINDS]: [one, other] } }));
  assert.deepEqual(into['definitions'], { D: { type: 'object', [KINDS]: [one, other] } });
  assert.deepEqual(ours[KINDS], [one]);
});

test('an OpenAPI path that exists already is kept', () => {
  const into = document({}, { '/a': { get: { operationId: 'ours' } } });
  mergeOpenApiV2(into, document({}, { '/a': { get: { operationId: 'theirs' } } }));
  assert.deepEqual(into['paths'], { '/a': { get: { operationId: 'ours' } } });
});
