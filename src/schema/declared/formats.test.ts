import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from './formats.ts';

const details = (format: string, text: string) => FORMATS[format]?.(text, 'f').map(({ detail }) => detail);

test('the length of a name is reported in bytes', () => {
  assert.deepEqual(details('k8s-short-name', 'a'.repeat(64)), ['must be no more than 63 bytes']);
  assert.deepEqual(details('k8s-long-name', 'a'.repeat(254)), ['must be no more than 253 bytes']);
});

test('a case-insensitive subdomain is reported with examples in both cases', () => {
  assert.deepEqual(details('k8s-long-name-caseless', 'GPU.example.com'), []);
  const [told = ''] = details('k8s-long-name-caseless', 'X_') ?? [];
  assert.match(told, /^an RFC 1123 subdomain must consist of alphanumeric characters.*'Example\.com'/);
});

test('a UUID has 36 lower-case characters', () => {
  assert.deepEqual(details('k8s-uuid', '123e4567-e89b-12d3-a456-426614174000'), []);
  assert.deepEqual(details('k8s-uuid', '123E4567-E89B-12D3-A456-426614174000'), [
    'must be a lowercase UUID in 8-4-4-4-12 format',
  ]);
});

test('each segment of the name of a resource pool is a subdomain', () => {
  assert.deepEqual(details('k8s-resource-pool-name', 'node-1/gpu'), []);
  assert.deepEqual(details('k8s-resource-pool-name', 'a//b'), ['segment 1: must not be empty']);
});

test('a fully qualified name has a domain and an identifier', () => {
  assert.deepEqual(details('k8s-resource-fully-qualified-name', 'example.com/memory'), []);
  assert.deepEqual(details('k8s-resource-fully-qualified-name', 'memory'), [
    'a fully qualified name must be a domain and a name separated by a slash',
  ]);
  assert.deepEqual(details('k8s-resource-fully-qualified-name', '/memory'), ['prefix must not be empty']);
});

test('an extended resource has a domain other than that of Kubernetes', () => {
  assert.deepEqual(details('k8s-extended-resource-name', 'example.com/gpu'), []);
  assert.deepEqual(details('k8s-extended-resource-name', 'kubernetes.io/gpu'), [
    'must not have "kubernetes.io/" domain',
  ]);
});
