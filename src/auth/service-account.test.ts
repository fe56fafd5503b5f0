import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { splitServiceAccount } from './service-account.ts';

suite('usernames of service accounts', () => {
  test('a username of a service account has a namespace and a name', () => {
    const expected = { namespace: 'kube-system', name: 'a.b-c' };
    assert.deepEqual(splitServiceAccount('system:serviceaccount:kube-system:a.b-c'), expected);
  });

  for (const [why, rest] of [
    ['without a name', 'default:'],
    ['without a namespace', ':default'],
    ['with more parts', 'default:a:b'],
    ['with an impossible namespace', 'Default:a'],
    ['with an impossible name', 'default:A'],
    ['with a name that is too long', `default:${'a'.repeat(254)}`],
    ['with a namespace that is too long', `${'a'.repeat(64)}:a`],
  ] as const) {
    test(`a username ${why} is not that of a service account`, () => {
      assert.equal(splitServiceAccount(`system:serviceaccount:${rest}`), undefined);
    });
  }

  test('other usernames are not those of service accounts', () => {
    assert.equal(splitServiceAccount('system:serviceaccounts:default:a'), undefined);
    assert.equal(splitServiceAccount('jane'), undefined);
  });
});
