import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeFault } from './unregistered-kind.ts';

test('an object in a body must be of the expected type', () => {
  const expected = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1' };
  assert.equal(typeFault(expected, expected), undefined);
  assert.equal(
    typeFault({ ...expected, apiVersion: 'authentication.k8s.io/v1beta1' }, expected),
    'converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion',
  );
  assert.equal(
    typeFault({ kind: 'Pod', apiVersion: 'v1' }, expected),
    'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  );
});
