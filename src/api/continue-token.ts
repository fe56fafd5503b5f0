// Continue tokens: start key and revision of the next page, as URL-safe base64 of JSON. The format is Kubernetes', so
// that tokens of other servers are accepted too.

import { errors } from './errors.ts';
import { jsonWord } from './go-text.ts';
import { isNumber } from './is-object.ts';
import { JsonError, parseJson } from './json-reader.ts';
import type { Json } from './object.ts';

const VERSION = 'meta.k8s.io/v1';

interface ContinueToken {
  /** The revision of the list's first page; negative for the latest state. */
  readonly revision: number;
  /** The first key, beginning with '/', relative to the collection; ends in NUL to start right after a key. */
  readonly start: string;
}

/** What TypeScript does not declare yet; loops over characters take ten times as long. */
interface Base64Decoder {
  fromBase64(text: string, options: { readonly alphabet: 'base64url' }): Uint8Array;
}
interface Base64Bytes {
  toBase64(options: { readonly alphabet: 'base64url'; readonly omitPadding: true }): string;
}

export function encodeContinueToken({ revision, start }: ContinueToken): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ v: VERSION, rv: revision, start }));
  return (bytes as unknown as Base64Bytes).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** @throws ApiError 400 with Kubernetes' message */
export function decodeContinueToken(text: string): ContinueToken {
  const { v, rv, start } = members(text);
  if (v !== VERSION) throw refused(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw refused(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === '') throw refused(`encoded start key empty (version ${VERSION})`);
  const key = start.startsWith('/') ? start : `/${start}`;
  // A key that leaves the collection, or is not normalized, could read other objects.
  if (/\/\.{0,2}(?:\/|$)/.test(key)) throw refused(start);
  return { revision: rv, start: key };
}

function members(text: string): { v: string; rv: number; start: string } {
  const wrong = /[^-_A-Za-z0-9]/.exec(text);
  if (wrong !== null) throw refused(`illegal base64 data at input byte ${wrong.index}`);
  if (text.length % 4 === 1) throw refused(`illegal base64 data at input byte ${text.length - 1}`);
  return tokenIn(read((Uint8Array as unknown as Base64Decoder).fromBase64(text, { alphabet: 'base64url' })));
}

function read(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw error instanceof JsonError ? refused(error.message) : error;
  }
}

/** The relevant members; the first of a wrong type is reported, in Go's words. */
function tokenIn(value: Json): { v: string; rv: number; start: string } {
  const token = { v: '', rv: 0, start: '' };
  if (value === null) return token;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw refused(`json: cannot unmarshal ${jsonWord(value)} into Go value of type storage.continueToken`);
  }
  for (const [name, member] of Object.entries(value) as [string, Json][]) {
    const field = name.toLowerCase();
    if (member === null || (field !== 'v' && field !== 'rv' && field !== 'start')) continue;
    const type = field === 'rv' ? 'int64' : 'string';
    const fits = field === 'rv' ? Number.isSafeInteger(member) : typeof member === 'string';
    if (!fits) throw refused(unmarshalError(member, `continueToken.${field} of type ${type}`, field === 'rv'));
    Object.assign(token, { [field]: member });
  }
  return token;
}

function unmarshalError(member: Json, field: string, wantsNumber: boolean): string {
  const what = isNumber(member) && wantsNumber ? `number ${member}` : jsonWord(member);
  return `json: cannot unmarshal ${what} into Go struct field ${field}`;
}

function refused(why: string) {
  return errors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
