import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fateOf } from './legacy-token-fate.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

interface Token {
  readonly created?: string;
  readonly used?: string;
  readonly invalid?: string;
}

function fate({ created = '2020-01-01T00:00:00Z', used, invalid }: Token): string {
  const labels = {
    ...(used === undefined ? {} : { 'kubernetes.io/legacy-token-last-used': used }),
    ...(invalid === undefined ? {} : { 'kubernetes.io/legacy-token-invalid-since': invalid }),
  };
  const metadata = { name: 't', creationTimestamp: created, labels };
  return fateOf({ metadata, type: 'kubernetes.io/service-account-token' }, NOW);
}

test('a legacy token that was not used for a year is marked as invalid', () => {
  assert.equal(fate({}), 'marked');
  assert.equal(fate({ used: '2025-05-31' }), 'marked');
  assert.equal(fate({ used: '2025-06-01' }), 'kept');
});

test('a legacy token that has been invalid for a year is deleted', () => {
  assert.equal(fate({ invalid: '2025-05-31' }), 'deleted');
  assert.equal(fate({ invalid: '2025-06-01' }), 'kept');
});

test('a legacy token that is younger than a year, or whose last use is unreadable, is kept', () => {
  assert.equal(fate({ created: '2025-06-02T00:00:00Z' }), 'kept');
  assert.equal(fate({ used: 'yesterday' }), 'kept');
});
