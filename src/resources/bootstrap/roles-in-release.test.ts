import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { clusterRolesIn, controllersOf, namespacedRolesIn } from './roles-in-release.ts';
import type { DefaultRule } from './rules.ts';

const TABLE = join(import.meta.dirname, '../../../scripts/kubernetes/table');

describe('the default roles of a release', () => {
  it('the default roles of a release are those of its bootstrap policy, each rule with the gates that it needs', () => {
    for (const minor of [29, 30, 31, 32, 33, 34, 35, 36, 37]) {
      const listed = JSON.parse(readFileSync(join(TABLE, `roles-1.${minor}.json`), 'utf8')) as Record<string, Listed[]>;
      const own = new Map<string, string[]>();
      for (const { name, rules, gates = [], aggregated } of clusterRolesIn(minor)) {
        if (aggregated !== true) own.set(`/${name}`, rules.map((rule) => ruleText(rule, gates)).sort());
      }
      for (const { namespace, name, rules } of namespacedRolesIn(minor)) {
        own.set(`${namespace}/${name}`, rules.map((rule) => ruleText(rule, [])).sort());
      }
      const expected = Object.entries(listed).map(([place, rules]) => [place, rules.map(listedText).sort()] as const);
      assert.deepEqual([...own.keys()].sort(), expected.map(([place]) => place).sort(), `1.${minor}`);
      for (const [place, rules] of expected) assert.deepEqual(own.get(place), rules, `${place} in 1.${minor}`);
    }
  });

  it('the default roles of a release follow alpha gates of the release', () => {
    const inForce = (minor: number, enabled: readonly string[]) =>
      clusterRolesIn(minor)
        .filter(({ gates = [] }) => gates.every((gate) => enabled.includes(gate)))
        .map(({ name }) => name);
    assert.ok(!inForce(30, []).includes('system:controller:resource-claim-controller'));
    assert.ok(inForce(30, ['DynamicResourceAllocation']).includes('system:controller:resource-claim-controller'));
  });

  it('default roles are bound to the account of elected leaders from 1.31 on', () => {
    const accounts = (minor: number) =>
      namespacedRolesIn(minor)
        .find(({ name }) => name === 'system::leader-locking-kube-controller-manager')
        ?.subjects.map(({ name }) => name);
    assert.deepEqual(accounts(30), ['system:kube-controller-manager', 'kube-controller-manager']);
    assert.ok(accounts(31)?.includes('leader-election-controller'));
  });

  it('the default roles of a release lack the roles of controllers that a later release added', () => {
    assert.ok(controllersOf(clusterRolesIn(34)).includes('podcertificaterequestcleaner'));
    assert.ok(!controllersOf(clusterRolesIn(33)).includes('podcertificaterequestcleaner'));
  });
});

interface Listed extends JsonObject {
  readonly gates?: string[];
}

function listedText({ gates = [], ...rule }: Listed): string {
  return text(rule, gates);
}

/** @param common the gates without which the role does not exist */
function ruleText(rule: DefaultRule, common: readonly string[]): string {
  const isGated = 'gates' in rule && 'rule' in rule;
  return text(isGated ? (rule.rule as JsonObject) : (rule as JsonObject), [
    ...common,
    ...(isGated ? (rule.gates as string[]) : []),
  ]);
}

function text(rule: JsonObject, gates: readonly string[]): string {
  const members = Object.entries({ ...rule, gates: [...new Set(gates)].sort() });
  return JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
