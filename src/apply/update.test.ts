import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SharedWidget } from './widget.ts';

describe('ownership of updates', () => {
  test('a creator owns all, with the maps and lists themselves', () => {
    const shared = new SharedWidget({ metadata: { name: 'w' }, spec: { free: { a: '1' }, tags: ['x'] } });
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), {
      'f:spec': { '.': {}, 'f:free': { '.': {}, 'f:a': {} }, 'f:tags': { '.': {}, 'v:"x"': {} } },
    });
  });

  test('an updater owns what it changes and nobody else does', () => {
    const shared = new SharedWidget({ spec: { replicas: 1, free: { a: '1' } } });
    shared.update('editor', { spec: { replicas: 2, free: { a: '1', b: '1' } } });
    assert.deepEqual(shared.fieldsOf('editor', 'Update'), { 'f:spec': { 'f:free': { 'f:b': {} }, 'f:replicas': {} } });
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), {
      'f:spec': { '.': {}, 'f:free': { '.': {}, 'f:a': {} } },
    });
  });

  test('who only removes leaves no trace; what is gone belongs to nobody', () => {
    const shared = new SharedWidget({ spec: { replicas: 1, paused: true } });
    shared.update('remover', { spec: { paused: true } });
    assert.equal(shared.fieldsOf('remover', 'Update'), undefined);
    assert.deepEqual(shared.fieldsOf('creator', 'Update'), { 'f:spec': { '.': {}, 'f:paused': {} } });
  });

  test('an update that changes nothing leaves all entries and times', () => {
    const shared = new SharedWidget({ spec: { replicas: 1 } });
    const before = shared.managers;
    shared.update('editor', { spec: { replicas: 1 } });
    assert.deepEqual(shared.managers, before);
  });

  test('one updater has one entry, which grows', () => {
    const shared = new SharedWidget({ spec: { replicas: 1 } });
    shared.update('editor', { spec: { replicas: 1, paused: true } });
    shared.update('editor', { spec: { replicas: 2, paused: true } });
    assert.equal(shared.managers.filter(({ name }) => name === 'editor').length, 1);
    assert.deepEqual(shared.fieldsOf('editor', 'Update'), { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } });
  });
});
