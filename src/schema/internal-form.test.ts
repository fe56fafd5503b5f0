import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedded, int32, list, map, pointer, scalar, string, struct } from './build.ts';
import { internalForm } from './internal-form.ts';

const Meta = struct('meta/v1.ObjectMeta', () => ({ name: string(1), labels: map(11, scalar('string')) }));
const Inner = struct('x/v1.Inner', () => ({ fsType: string(1), count: int32(2), limit: int32(3).pointer() }));
const Outer = struct('x/v1.Outer', () => ({
  metadata: embedded(1, Meta),
  apiGroup: string(2),
  one: embedded(3, Inner),
  maybe: pointer(4, Inner),
  all: list(5, Inner),
  byName: map(6, scalar('string')),
}));

test('the internal form of an object has every field under the name that it has in Go', () => {
  assert.equal(
    JSON.stringify(internalForm(Outer, { all: [{ count: 2 }], byName: { b: '1', a: '2' } })),
    '{"APIGroup":"","One":{"FSType":"","Count":0,"Limit":null},"Maybe":null,' +
      '"All":[{"FSType":"","Count":2,"Limit":null}],"ByName":{"a":"2","b":"1"}}',
  );
});

test('the internal form of an object holds the metadata of a template beside its fields, as in JSON', () => {
  const form = internalForm(Outer, { metadata: { labels: { b: '1', a: '2' } }, apiGroup: 'g' });
  assert.equal(JSON.stringify(form).slice(0, 45), '{"labels":{"a":"2","b":"1"},"APIGroup":"g","O');
});
