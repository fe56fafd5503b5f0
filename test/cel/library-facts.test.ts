// Every function of the libraries against what cel-go v0.26.0 with the libraries of Kubernetes v1.34 made of the same
// expressions: values, messages, costs at run time and estimates. A line of library-facts.jsonl is one expression.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SizeEstimator } from '../../src/cel/cost/size-estimator.ts';
import { Environment } from '../../src/cel/environment.ts';
import { CIDRS } from '../../src/cel/library/cidr.ts';
import { IPS } from '../../src/cel/library/ip.ts';
import { KUBERNETES_LISTS } from '../../src/cel/library/kubernetes-lists.ts';
import { OPTIONAL } from '../../src/cel/library/optional.ts';
import { REGEX } from '../../src/cel/library/regex.ts';
import { SEMVER } from '../../src/cel/library/semver.ts';
import { standardLibrary } from '../../src/cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../../src/cel/library/standard-macros.ts';
import { STRINGS } from '../../src/cel/library/strings.ts';
import { URLS } from '../../src/cel/library/urls.ts';
import { STRING } from '../../src/cel/types/type.ts';
import { AUTHORIZER, AUTHORIZER_SELECTORS, AUTHORIZER_TYPE, Authorizer } from '../../src/expressions/authorizer.ts';
import { FORMATS } from '../../src/expressions/format.ts';
import { JSON_PATCHES } from '../../src/expressions/json-patch.ts';
import { QUANTITIES } from '../../src/expressions/quantity.ts';
import { type Outcome, outcomeOf, type Setting } from './expression-outcome.ts';

type Fact = Outcome & { readonly expression: string };

const FACTS = readFileSync(join(import.meta.dirname, 'library-facts.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Fact);

const environment = new Environment({
  libraries: [
    standardLibrary(),
    { name: 'macros', functions: [], macros: STANDARD_MACROS },
    ...[OPTIONAL, STRINGS, REGEX, KUBERNETES_LISTS, URLS, IPS, CIDRS, SEMVER],
    ...[QUANTITIES, FORMATS, AUTHORIZER, AUTHORIZER_SELECTORS, JSON_PATCHES],
  ],
  variables: [
    { name: 'authorizer', type: AUTHORIZER_TYPE },
    { name: 's', type: STRING },
  ],
  optionalSyntax: true,
  crossTypeNumericComparisons: true,
  presenceTestCost: 0,
});
const subject = { name: 'jane', uid: '', groups: [], extra: {} };
/** Texts of unknown size are taken for short ones. */
const sizes: SizeEstimator = {
  size: (_path, { kind }) => (kind === 'string' || kind === 'bytes' ? { min: 0, max: 12 } : undefined),
};
const setting: Setting = {
  environment,
  sizes,
  foldConstants: false,
  variables: {
    authorizer: new Authorizer(subject, { authorize: () => ({ allowed: true, reason: '' }) }),
    s: 'a.b,c',
  },
};

describe('CEL results equal to those of Kubernetes', () => {
  for (const [name, facts] of Map.groupBy(FACTS, ({ expression }) => functionOf(expression))) {
    it(`CEL results equal to those of Kubernetes are computed with ${name}`, () => {
      for (const { expression, ...outcome } of facts) {
        assert.deepEqual(outcomeOf(expression, setting), outcome, expression);
      }
    });
  }
});

/** The last function that is called, which most expressions are about. */
function functionOf(expression: string): string {
  return [...expression.replace(/"(?:\\.|[^"\\])*"/g, '').matchAll(/(\w+)\(/g)].at(-1)?.[1] ?? 'no function';
}
