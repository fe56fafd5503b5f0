import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SharedWidget } from '../../test/widget.ts';

describe('the managed fields of updates', () => {
  test('a creator owns all fields, with their maps and lists', () => {
    const shared = new SharedWidget({ metadata: { name: 'w' }, spec: { free: { a: '1' }, tags: ['x'] } });
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), {
      'f:spec': { '.': {}, 'f:free': { '.': {}, 'f:a': {} }, 'f:tags': { '.': {}, 'v:"x"': {} } },
    });
  });

  test('an updater takes sole ownership of the fields that it changes', () => {
    const shared = new SharedWidget({ spec: { replicas: 1, free: { a: '1' } } });
    shared.update('editor', { spec: { replicas: 2, free: { a: '1', b: '1' } } });
    assert.deepEqual(shared.fieldsOf('editor', 'Update'), { 'f:spec': { 'f:free': { 'f:b': {} }, 'f:replicas': {} } });
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), {
      'f:spec': { '.': {}, 'f:free': { '.': {}, 'f:a': {} } },
    });
  });

  test('an update that only removes fields gets no entry, and the removed fields have no owner', () => {
    const shared = new SharedWidget({ spec: { replicas: 1, paused: true } });
    shared.update('remover', { spec: { paused: true } });
    assert.equal(shared.fieldsOf('remover', 'Update'), undefined);
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), { 'f:spec': { '.': {}, 'f:paused': {} } });
  });

  test('an update that changes nothing keeps all entries of managedFields and their times', () => {
    const shared = new SharedWidget({ spec: { replicas: 1 } });
    const before = shared.managers;
    shared.update('editor', { spec: { replicas: 1 } });
    assert.deepEqual(shared.managers, before);
  });

  test('several updates by one manager share one entry of managedFields', () => {
    const shared = new SharedWidget({ spec: { replicas: 1 } });
    shared.update('editor', { spec: { replicas: 1, paused: true } });
    shared.update('editor', { spec: { replicas: 2, paused: true } });
    assert.equal(shared.managers.filter(({ name }) => name === 'editor').length, 1);
    assert.deepEqual(shared.fieldsOf('editor', 'Update'), { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } });
  });
});
