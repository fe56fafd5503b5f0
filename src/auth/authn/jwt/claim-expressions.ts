// CEL expressions over the claims of a token, and over the resulting user.

import type { CheckedExpression } from '../../../cel/check/checked-expression.ts';
import { ANY, BOOL, listOf, mapOf, STRING, structType } from '../../../cel/types/type.ts';
import { compileExpression } from '../../../expressions/compiled-expression.ts';
import { STORED_EXPRESSIONS } from '../../../expressions/environments.ts';
import { StructTypes } from '../../../expressions/struct-types.ts';
import type { CompiledClaimExpression } from './jwt-issuer-settings.ts';

const STRINGS = listOf(STRING);
const USER_TYPES = new StructTypes({
  'kubernetes.UserInfo': { username: STRING, uid: STRING, groups: STRINGS, extra: mapOf(STRING, STRINGS) },
});
const SUBJECTS = {
  claims: { variables: [{ name: 'claims', type: mapOf(STRING, ANY) }] },
  user: { variables: [{ name: 'user', type: structType('kubernetes.UserInfo') }], types: USER_TYPES },
};

type ClaimExpression =
  | (CompiledClaimExpression & { readonly checked: CheckedExpression; readonly fault?: undefined })
  | { readonly fault: string };

/** Compiles an expression over `claims` or `user`, or returns its error. A condition must be a bool. */
export function compileClaimExpression(
  text: string,
  { subject, isCondition }: { readonly subject: 'claims' | 'user'; readonly isCondition: boolean },
): ClaimExpression {
  const environment = STORED_EXPRESSIONS.for(text).extend(SUBJECTS[subject]);
  const compiled = compileExpression(environment, text, isCondition ? { results: [BOOL] } : {});
  if (compiled.fault !== undefined)
    return { fault: compiled.fault.replace(/^(must evaluate to bool) but got .*$/, '$1') };
  return { text, program: compiled.program, checked: compiled.checked };
}

/** Whether an expression reads a given claim. */
export function readsClaim({ root }: CheckedExpression, claim: string): boolean {
  return reads(root, claim);
}

function reads(node: unknown, claim: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some((each) => reads(each, claim));
  const { kind, operand, field, function: called, arguments: given } = node as Record<string, unknown>;
  if (kind === 'select' && field === claim && isClaims(operand)) return true;
  if (kind === 'call' && called === '_?._' && Array.isArray(given) && isClaims(given[0])) {
    const literal = (given[1] as { literal?: { value?: unknown } } | undefined)?.literal;
    if (literal?.value === claim) return true;
  }
  return Object.values(node).some((each) => reads(each, claim));
}

function isClaims(node: unknown): boolean {
  const { kind, name } = (node ?? {}) as Record<string, unknown>;
  return kind === 'identifier' && name === 'claims';
}
