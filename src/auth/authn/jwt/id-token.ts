// The claims of a token that go-oidc reads itself, as Go's JSON decoder reads them: names in any case, of which the last
// counts, and times as numbers or as texts of numbers.

import { type GoStruct, goShapeFault } from '../../../api/go-shape.ts';
import { jsonWord } from '../../../api/go-text.ts';
import type { Json, JsonObject } from '../../../api/object.ts';
import { goQuote } from '../../../base/go-quote.ts';

interface IdToken {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Go's zero time if absent. */
  readonly expiresMs: number;
  readonly notBeforeMs: number | undefined;
}

const FIELDS: GoStruct = {
  struct: 'idToken',
  package: 'oidc',
  fields: {
    ...{ iss: 'string', sub: 'string', nonce: 'string', at_hash: 'string' },
    _claim_names: { map: 'string' },
    _claim_sources: {
      map: { struct: 'claimSource', package: 'oidc', fields: { endpoint: 'string', access_token: 'string' } },
    },
  },
};
const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf']);
const NAMES: ReadonlySet<string> = new Set([...Object.keys(FIELDS.fields), ...TIMES, 'aud']);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Go's zero time. */
const NO_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
/** The result of converting a number that is too large. */
const LEAST_INT64 = -(2 ** 63);

/** @throws Error with go-oidc's message */
export function readIdToken(claims: JsonObject): IdToken {
  const fields = canonical(claims);
  for (const [name, value] of Object.entries(fields)) {
    const fault = faultOf(name, value);
    if (fault !== undefined) throw new Error(`oidc: failed to unmarshal claims: ${fault}`);
  }
  const { exp, nbf, aud } = fields;
  return {
    issuer: issuerIn(fields['iss']),
    audiences: (Array.isArray(aud) ? aud : aud === undefined ? [] : [aud]).map((each) => String(each ?? '')),
    expiresMs: exp === undefined ? NO_TIME_MS : timeMs(exp),
    notBeforeMs: nbf === undefined || nbf === null ? undefined : timeMs(nbf),
  };
}

/** The issuer that a token names, whether the rest is valid or not; '' for none. */
export function issuerOf(claims: JsonObject): string {
  return issuerIn(canonical(claims)['iss']);
}

/** Google uses two forms of its name. */
function issuerIn(iss: Json | undefined): string {
  return iss === 'accounts.google.com' ? 'https://accounts.google.com' : typeof iss === 'string' ? iss : '';
}

/** The fields by their own names. */
function canonical(claims: JsonObject): Record<string, Json | undefined> {
  const fields: Record<string, Json | undefined> = {};
  for (const [given, value] of Object.entries(claims)) {
    const name = given.toLowerCase();
    if (NAMES.has(name)) fields[name] = value;
  }
  return fields;
}

function faultOf(name: string, value: Json | undefined): string | undefined {
  if (TIMES.has(name)) return timeFault(name, value ?? null);
  if (name === 'aud') return audienceFault(value ?? null);
  return goShapeFault({ [name]: value ?? null }, FIELDS);
}

function timeFault(name: string, value: Json): string | undefined {
  if (typeof value === 'string' && !NUMBER.test(value)) {
    return `json: invalid number literal, trying to unmarshal ${goQuote(JSON.stringify(value))} into Number`;
  }
  if (value === null) return name === 'nbf' ? undefined : 'strconv.ParseFloat: parsing "": invalid syntax';
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
    ? undefined
    : `json: cannot unmarshal ${jsonWord(value)} into Go struct field idToken.${name} of type json.Number`;
}

function audienceFault(value: Json): string | undefined {
  if (value === null || typeof value === 'string') return undefined;
  const field = 'into Go struct field idToken.aud of type';
  if (!Array.isArray(value)) return `json: cannot unmarshal ${jsonWord(value)} ${field} []string`;
  const odd = value.find((each) => each !== null && typeof each !== 'string');
  return odd === undefined ? undefined : `json: cannot unmarshal ${jsonWord(odd)} ${field} string`;
}

/** Whole seconds count. */
function timeMs(value: Json): number {
  const seconds = Math.trunc(Number(value));
  return (Math.abs(seconds) < -LEAST_INT64 ? seconds : LEAST_INT64) * 1000;
}
