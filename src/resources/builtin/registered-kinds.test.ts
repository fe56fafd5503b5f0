import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registeredPackage } from './registered-kinds.ts';

const packageOf = (group: string, apiVersion: string, kind: string) =>
  registeredPackage(group, { kind, apiVersion }, 34);

test('kinds of built-in groups are registered in their versions, including removed ones', () => {
  assert.equal(packageOf('', 'apps/v1', 'Deployment'), 'v1');
  assert.equal(packageOf('', 'extensions/v1beta1', 'Deployment'), 'v1beta1');
  assert.equal(packageOf('apps', 'v1', 'Pod'), 'v1');
  assert.equal(packageOf('', 'apps/v1', 'Pod'), undefined);
  assert.equal(packageOf('', 'example.com/v1', 'Pod'), undefined);
});

test('Status and the lists of discovery are registered in any version', () => {
  for (const kind of ['Status', 'APIGroup', 'APIResourceList']) {
    assert.equal(packageOf('', 'example.com/v7', kind), 'v1');
    assert.equal(packageOf('apiextensions.k8s.io', 'apps/v1', kind), 'v1');
  }
});

test('options and WatchEvent are registered in every registered version', () => {
  assert.equal(packageOf('', 'batch/v1beta1', 'ListOptions'), 'v1');
  assert.equal(packageOf('', 'imagepolicy.k8s.io/v1alpha1', 'WatchEvent'), 'v1');
  assert.equal(packageOf('', 'meta.k8s.io/v1', 'ListOptions'), undefined);
  assert.equal(packageOf('', 'batch/v2alpha1', 'ListOptions'), undefined);
});

test('the groups of CustomResourceDefinitions and APIServices have schemes of their own', () => {
  for (const group of ['apiextensions.k8s.io', 'apiregistration.k8s.io']) {
    assert.equal(packageOf(group, 'v1', 'Pod'), undefined);
    assert.equal(packageOf(group, 'v1', 'DeleteOptions'), 'v1');
    assert.equal(packageOf(group, 'apps/v1', 'DeleteOptions'), undefined);
    assert.equal(packageOf(group, `${group}/v1beta1`, 'PatchOptions'), 'v1');
    assert.equal(packageOf('', `${group}/v1`, 'ListOptions'), undefined);
  }
  assert.equal(packageOf('apiextensions.k8s.io', 'apps/v1', 'WatchEvent'), 'v1');
  assert.equal(packageOf('apiregistration.k8s.io', 'apps/v1', 'WatchEvent'), undefined);
  const list = 'CustomResourceDefinitionList';
  assert.equal(packageOf('apiextensions.k8s.io', 'apiextensions.k8s.io/v1beta1', list), 'v1beta1');
  assert.equal(packageOf('', 'apiextensions.k8s.io/v1', list), undefined);
});
