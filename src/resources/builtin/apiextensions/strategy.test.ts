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

test('a CustomResourceDefinition with a set of lists or objects causes a warning for each type, from 1.37 on', () => {
  const set = (type: string) => ({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type } });
  const first = definition({
    a: { type: 'object', additionalProperties: set('object') },
    b: set('string'),
    c: { ...set('object'), 'x-kubernetes-list-type': 'atomic' },
    d: set('object'),
  });
  const second = definition({ a: set('object'), b: { type: 'array', items: set('array') } });
  const { warnings } = definitionStrategy;
  const of = (type: string) =>
    `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;
  const served = { ...context, minor: 37 } as StrategyContext;
  assert.deepEqual(warnings?.(first, undefined, served), [of('object')]);
  assert.deepEqual(warnings?.(second, undefined, served), [of('array'), of('object')]);
  assert.deepEqual(warnings?.(second, first, served), [of('array')]);
  assert.deepEqual(warnings?.(second, undefined, { ...served, minor: 36 }), []);
});
