// Tests of the estimated costs of library functions: the greatest cost of one evaluation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Range } from '../cel/cost/range.ts';
import type { SizeEstimator } from '../cel/cost/size-estimator.ts';
import { Environment } from '../cel/environment.ts';
import { CIDRS } from '../cel/library/cidr.ts';
import { IPS } from '../cel/library/ip.ts';
import { KUBERNETES_LISTS } from '../cel/library/kubernetes-lists.ts';
import { OPTIONAL } from '../cel/library/optional.ts';
import { REGEX } from '../cel/library/regex.ts';
import { SEMVER } from '../cel/library/semver.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import { STRINGS } from '../cel/library/strings.ts';
import { URLS } from '../cel/library/urls.ts';
import { INT, listOf, STRING, structType, type Type, type TypeProvider } from '../cel/types/type.ts';
import { FORMATS } from './format.ts';
import { QUANTITIES } from './quantity.ts';

const SELF = structType('Self');
const FIELDS = new Map<string, Type<unknown>>([
  ['s', STRING],
  ['t', STRING],
  ['l', listOf(INT)],
  ['ls', listOf(STRING)],
]);
const types: TypeProvider = {
  struct: (name) => (name === SELF.name ? { type: SELF, fields: FIELDS } : undefined),
  constant: () => undefined,
};

/** A string of 20 characters may have 80 bytes; lists hold ten items. */
const SIZES: Readonly<Record<string, Range>> = {
  'self.s': { min: 0, max: 80 },
  'self.t': { min: 0, max: 400 },
  'self.l': { min: 0, max: 10 },
  'self.ls': { min: 0, max: 10 },
  'self.ls.@items': { min: 0, max: 80 },
};
const sizes: SizeEstimator = { size: (path) => SIZES[path?.join('.') ?? ''] };

const environment = new Environment({
  libraries: [
    standardLibrary(),
    OPTIONAL,
    STRINGS,
    REGEX,
    KUBERNETES_LISTS,
    URLS,
    IPS,
    CIDRS,
    SEMVER,
    QUANTITIES,
    FORMATS,
  ],
  variables: [{ name: 'self', type: SELF }],
  types,
  presenceTestCost: 0,
});

const COSTS: Readonly<Record<string, number>> = {
  'self.s.lowerAscii() == "x"': 11,
  'self.s.upperAscii().contains("A")': 18,
  'self.s.trim() == "x"': 11,
  'self.s.substring(1) == "x"': 11,
  'self.s.indexOf("a") > 0': 11,
  'self.s.charAt(0) == "a"': 4,
  'self.s.replace("a", "b") == "x"': 19,
  'self.s.split(",").size() > 1': 20,
  'self.ls.join(",") == ""': 83,
  'self.s.find("a+") == "a"': 12,
  'self.s.findAll("a+").size() > 0': 13,
  'self.l.isSorted()': 12,
  'self.ls.isSorted()': 92,
  'self.l.sum() > 0': 13,
  'self.l.min() > 0': 13,
  'self.ls.max() > "a"': 93,
  'self.l.indexOf(1) > 0': 13,
  'self.ls.indexOf("a") > 0': 93,
  'isURL(self.t)': 3,
  'url(self.t).getHost() == "a"': 44,
  'isIP(self.s)': 10,
  'ip(self.s).family() == 4': 12,
  'ip(self.s) == ip("1.2.3.4")': 12,
  'isCIDR(self.s)': 10,
  'cidr("10.0.0.0/8").containsIP(self.s)': 15,
  'cidr("10.0.0.0/8").containsCIDR(self.s)': 18,
  'quantity(self.s).isGreaterThan(quantity("1"))': 12,
  'quantity(self.s) == quantity("1")': 12,
  'isQuantity(self.s)': 10,
  'semver(self.s).major() > 1': 12,
  'isSemver(self.s)': 10,
  'format.dns1123Label().validate(self.s).hasValue()': 260,
  'format.named("uuid").hasValue()': 2,
};

describe('estimated costs of library functions', () => {
  for (const [rule, cost] of Object.entries(COSTS)) {
    it(`the estimated cost of ${rule} is that of Kubernetes`, () => {
      const { checked, issues } = environment.compile(rule);
      assert.ok(checked !== undefined, issues[0]?.message ?? '');
      assert.equal(environment.estimate(checked, sizes).max, cost);
    });
  }

  it('estimated costs of library functions are unlimited for the results of charAt and for quantities compared with !=', () => {
    for (const rule of ['quantity(self.s) != quantity("1")', 'self.s.charAt(0) == self.s.charAt(1)']) {
      const { checked } = environment.compile(rule);
      assert.ok(checked !== undefined && environment.estimate(checked, sizes).max > 1e18, rule);
    }
  });
});
