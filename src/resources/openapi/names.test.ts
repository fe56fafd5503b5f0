import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customTypeName, groupOperationId, operationId, tagOf } from './names.ts';

test('the operation name of a group is in camel case without k8s.io', () => {
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
  assert.equal(operationId('read', rbac, 'NamespacedRole'), 'readRbacAuthorizationV1NamespacedRole');
  assert.equal(operationId('list', { group: '', version: 'v1' }, 'Node'), 'listCoreV1Node');
  assert.equal(
    operationId('read', { group: '3d.my-shop.example.com', version: 'v1' }, 'Thing'),
    'readDMyShopExampleComV1Thing',
  );
  assert.equal(groupOperationId('get', 'apps', 'APIGroup'), 'getAppsAPIGroup');
});

test('the tag of a group version begins in lower case', () => {
  assert.equal(tagOf('rbac.authorization.k8s.io', 'v1'), 'rbacAuthorization_v1');
  assert.equal(tagOf(''), 'core');
});

test('the type name of a custom resource has its group in reverse order', () => {
  assert.equal(customTypeName({ group: 'shop.example.com', version: 'v1', kind: 'Item' }), 'com.example.shop.v1.Item');
});
