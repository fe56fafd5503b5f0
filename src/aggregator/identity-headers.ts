// Headers that tell another API server the user's identity. It trusts them because of this server's client certificate
// (request-header authentication).

import type { User } from '../auth/user.ts';
import { percentEncoded } from '../base/percent-escapes.ts';

/** Characters allowed in header names, except the percent sign, which escapes others. */
const LEGAL = /[^!#$&'*+.^_`|~0-9A-Za-z-]/gu;

/**
 * By lower-case name; each value is a separate header.
 *
 * @param tellsUid whether the UID is included (the gate RemoteRequestHeaderUID)
 */
export function identityHeaders(user: User, tellsUid: boolean): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'x-remote-user': headerText(user.name) };
  if (tellsUid && user.uid !== '') headers['x-remote-uid'] = headerText(user.uid);
  if (user.groups.length > 0) headers['x-remote-group'] = user.groups.map(headerText);
  for (const [key, values] of Object.entries(user.extra)) {
    if (values.length > 0) headers[`x-remote-extra-${escapedKey(key)}`] = values.map(headerText);
  }
  return headers;
}

function escapedKey(key: string): string {
  return key.replace(LEGAL, (character) => [...utf8(character)].map(percentEncoded).join('')).toLowerCase();
}

/** Headers consist of bytes: a text's UTF-8, one character per byte. */
function headerText(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : utf8(text);
}

function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
