// Mapping of verified claims to a user by an issuer's mappings and validation rules.

import type { Json, JsonObject } from '../../../api/object.ts';
import { ListValue, type Value } from '../../../cel/value/value.ts';
import { attempt } from '../../../expressions/attempt.ts';
import { readUntyped } from '../../../expressions/untyped-value.ts';
import type { User } from '../../user.ts';
import { TokenError } from '../authenticator.ts';
import { ClaimsValue } from './claims-value.ts';
import type { ClaimSource, CompiledClaimExpression, JwtIssuerSettings, ValidationRule } from './jwt-issuer-settings.ts';

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** @throws TokenError with kube-apiserver's message if claims are missing, of a wrong type, or rejected by a rule */
export function userOfClaims(claims: JsonObject, settings: JwtIssuerSettings): User {
  const value = new ClaimsValue(claims);
  const user: User = {
    name: username(claims, value, settings.username),
    groups: groups(claims, value, settings.groups),
    uid: uid(claims, value, settings.uid),
    extra: extra(claims, value, settings),
  };
  for (const [claim, wanted] of settings.requiredClaims) requireClaim(claims, claim, wanted);
  checkRules(settings.claimRules, { claims: value }, 'error evaluating claim validation expression');
  if (settings.userRules.length > 0) {
    const { name, groups: own, ...rest } = user;
    const info = readUntyped(structuredClone({ username: name, groups: own, ...rest }) as unknown as Json);
    checkRules(settings.userRules, { user: info }, 'error evaluating user info validation rule');
  }
  return user;
}

function username(claims: JsonObject, value: ClaimsValue, source: ClaimSource): string {
  if ('expression' in source) {
    const what = 'error evaluating username claim expression';
    const name = evaluated(source.expression, value, what);
    if (typeof name !== 'string') fail(`${what}: username claim expression must return a string`);
    if (name === '') fail('empty username via CEL expression is not allowed');
    return name as string;
  }
  const { claim, prefix } = source;
  const name = textClaim(claims, claim, `parse username claims ${JSON.stringify(claim)}`);
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    const verified = claims['email_verified'];
    if (typeof verified !== 'boolean' && verified !== null) {
      fail(`parse 'email_verified' claim: ${unmarshalFault(verified as Json, 'bool')}`);
    }
    if (verified !== true) fail('email not verified');
  }
  return prefix + name;
}

function groups(claims: JsonObject, value: ClaimsValue, source: ClaimSource | undefined): readonly string[] {
  if (source === undefined) return [];
  if ('expression' in source) {
    const what = 'error evaluating group claim expression';
    return stringList(evaluated(source.expression, value, what), what);
  }
  const { claim, prefix } = source;
  if (!Object.hasOwn(claims, claim)) return [];
  const found = claims[claim] as Json;
  if (found === null) return [];
  const list = Array.isArray(found) ? found : [found];
  const strange = Array.isArray(found) ? found.find((each) => typeof each !== 'string' && each !== null) : found;
  if (strange !== undefined && typeof strange !== 'string') {
    fail(`parse groups claim ${JSON.stringify(claim)}: ${unmarshalFault(found, 'string')}`);
  }
  return list.map((group) => prefix + String(group ?? ''));
}

function uid(claims: JsonObject, value: ClaimsValue, source: ClaimSource | undefined): string {
  if (source === undefined) return '';
  if (!('expression' in source)) {
    return textClaim(claims, source.claim, `parse uid claim ${JSON.stringify(source.claim)}`);
  }
  const what = 'error evaluating uid claim expression';
  const found = evaluated(source.expression, value, what);
  if (typeof found !== 'string') fail(`${what}: uid claim expression must return a string`);
  return found as string;
}

function extra(claims: JsonObject, value: ClaimsValue, settings: JwtIssuerSettings): User['extra'] {
  const found: Record<string, readonly string[]> = {};
  const jti = claims['jti'];
  if (typeof jti === 'string' && jti !== '') found[CREDENTIAL_ID] = [`JTI=${jti}`];
  for (const { key, expression } of settings.extra) {
    const values = stringList(
      evaluatedBare(expression, { claims: value }),
      `error evaluating extra claim expression: ${expression.text}`,
    );
    if (values.length > 0) found[key] = values;
  }
  return found;
}

/** Null, strings and lists of strings; empty ones are ignored. */
function stringList(value: Value, what: string): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!(value instanceof ListValue)) return fail(`${what}: expression must return a string or a list of strings`);
  const texts: string[] = [];
  for (let index = 0; index < value.size; index++) {
    const item = value.at(index);
    if (typeof item !== 'string') return fail(`${what}: expression must return a string or a list of strings`);
    if (item !== '') texts.push(item);
  }
  return texts;
}

function requireClaim(claims: JsonObject, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim)) fail(`required claim ${claim} not present in ID token`);
  const found = textClaim(claims, claim, `parse claim ${claim}`);
  if (found !== wanted) fail(`required claim ${claim} value does not match. Got = ${found}, want = ${wanted}`);
}

function checkRules(rules: readonly ValidationRule[], variables: Record<string, Value>, what: string): void {
  const results = rules.map((rule) => ({ rule, holds: conditionHolds(rule, variables, what) }));
  const broken = results.find(({ holds }) => !holds)?.rule;
  if (broken !== undefined) fail(`${what}: validation expression '${broken.text}' failed: ${broken.message}`);
}

function conditionHolds(rule: ValidationRule, variables: Record<string, Value>, what: string): boolean {
  const outcome = attempt(rule.program, variables);
  if (outcome.fault === undefined) return outcome.value === true;
  return fail(`${what}: expression '${rule.text}' resulted in error: ${outcome.fault.message}`);
}

function evaluated(expression: CompiledClaimExpression, claims: ClaimsValue, what: string): Value {
  const outcome = attempt(expression.program, { claims });
  if (outcome.fault === undefined) return outcome.value;
  return fail(`${what}: expression '${expression.text}' resulted in error: ${outcome.fault.message}`);
}

function evaluatedBare(expression: CompiledClaimExpression, variables: Record<string, Value>): Value {
  const outcome = attempt(expression.program, variables);
  if (outcome.fault === undefined) return outcome.value;
  throw new TokenError(`expression '${expression.text}' resulted in error: ${outcome.fault.message}`);
}

function textClaim(claims: JsonObject, claim: string, what: string): string {
  if (!Object.hasOwn(claims, claim)) fail(`${what}: claim not present`);
  const value = claims[claim] as Json;
  // As in Go's decoder, null leaves the string empty.
  if (value === null) return '';
  if (typeof value !== 'string') fail(`${what}: ${unmarshalFault(value, 'string')}`);
  return value as string;
}

function unmarshalFault(value: Json, type: string): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go value of type ${type}`;
}

function fail(why: string): never {
  throw new TokenError(`oidc: ${why}`);
}
