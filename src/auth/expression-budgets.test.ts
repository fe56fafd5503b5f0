// Tests of the cost limits of expressions in authentication and authorization: as much as any other in one evaluation,
// and no more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt } from '../expressions/attempt.ts';
import { readUntyped } from '../expressions/untyped-value.ts';
import { compileClaimExpression } from './authn/jwt/claim-expressions.ts';
import { compileMatchCondition } from './authz/match-conditions.ts';

/** Three hundred to the power of three comparisons. */
const GROUPS = Array.from({ length: 300 }, (_, index) => `group-${index}`);
const costly = (list: string) => `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b != c)))`;

test('a match condition of an authorization webhook has the cost limit of one evaluation', () => {
  const compiled = compileMatchCondition(costly('request.groups'));
  assert.ok('condition' in compiled);
  assert.equal(compiled.condition({ groups: GROUPS.slice(0, 3) }), true);
  assert.throws(() => compiled.condition({ groups: GROUPS }), /actual cost limit exceeded/);
});

for (const subject of ['claims', 'user'] as const) {
  test(`an expression over the ${subject} of a token has the cost limit of one evaluation`, () => {
    const compiled = compileClaimExpression(costly(`dyn(${subject}.groups)`), { subject, isCondition: true });
    assert.ok(compiled.fault === undefined);
    const run = (groups: string[]) => attempt(compiled.program, { [subject]: readUntyped({ groups }) });
    assert.equal(run(GROUPS.slice(0, 3)).fault, undefined);
    assert.match(run(GROUPS).fault?.message ?? '', /actual cost limit exceeded/);
  });
}
