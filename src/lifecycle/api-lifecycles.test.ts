import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiLifecycle, deprecationWarning } from './api-lifecycles.ts';

test('a deprecated kind causes a warning from the release on that deprecates it', () => {
  assert.equal(
    deprecationWarning('v1', 'Endpoints', '1.34'),
    'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  );
  assert.equal(deprecationWarning('v1', 'Endpoints', '1.32'), undefined);
  assert.equal(deprecationWarning('v1', 'ComponentStatus', '1.34'), 'v1 ComponentStatus is deprecated in v1.19+');
  assert.equal(
    deprecationWarning('storage.k8s.io/v1beta1', 'VolumeAttributesClass', '1.34'),
    'storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; ' +
      'use storage.k8s.io/v1 VolumeAttributesClass',
  );
});

test('a kind that is not deprecated causes no warning', () => {
  assert.equal(apiLifecycle('apps/v1', 'Deployment'), undefined);
  assert.equal(deprecationWarning('apps/v1', 'Deployment', '1.34'), undefined);
});
