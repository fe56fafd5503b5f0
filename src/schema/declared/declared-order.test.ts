import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int32, list, map, string, struct } from '../build.ts';
import { inDeclaredOrder } from './declared-order.ts';

const Port = struct('test/v1.Port', () => ({ name: string(1), port: int32(2) }));
const Thing = struct('test/v1.Thing', () => ({ name: string(1), ports: list(2, Port), labels: map(3, 'string') }));

test('a value in an error message has struct fields in declared order and map keys sorted', () => {
  const value = { labels: { b: '2', a: '1' }, other: true, ports: [{ port: 1, name: 'x' }], name: 'y' };
  assert.equal(
    JSON.stringify(inDeclaredOrder(value, Thing)),
    '{"name":"y","ports":[{"name":"x","port":1}],"labels":{"a":"1","b":"2"},"other":true}',
  );
});
