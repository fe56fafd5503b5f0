// The headers by which another API server is told who asks. It believes them because of the certificate that this
// server shows (request-header authentication).

import type { User } from '../auth/user.ts';

/** Characters that names of headers may have, but for the percent sign, which escapes the others. */
const LEGAL = /[^!#$&'*+.^_`|~0-9A-Za-z-]/gu;

/**
 * By their names in lower case; each value is a header of its own.
 *
 * @param tellsUid whether the uid is among them (the gate RemoteRequestHeaderUID)
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
  return key.replace(LEGAL, (character) => [...utf8(character)].map(escaped).join('')).toLowerCase();
}

function escaped(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Headers carry bytes: a text's UTF-8, a character a byte. */
function headerText(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : utf8(text);
}

function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
