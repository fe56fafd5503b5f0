import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../../api/object.ts';
import { limits } from '../../../../base/limits.ts';
import { KnownPodSpecs } from './known-specs.ts';

const TOKEN = 'kube-api-access-bcdfg';
const OTHER_TOKEN = 'kube-api-access-99999';

function spec(token: string, more: JsonObject = {}): JsonObject {
  const volumeMounts = [{ name: token, mountPath: '/tokens' }];
  return { containers: [{ name: 'web', image: 'web:1', volumeMounts }], volumes: [{ name: token }], ...more };
}

function isKnown(one: JsonObject, other: JsonObject): boolean {
  const specs = new KnownPodSpecs();
  const known = specs.of(one);
  return known !== undefined && specs.of(other) === known;
}

describe('specs of pods that need no second validation', () => {
  const first = spec(TOKEN, { nodeName: 'a' });
  const same: [what: string, other: JsonObject][] = [
    ['the same spec', first],
    ['an equal spec', spec(TOKEN, { nodeName: 'a' })],
    ['a spec with another token volume', spec(OTHER_TOKEN, { nodeName: 'a' })],
  ];
  for (const [what, other] of same) it(`include ${what}`, () => assert.equal(isKnown(first, other), true));

  const others: [what: string, other: JsonObject][] = [
    ['a spec with another value', spec(TOKEN, { nodeName: 'b' })],
    ['a spec with a field less', spec(TOKEN)],
    ['a spec with a field more', spec(TOKEN, { nodeName: 'a', hostname: 'b' })],
    ['a spec with another field', spec(TOKEN, { hostname: 'a' })],
    ['a spec whose token volume has a name of another form', spec('kube-api-access-a', { nodeName: 'a' })],
    [
      'a spec that mounts another token volume than it has',
      { ...spec(OTHER_TOKEN, { nodeName: 'a' }), volumes: [{ name: TOKEN }] },
    ],
    ['a spec with a map instead of a list', spec(TOKEN, { nodeName: 'a', containers: {} })],
  ];
  for (const [what, other] of others) {
    it(`specs of pods that need no second validation do not include ${what}`, () => {
      assert.equal(isKnown(first, other), false);
      assert.equal(isKnown(other, first), false);
    });
  }

  it('specs of pods that need no second validation do not include one in which two volume names become the same', () => {
    const two = spec(TOKEN, { volumes: [{ name: TOKEN }, { name: OTHER_TOKEN }] });
    const one = spec(OTHER_TOKEN, { volumes: [{ name: OTHER_TOKEN }, { name: OTHER_TOKEN }] });
    assert.equal(isKnown(two, one), false);
    assert.equal(isKnown(one, two), false);
  });

  it('specs of pods that need no second validation do not include one with undefined members', () => {
    assert.equal(isKnown({ nodeName: undefined }, { hostname: 'a' }), false);
    assert.equal(isKnown({ hostname: 'a' }, { nodeName: undefined }), false);
  });

  it('specs of pods that need no second validation do not include one whose validation depends on the name of the pod', () => {
    const specs = new KnownPodSpecs();
    assert.equal(specs.of({ resourceClaims: [{ name: 'a' }] }), undefined);
    assert.equal(specs.of({ volumes: [{ name: 'a', ephemeral: {} }] }), undefined);
  });

  it('specs of pods that need no second validation are limited in number, and the least recently used goes first', () => {
    const specs = new KnownPodSpecs();
    const numbered = (number: number) => specs.of({ nodeName: String(number) });
    const known = Array.from({ length: limits.knownPodSpecs }, (_, index) => numbered(index));
    assert.equal(numbered(0), known[0]);
    numbered(limits.knownPodSpecs);
    assert.equal(numbered(0), known[0]);
    assert.notEqual(numbered(1), known[1]);
  });
});
