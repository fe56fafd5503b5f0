import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { underSchema, withNamedFields } from './schema-change.ts';
import { SPEC } from './widget.ts';

describe('sets against a schema', () => {
  test('who owned parts of what is a whole now owns the whole', () => {
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

  test('what was a whole stays as it is, and so does what the schema does not know', () => {
    const before = { 'f:items': {}, 'f:gone': { 'f:x': {} }, 'f:deep': { 'f:a': { '.': {}, 'f:b': {} } } };
    assert.equal(underSchema(SPEC, before), before);
  });

  test('declared members are named along with what is in them, members of maps and items are not', () => {
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
