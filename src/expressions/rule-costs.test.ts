// Tests of the estimated costs of rules against kube-apiserver v1.34.4: measured there through its messages about rules
// that cost too much.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { SchemaPart } from '../schema/structural/schema-part.ts';
import { DeclaredTypes } from './declared-type.ts';
import { STORED_EXPRESSIONS } from './environments.ts';
import { RuleCompiler } from './rule.ts';

const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength });

const bounded = new SchemaPart({
  type: 'object',
  properties: {
    a: { type: 'integer' },
    b: { type: 'integer' },
    n: { type: 'number' },
    bo: { type: 'boolean' },
    s: text(20),
    t: text(100),
    e: { type: 'string', enum: ['a', 'bbb', 'cc'] },
    by: { ...text(20), format: 'byte' },
    d: { type: 'string', format: 'date-time' },
    du: { type: 'string', format: 'duration' },
    x: { 'x-kubernetes-int-or-string': true },
    l: { type: 'array', maxItems: 10, items: { type: 'integer' } },
    ls: { type: 'array', maxItems: 10, items: text(20) },
    m: { type: 'object', maxProperties: 10, additionalProperties: text(20) },
    mm: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
    lo: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', required: ['n'], properties: { n: text(20), v: { type: 'integer' } } },
    },
  },
});

/** By rule; beyond four digits with a thousandth, as measured by a factor. */
const boundedCosts: readonly (readonly [rule: string, cost: string])[] = [
  ['true', '0'],
  ['self.bo', '2'],
  ['!self.bo', '3'],
  ['self.a == self.b', '4'],
  ['self.a <= self.b', '5'],
  ['self.a + self.b > 0', '6'],
  ['self.n > 1.5', '3'],
  ['has(self.a)', '1'],
  ['has(self.lo) && size(self.lo) > 0', '5'],
  ['self.a > 0 || self.b > 0', '6'],
  ['self.a > 0 ? self.b > 0 : true', '6'],
  ['self.a in [1, 2, 3]', '15'],
  ['self.s in ["a", "b"]', '14'],
  ['self.s == "abc"', '3'],
  ['self.s == self.t', '12'],
  ['self.s != self.t', '12'],
  ['self.s < self.t', '12'],
  ['self.e == "a"', '3'],
  ['size(self.s) > 3', '4'],
  ['self.s.size() > 3', '4'],
  ['self.s.startsWith("abc")', '3'],
  ['self.t.startsWith(self.s)', '12'],
  ['self.s.endsWith("abc")', '3'],
  ['self.s.contains("abc")', '10'],
  ['self.t.contains(self.s)', '323.903'],
  ['self.s.matches("^[a-z]+$")', '20'],
  ['self.t.matches("^[a-z]+$")', '84'],
  ['self.s + self.t == "x"', '53'],
  ['self.s.lowerAscii() == "x"', '11'],
  ['self.s.trim() == "x"', '11'],
  ['self.s.replace("a", "b") == "x"', '19'],
  ['self.s.split(",").size() > 1', '20'],
  ['self.ls.join(",") == ""', '83'],
  ['self.s.substring(1) == "x"', '11'],
  ['self.s.indexOf("a") > 0', '11'],
  ['self.s.find("a+") == "a"', '12'],
  ['self.s.findAll("a+").size() > 0', '13'],
  ['self.s.charAt(0) == "a"', '4'],
  ['self.l == self.l', '5'],
  ['self.l == [1, 2]', '13'],
  ['self.ls == self.ls', '5'],
  ['self.m == self.m', '5'],
  ['self.lo == self.lo', '5'],
  ['self.l.size() > 1', '4'],
  ['1 in self.l', '12'],
  ['"x" in self.ls', '12'],
  ['"k" in self.m', '3'],
  ['self.l[0] > 1', '4'],
  ['self.m["k"] == "a"', '4'],
  ['self.m.k == "a"', '4'],
  ['self.l.all(x, x > 0)', '53'],
  ['self.l.exists(x, x > 0)', '63'],
  ['self.l.exists_one(x, x > 0)', '44'],
  ['self.ls.all(x, x == "a")', '53'],
  ['self.ls.all(x, x.startsWith("a"))', '53'],
  ['self.l.map(x, x * 2).size() > 0', '155'],
  ['self.l.filter(x, x > 2).size() > 0', '165'],
  ['self.l.map(x, x > 1, x * 2).size() > 0', '175'],
  ['self.m.all(k, k != "x")', '43'],
  ['self.m.all(k, self.m[k] != "x")', '83'],
  ['self.lo.all(x, x.v > 0)', '63'],
  ['self.lo.all(x, self.lo.exists(y, y.n == x.n))', '1663.25'],
  ['self.l.all(i, v, v > i)', '63'],
  ['self.l.exists(i, v, v > i)', '73'],
  ['self.l.existsOne(i, v, v > i)', '54'],
  ['self.l.transformList(i, v, v + i).size() > 0', '165'],
  ['self.m.transformMap(k, v, v).size() > 0', '75'],
  ['self.l.isSorted()', '12'],
  ['self.ls.isSorted()', '92'],
  ['self.l.sum() > 0', '13'],
  ['self.l.min() > 0', '13'],
  ['self.ls.max() > "a"', '93'],
  ['self.l.indexOf(1) > 0', '13'],
  ['self.ls.indexOf("a") > 0', '93'],
  ['sets.contains(self.l, [1, 2])', '33'],
  ['sets.equivalent(self.l, self.l)', '205'],
  ['sets.intersects(self.ls, self.ls)', '105'],
  ['isURL(self.t)', '3'],
  ['url(self.t).getHost() == "a"', '44'],
  ['isIP(self.s)', '10'],
  ['ip(self.s).family() == 4', '12'],
  ['ip(self.s) == ip("1.2.3.4")', '12'],
  ['isCIDR(self.s)', '10'],
  ['cidr("10.0.0.0/8").containsIP(self.s)', '15'],
  ['cidr("10.0.0.0/8").containsCIDR(self.s)', '18'],
  ['quantity(self.s).isGreaterThan(quantity("1"))', '12'],
  ['quantity(self.s) == quantity("1")', '12'],
  ['isQuantity(self.s)', '10'],
  ['semver(self.s).major() > 1', '12'],
  ['isSemver(self.s)', '10'],
  ['format.dns1123Label().validate(self.s).hasValue()', '260'],
  ['format.named("uuid").hasValue()', '2'],
  ['self.d > timestamp("2024-01-01T00:00:00Z")', '4'],
  ['timestamp("2024-01-01T00:00:00Z") < self.d', '4'],
  ['self.d.getHours() > 1', '4'],
  ['self.du > duration("1s")', '4'],
  ['string(self.a) == "1"', '4'],
  ['int(self.s) == 1', '4'],
  ['self.by == b"a"', '3'],
  ['size(self.by) > 1', '4'],
  ['string(self.by) == "a"', '5'],
  ['type(self.x) == int', '4'],
  ['self.x == 5', '3'],
  ['type(self.x) == int ? self.x > 1 : self.x.startsWith("a")', '7'],
  ['self.?a.orValue(1) > 0', '4'],
  ['self.m[?"k"].orValue("") == "a"', '5'],
  ['self.?s.hasValue()', '3'],
  ['self.?s.optMap(v, v == "a").orValue(true)', '20'],
  ['self.l + self.l == self.l', '8'],
  ['size(self.l + self.l) > 0', '7'],
  ['[self.a, self.b].exists(x, x > 0)', '27'],
  ['{"a": self.a}.a > 0', '34'],
  ['[1, 2, 3].all(x, x > self.a)', '32'],
  ['dyn(self.a) == 1', '3'],
  ['self == self', '2'],
  ['self.mm.all(k, self.mm[k] > 0)', '43'],
  ['self.mm == self.mm', '5'],
  ['self.lo.map(x, x.n).all(n, n != "")', '194'],
  ['self.lo[0].n == "a"', '5'],
  ['self.lo.all(x, has(x.v) && x.v > 0)', '73'],
  ['self.a == 1 && self.s == "a" && self.l.all(x, x > 0)', '58'],
  ['"a" + "b" == "ab"', '2'],
  ['bytes(self.s).size() > 1', '12'],
  ['self.a * 2 + 1 > self.b - 3', '8'],
  ['-self.a > 0', '4'],
  ['self.s.upperAscii().contains("A")', '18'],
  ['self.t.size() == self.s.size()', '7'],
  ['self.m.size() > 1', '4'],
  ['self.m.exists(k, v, k == v)', '63'],
  ['[[self.a]].size() > 0', '24'],
  ['self.a == 1 ? self.s == "a" : self.t == "b"', '5'],
];

const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const map = (additionalProperties: JsonObject): JsonObject => ({ type: 'object', additionalProperties });
const string: JsonObject = { type: 'string' };

const unbounded = new SchemaPart({
  type: 'object',
  properties: {
    li: list({ type: 'integer' }),
    ls: list(string),
    lb: list({ type: 'boolean' }),
    lo: list({ type: 'object', properties: { name: string } }),
    ld: list({ type: 'string', format: 'date-time' }),
    ldu: list({ type: 'string', format: 'duration' }),
    lda: list({ type: 'string', format: 'date' }),
    le: list({ type: 'string', enum: ['a', 'bbb', 'cc'] }),
    lml: list({ type: 'string', minLength: 5 }),
    ll: list(list({ type: 'integer' })),
    lx: list({ 'x-kubernetes-int-or-string': true }),
    ms: map(string),
    mi: map({ type: 'integer' }),
    s: string,
    u: { type: 'string', format: 'uuid' },
    e: { type: 'string', enum: ['a', 'bbb', 'cc'] },
    sp: { type: 'string', pattern: '^[a-z]+$' },
    by: { type: 'string', format: 'byte' },
    x: { 'x-kubernetes-int-or-string': true },
  },
});

/** By rule; as exact as the messages are. */
const unboundedCosts: readonly (readonly [rule: string, cost: string])[] = [
  ['self.li.all(x, true)', '4720000'],
  ['self.ls.all(x, true)', '3146667'],
  ['self.lb.all(x, true)', '1887776'],
  ['self.lo.all(x, true)', '3146667'],
  ['self.ld.all(x, true)', '428906.6'],
  ['self.ldu.all(x, true)', '2358396'],
  ['self.lda.all(x, true)', '726227.0'],
  ['self.le.all(x, true)', '3146667'],
  ['self.lml.all(x, true)', '3146667'],
  ['self.ll.all(x, true)', '3146667'],
  ['self.lx.all(x, true)', '4720000'],
  ['self.ms.all(x, true)', '1179775'],
  ['self.mi.all(x, true)', '1347639'],
  ['self.s.trim() == ""', '314728.1'],
  ['self.u.trim() == ""', '314728.1'],
  ['self.e.trim() == ""', '2.998632'],
  ['self.sp.trim() == ""', '314728.1'],
  ['string(self.by) == ""', '314728.1'],
  ['self.s == "abc"', '2.998632'],
  ['self.s.contains("a")', '314728.1'],
  ['self.s.contains(self.s)', '>1e9'],
  ['self.s.matches("a")', '314728.1'],
  ['self.x == "a"', '2.998632'],
  ['self.ll.all(x, x.all(y, y > 0))', '>1e9'],
  ['self.ls.all(x, x.startsWith("a"))', '5244444'],
  ['self.ls.all(x, x.contains("a"))', '>1e9'],
  ['self.ms.all(k, k.startsWith("a"))', '1966805'],
  ['self.ms.all(k, self.ms[k] == "a")', '3146667'],
  ['self.li.exists_one(x, x == 1)', '4720000'],
  ['self.li.map(x, x).size() > 0', '2.045652e+7'],
  ['self.li.sum() > 0', '1573090'],
  ['"a" in self.ls', '1048835'],
  ['self.ls.isSorted()', '>1e9'],
  ['sets.contains(self.ls, ["a"])', '1048835'],
  ['self.s.startsWith(self.s)', '314728.1'],
  ['self.s + self.s == ""', '629304.5'],
];

function costOf(rule: string, part: SchemaPart): number {
  const compiled = new RuleCompiler(new DeclaredTypes(part, false), STORED_EXPRESSIONS).compile({ rule }, part);
  assert.equal(compiled.fault, undefined, rule);
  return compiled.maxCost;
}

function assertCost(rule: string, part: SchemaPart, expected: string): void {
  const cost = costOf(rule, part);
  if (expected.startsWith('>')) assert.ok(cost > Number(expected.slice(1)), `${rule}: ${cost}`);
  else {
    const measured = Number(expected);
    const isExact = Number.isInteger(measured) && measured < 1000;
    assert.ok(
      isExact ? cost === measured : Math.abs(cost - measured) <= Math.max(1, measured * 1e-3),
      `${rule}: ${cost}, not ${expected}`,
    );
  }
}

for (const [rule, cost] of boundedCosts)
  test(`the validation rule ${rule} costs ${cost}`, () => assertCost(rule, bounded, cost));
for (const [rule, cost] of unboundedCosts) {
  test(`the validation rule ${rule} costs ${cost} without limits`, () => assertCost(rule, unbounded, cost));
}
