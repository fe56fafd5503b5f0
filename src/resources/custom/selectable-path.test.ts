import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectableFault, selectablePath } from './selectable-path.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, parts: { type: 'array' } },
    },
    extra: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

test('the path of a selectable field names members one after the other', () => {
  assert.deepEqual(selectablePath('.spec.size'), ['spec', 'size']);
  assert.equal(selectableFault('.spec.size', SCHEMA), undefined);
  assert.equal(selectableFault('.extra.any', SCHEMA), undefined);
});

const invalid = (why: string) => `is an invalid path: ${why}`;

for (const [path, fault] of [
  ['spec.size', invalid('expected [ or . but got: spec')],
  ['::1', invalid('expected [ or . but got: ::1')],
  ['../up', invalid('does not refer to a valid field')],
  ['.spec.none', invalid('does not refer to a valid field')],
  ['.spec.size.more', invalid('does not refer to a valid field')],
  ['.spec.', invalid('unexpected end of JSON path')],
  [".spec['size']", invalid('array notation is not allowed')],
  ['.spec[0]', invalid('array notation is not allowed')],
  ['.metadata.name', 'must not point to fields in metadata'],
  [
    '.spec.parts',
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
  ],
] as const) {
  test(`the path ${path} of a selectable field is rejected: ${fault}`, () =>
    assert.equal(selectableFault(path, SCHEMA), fault));
}
