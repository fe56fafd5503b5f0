import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { isProtected, reconciledBinding, reconciledRole } from './reconciled-roles.ts';

const role = (rules: JsonObject[], metadata: JsonObject = {}): ApiObject => ({
  metadata: { name: 'r', ...metadata },
  rules,
});
const pods = (...verbs: string[]) => ({ verbs, apiGroups: [''], resources: ['pods'] });

function rulesAfter(stored: JsonObject[], wanted: JsonObject[]): unknown {
  return reconciledRole(role(stored), role(wanted))?.['rules'];
}

suite('reconciliation of default roles', () => {
  test('a role that grants everything is not changed, whatever the form of its rules', () => {
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    for (const stored of [
      [pods('get', 'list')],
      [pods('list'), pods('get')],
      [all],
      [pods('get', 'list'), pods('watch')],
    ]) {
      assert.equal(rulesAfter(stored, [pods('get', 'list')]), undefined);
    }
  });

  test('permissions that a role lacks are added one by one, after those that it has', () => {
    const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['widgets'] };
    assert.deepEqual(rulesAfter([own, pods('get')], [pods('get', 'list', 'watch')]), [
      own,
      pods('get'),
      pods('list'),
      pods('watch'),
    ]);
  });

  test('a rule for one object or for a subresource does not grant the whole resource', () => {
    const named = { ...pods('get'), resourceNames: ['a'] };
    assert.deepEqual(rulesAfter([named], [pods('get')]), [named, pods('get')]);
    assert.equal(rulesAfter([pods('get')], [named]), undefined);
    const log = { ...pods('get'), resources: ['pods/log'] };
    assert.deepEqual(rulesAfter([log], [pods('get')]), [log, pods('get')]);
    assert.equal(rulesAfter([{ ...pods('get'), resources: ['*/log'] }], [log]), undefined);
  });

  test('a non-resource URL that ends with * grants the paths with that prefix', () => {
    const path = (nonResourceURLs: string[]) => ({ verbs: ['get'], nonResourceURLs });
    assert.equal(rulesAfter([path(['/api*'])], [path(['/api', '/apis'])]), undefined);
    assert.deepEqual(rulesAfter([path(['/api'])], [path(['/api', '/apis'])]), [path(['/api']), path(['/apis'])]);
  });

  test('labels and annotations that a role lacks are added, and others are kept', () => {
    const stored = role([], { labels: { a: 'mine' } });
    const wanted = role([], { labels: { a: 'theirs', b: 'theirs' }, annotations: { c: 'd' } });
    const { labels, annotations } = reconciledRole(stored, wanted)?.metadata ?? {};
    assert.deepEqual(labels, { a: 'mine', b: 'theirs' });
    assert.deepEqual(annotations, { c: 'd' });
  });

  test('selectors that an aggregated role lacks are added, and its rules are left to its controller', () => {
    const selector = (value: string) => ({ matchLabels: { to: value } });
    const aggregated = (...values: string[]) => ({
      ...role([]),
      aggregationRule: { clusterRoleSelectors: values.map(selector) },
    });
    const wanted = { ...aggregated('a'), rules: [pods('get')] };
    assert.equal(reconciledRole(aggregated('b', 'a'), wanted), undefined);
    const next = reconciledRole(aggregated('b'), wanted);
    assert.deepEqual(next?.['aggregationRule'], { clusterRoleSelectors: [selector('b'), selector('a')] });
    assert.deepEqual(next?.['rules'], []);
    assert.equal(reconciledRole(aggregated('a'), role([]))?.['aggregationRule'], undefined);
  });

  test('subjects that a binding lacks are added, and a binding to another role is created anew', () => {
    const binding = (name: string, ...users: string[]): ApiObject => ({
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: users.map((user) => ({ kind: 'User', name: user })),
    });
    assert.equal(reconciledBinding(binding('r', 'mine', 'theirs'), binding('r', 'theirs')), undefined);
    const change = reconciledBinding(binding('r', 'mine'), binding('r', 'theirs'));
    assert.deepEqual(change, { update: binding('r', 'mine', 'theirs') });
    assert.deepEqual(reconciledBinding(binding('other'), binding('r')), { recreate: true });
  });

  test('only the annotation autoupdate=false excludes a role', () => {
    const annotated = (value: string) =>
      role([], { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': value } });
    assert.deepEqual(
      ['false', 'true', 'no'].map((value) => isProtected(annotated(value))),
      [true, false, false],
    );
  });
});
