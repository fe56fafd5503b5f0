import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPEC } from '../../test/widget.ts';
import { underSchema, withNamedFields } from './schema-change.ts';

describe('managed fields after a change of the schema', () => {
  test('a manager that owned parts of a field owns the whole field once it is atomic', () => {
    const before = {
      'f:block': { 'f:a': {} },
      'f:steps': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } },
      'f:whole': { '.': {}, 'f:a': {} },
      'f:free': { 'f:a': {} },
    };
    assert.deepEqual(underSchema(SPEC, before), {
      'f:block': {},
      'f:steps': {},
      'f:whole': {},
      'f:free': { 'f:a': {} },
    });
  });

  test('a field that was atomic, and one that the schema does not know, keeps its owner as it is', () => {
    const before = { 'f:items': {}, 'f:gone': { 'f:x': {} }, 'f:deep': { 'f:a': { '.': {}, 'f:b': {} } } };
    assert.equal(underSchema(SPEC, before), before);
  });

  test('declared fields are owned together with their members, but members of maps and items are not', () => {
    const set = {
      'f:free': { 'f:a': {} },
      'f:items': { 'k:{"name":"a"}': { 'f:tags': { 'v:"x"': {} } } },
      'f:deep': { 'f:a': { 'f:b': {} } },
    };
    assert.deepEqual(withNamedFields(SPEC, set), {
      'f:free': { '.': {}, 'f:a': {} },
      'f:items': { '.': {}, 'k:{"name":"a"}': { 'f:tags': { '.': {}, 'v:"x"': {} } } },
      'f:deep': { '.': {}, 'f:a': { 'f:b': {} } },
    });
  });
});
