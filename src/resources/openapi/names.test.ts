import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customTypeName, groupOperationId, operationId, tagOf } from './names.ts';

test('groups lose k8s.io and stand in camel case', () => {
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
  assert.equal(operationId('read', rbac, 'NamespacedRole'), 'readRbacAuthorizationV1NamespacedRole');
  assert.equal(operationId('list', { group: '', version: 'v1' }, 'Node'), 'listCoreV1Node');
  assert.equal(
    operationId('read', { group: '3d.my-shop.example.com', version: 'v1' }, 'Thing'),
    'readDMyShopExampleComV1Thing',
  );
  assert.equal(groupOperationId('get', 'apps', 'APIGroup'), 'getAppsAPIGroup');
});

test('tags begin in lower case', () => {
  assert.equal(tagOf('rbac.authorization.k8s.io', 'v1'), 'rbacAuthorization_v1');
  assert.equal(tagOf(''), 'core');
});

test('custom types have their group the other way round', () => {
  assert.equal(customTypeName({ group: 'shop.example.com', version: 'v1', kind: 'Item' }), 'com.example.shop.v1.Item');
});
