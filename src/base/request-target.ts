// Request targets (RFC 9112, 3.2) as Go's net/url reads them: origin form, absolute form, authority form for CONNECT,
// and `*`.

import { hasBadEscape } from './percent-escapes.ts';

export interface Target {
  /** Path and query, with their original escapes; the path may be empty. */
  readonly path: string;
  /** The host that the target names; '' if none. */
  readonly host: string;
}

/** Undefined for an invalid target. */
export function readTarget(method: string, text: string): Target | undefined {
  if (text === '' || CONTROL.test(text)) return undefined;
  if (text === '*') return { path: '*', host: '' };
  const namesHost = method === 'CONNECT' && !text.startsWith('/');
  return readUrl(namesHost ? `http://${text}` : text);
}

const CONTROL = /[\0-\x1f\x7f]/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*:/;

function readUrl(text: string): Target | undefined {
  if (text.startsWith(':')) return undefined;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [rest, query] = cut(text.slice(scheme.length), '?');
  if (!rest.startsWith('/')) return scheme === '' ? undefined : { path: query, host: '' };
  if (scheme === '' || !rest.startsWith('//')) return hasBadEscape(rest) ? undefined : { path: rest + query, host: '' };
  const [authority, path] = cut(rest.slice(2), '/');
  const host = readHost(authority);
  return host === undefined || hasBadEscape(path) ? undefined : { path: path + query, host };
}

/** The text before the separator, and the rest, which begins with it. */
function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** The host and port of an authority; undefined if malformed. */
function readHost(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !USER.test(authority.slice(0, at))) return undefined;
  const host = authority.slice(at + 1);
  return (host.startsWith('[') ? LITERAL : NAME).test(host) ? host : undefined;
}

const USER = /^(?:[A-Za-z0-9\-._:~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})*$/;
const LITERAL = /^\[[0-9A-Fa-f:.]+(?:%25[^\]]*)?\](?::[0-9]*)?$/;
/** What follows the last colon is a port. */
const NAME =
  /^(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:"<>\x80-\xff]|%[89A-Fa-f][0-9A-Fa-f])*:)?[0-9]*$|^(?:[A-Za-z0-9\-._~!$&'()*+,;="<>\x80-\xff]|%[89A-Fa-f][0-9A-Fa-f])*$/;
