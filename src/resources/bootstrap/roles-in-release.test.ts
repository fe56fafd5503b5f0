import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clusterRolesIn, controllersOf, namespacedRolesIn } from './roles-in-release.ts';
import { rulesInForce } from './rules.ts';

const TABLE = join(import.meta.dirname, '../../../scripts/kubernetes/table');

describe('the default roles of a release', () => {
  it('are those that Kubernetes lists with the default feature gates', () => {
    for (const minor of [29, 31, 33, 35, 36, 37]) {
      const listed = JSON.parse(readFileSync(join(TABLE, `roles-1.${minor}.json`), 'utf8')) as Record<string, unknown>;
      const ungated = clusterRolesIn(minor).filter(({ gates = [], aggregated }) => gates.length === 0 && !aggregated);
      const names = Object.keys(listed).filter((place) => place.startsWith('/'));
      assert.deepEqual(
        ungated.map(({ name }) => `/${name}`).filter((place) => !names.includes(place)),
        [],
      );
      for (const { name, rules } of ungated) {
        // A rule behind a gate is there if Kubernetes lists it, because the gate is on by default.
        const texts = rulesInForce(rules, () => true).map((rule) => JSON.stringify(sorted(rule)));
        const expected = (listed[`/${name}`] as object[]).map((rule) => JSON.stringify(sorted(rule)));
        for (const rule of expected) assert.ok(texts.includes(rule), `${name} in 1.${minor} lacks ${rule}`);
      }
      for (const { namespace, name, rules } of namespacedRolesIn(minor)) {
        assert.equal(rules.length, (listed[`${namespace}/${name}`] as object[]).length, `${namespace}/${name}`);
      }
    }
  });

  it('default roles are bound to the account of elected leaders from 1.31 on', () => {
    const accounts = (minor: number) =>
      namespacedRolesIn(minor)
        .find(({ name }) => name === 'system::leader-locking-kube-controller-manager')
        ?.subjects.map(({ name }) => name);
    assert.deepEqual(accounts(30), ['system:kube-controller-manager', 'kube-controller-manager']);
    assert.ok(accounts(31)?.includes('leader-election-controller'));
  });

  it('lack the roles of controllers that a later release added', () => {
    assert.ok(controllersOf(clusterRolesIn(34)).includes('resource-claim-controller'));
    assert.ok(!controllersOf(clusterRolesIn(33)).includes('resource-claim-controller'));
    assert.ok(!controllersOf(clusterRolesIn(24)).includes('service-cidrs-controller'));
  });
});

function sorted(rule: object): object {
  return Object.fromEntries(Object.entries(rule).sort(([one], [other]) => (one < other ? -1 : 1)));
}
