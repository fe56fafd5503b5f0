import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { definitionStrategy } from './strategy.ts';

const context = {} as StrategyContext;

function definition(properties: JsonObject): ApiObject {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { metadata: {}, spec: { versions: [{ name: 'v1', served: true, storage: true, schema }] } } as ApiObject;
}

const of = (format: string) => ({ type: 'string', format });

test('a CustomResourceDefinition with unknown formats causes a warning for each, on update only for new ones', () => {
  const first = definition({
    a: of('frob'),
    b: of('frob'),
    c: of('date-time'),
    d: of('i-pv4'),
    e: of('k8s-long-name'),
  });
  const { warnings } = definitionStrategy;
  assert.deepEqual(warnings?.(first, undefined, context), [
    'unrecognized format "frob"',
    'unrecognized format "k8s-long-name"',
  ]);
  const second = definition({ a: of('frob'), b: { items: of('frob'), type: 'array' }, c: of('zork') });
  assert.deepEqual(warnings?.(second, first, context), ['unrecognized format "zork"']);
  assert.deepEqual(warnings?.(first, first, context), []);
});
