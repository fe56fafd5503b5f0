// URLs as CEL values. A string is a URL if an HTTP request could use it: it begins with a scheme or a slash. Rules,
// escaping and error messages are those of Go's net/url.

import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import { structType, type Type } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { OpaqueValue, type Value } from '../value/value.ts';
import { readAddress } from './ip-address.ts';
import { escapePart, isEscapedWell, UrlFault, type UrlPart, unescapePart } from './url-escape.ts';

interface UrlFields {
  /** In lower case, '' for none. */
  readonly scheme: string;
  /** The text after a scheme without a slash; undefined for all other URLs. */
  readonly opaque: string | undefined;
  /** Name and password, unescaped. */
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  /** With the port, unescaped. */
  readonly host: string;
  /** Whether there are two slashes before the host, even if it is empty. */
  readonly hasAuthority: boolean;
  /** As it was written. */
  readonly path: string;
  /** As it was written, without the question mark; undefined for none. */
  readonly query: string | undefined;
  /** As it was written, '' for none. */
  readonly fragment: string;
}

export class Url extends OpaqueValue {
  override readonly type: Type<unknown> = URL_TYPE;
  readonly #fields: UrlFields;
  #text: string | undefined;

  constructor(fields: UrlFields) {
    super();
    this.#fields = fields;
  }

  get scheme(): string {
    return this.#fields.scheme;
  }

  /** With the port. */
  get host(): string {
    return this.#fields.host;
  }

  /** Without the port and the brackets of addresses. */
  get hostname(): string {
    return splitPort(this.host)[0].replace(/^\[(.*)\]$/s, '$1');
  }

  /** '' for none. */
  get port(): string {
    return splitPort(this.host)[1];
  }

  /** Name and password, escaped; undefined for none. */
  get userinfo(): string | undefined {
    const { user } = this.#fields;
    if (user === undefined) return undefined;
    const password = user.password === undefined ? '' : `:${escapePart(user.password, 'userinfo')}`;
    return `${escapePart(user.name, 'userinfo')}${password}`;
  }

  /** As it was written, '' for none. */
  get rawQuery(): string {
    return this.#fields.query ?? '';
  }

  /** Unescaped, '' for none. */
  get fragment(): string {
    return unescapePart(this.#fields.fragment, 'fragment');
  }

  /** Unescaped. */
  get path(): string {
    return unescapePart(this.#fields.path, 'path');
  }

  /** The same URL elsewhere. @param path unescaped */
  with({ scheme, host, path }: { scheme?: string; host?: string; path?: string }): Url {
    const own = this.#fields;
    return new Url({
      ...own,
      scheme: scheme ?? own.scheme,
      host: host ?? own.host,
      hasAuthority: (host ?? own.host) !== '',
      path: path === undefined ? own.path : escapePart(path, 'path'),
    });
  }

  get escapedPath(): string {
    return escaped(this.#fields.path, 'path');
  }

  /** The values by name, both unescaped; malformed ones are omitted. */
  get query(): Map<string, string[]> {
    const values = new Map<string, string[]>();
    const pairs = (this.#fields.query ?? '').split('&');
    if (pairs.length > limits.urlQueryParameters) return values;
    for (const pair of pairs) {
      const read = pair === '' || pair.includes(';') ? undefined : readPair(pair);
      if (read === undefined) continue;
      const [name, value] = read;
      const others = values.get(name);
      if (others === undefined) values.set(name, [value]);
      else others.push(value);
    }
    return values;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof Url)) throw new EvaluationError('no such overload');
    return this.toString() === other.toString();
  }

  /** The URL with everything escaped as Go escapes it. */
  override toString(): string {
    this.#text ??= this.#escapedText();
    return this.#text;
  }

  #escapedText(): string {
    const { scheme, opaque, query, fragment } = this.#fields;
    const start = scheme === '' ? '' : `${scheme}:`;
    const middle = opaque === undefined || opaque === '' ? this.#hierarchy() : opaque;
    const end = fragment === '' ? '' : `#${escaped(fragment, 'fragment')}`;
    return `${start}${middle}${query === undefined ? '' : `?${query}`}${end}`;
  }

  #hierarchy(): string {
    const { scheme, user, host, hasAuthority, path } = this.#fields;
    let authority = '';
    const { userinfo } = this;
    const isWritten = host !== '' || user !== undefined || (scheme !== '' && hasAuthority && path !== '');
    if (isWritten) authority = '//';
    if (userinfo !== undefined) authority += `${userinfo}@`;
    return `${authority}${escapePart(host, 'host')}${this.escapedPath}`;
  }
}

export const URL_TYPE = structType<Url>('kubernetes.URL');

/** The text as written, unless it lacks necessary escapes. */
function escaped(text: string, part: UrlPart): string {
  return isEscapedWell(text, part) ? text : escapePart(unescapePart(text, part), part);
}

function splitPort(host: string): [name: string, port: string] {
  const colon = host.lastIndexOf(':');
  if (colon < 0 || !isPort(host.slice(colon))) return [host, ''];
  return [host.slice(0, colon), host.slice(colon + 1)];
}

/** Whether a text is a port with its colon, or empty. */
function isPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

function readPair(pair: string): [string, string] | undefined {
  const [name, value = ''] = cut(pair, '=');
  try {
    return [unescapePart(name, 'query'), unescapePart(value, 'query')];
  } catch (error) {
    if (error instanceof UrlFault) return undefined;
    throw error;
  }
}

function cut(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Why a text is not a URL; undefined if it is one. */
export function urlFault(text: string): string | undefined {
  try {
    readFields(text, { asRequest: true });
    return undefined;
  } catch (error) {
    if (error instanceof UrlFault) return `parse ${goQuote(text)}: ${error.message}`;
    throw error;
  }
}

/** Reads a URL. A string is the reason why it is none. */
export function readUrl(text: string): Url | string {
  let read = text;
  try {
    const asked = readFields(text, { asRequest: true });
    // Requests have no fragment, and with two slashes but no scheme no host: then the text is read a second time.
    const [start, fragment = ''] = cut(text, '#');
    if (start === text && !text.startsWith('//')) return new Url(asked);
    read = start;
    const fields = readFields(start, { asRequest: false });
    read = text;
    unescapePart(fragment, 'fragment');
    return new Url({ ...fields, fragment });
  } catch (error) {
    if (error instanceof UrlFault) return `parse ${goQuote(read)}: ${error.message}`;
    throw error;
  }
}

/** Reads a URL or a reference, as Go's url.Parse does. A string is the reason why it is none. */
export function parseUrl(text: string): Url | string {
  const [start, fragment = ''] = cut(text, '#');
  let read = start;
  try {
    const fields = readFields(start, { asRequest: false });
    read = text;
    unescapePart(fragment, 'fragment');
    return new Url({ ...fields, fragment });
  } catch (error) {
    if (error instanceof UrlFault) return `parse ${goQuote(read)}: ${error.message}`;
    throw error;
  }
}

function readFields(text: string, { asRequest }: { asRequest: boolean }): UrlFields {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlFault('net/url: invalid control character in URL');
  if (text === '' && asRequest) throw new UrlFault('empty url');
  const none = { opaque: undefined, user: undefined, host: '', hasAuthority: false, query: undefined, fragment: '' };
  if (text === '*') return { ...none, scheme: '', path: '*' };
  const { scheme, rest } = readScheme(text);
  const [hierarchy, query] = cut(rest, '?');
  if (!hierarchy.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, opaque: hierarchy, path: '', query };
    if (asRequest) throw new UrlFault('invalid URI for request');
    if (cut(hierarchy, '/')[0].includes(':')) throw new UrlFault('first path segment in URL cannot contain colon');
  }
  const hasAuthority = hierarchy.startsWith('//') && (scheme !== '' || !(asRequest || hierarchy.startsWith('///')));
  const fields = { ...none, scheme, query, hasAuthority };
  if (!hasAuthority) return { ...fields, path: checkedPath(hierarchy) };
  const [authority, path] = cut(hierarchy.slice(2), '/');
  const { user, host } = readAuthority(authority);
  return { ...fields, user, host, path: checkedPath(path === undefined ? '' : `/${path}`) };
}

function checkedPath(path: string): string {
  unescapePart(path, 'path');
  return path;
}

function readScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UrlFault('missing protocol scheme');
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  if (scheme === undefined) return { scheme: '', rest: text };
  return { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) };
}

function readAuthority(authority: string): Pick<UrlFields, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = readHost(authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new UrlFault('net/url: invalid userinfo');
  const [name, password] = cut(userinfo, ':');
  return {
    user: {
      name: unescapePart(name, 'userinfo'),
      password: password === undefined ? undefined : unescapePart(password, 'userinfo'),
    },
    host,
  };
}

function readHost(host: string): string {
  if (host.startsWith('[')) return readBracketedHost(host);
  const colon = host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, 'host');
}

function checkPort(port: string): void {
  if (!isPort(port)) throw new UrlFault(`invalid port ${goQuote(port)} after host`);
}

/** `[fe80::1%25en0]:80`: an address of version 6, its zone behind an escaped percent sign. */
function readBracketedHost(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new UrlFault("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const inside = host.slice(1, end);
  const zone = inside.indexOf('%25');
  const name =
    zone < 0
      ? unescapePart(inside, 'host')
      : `${unescapePart(inside.slice(0, zone), 'host')}${unescapePart(inside.slice(zone), 'zone')}`;
  const read = readAddress(name);
  if (typeof read === 'string') throw new UrlFault(`invalid host: ${read}`);
  if (read.address.family === 4) throw new UrlFault('invalid IP-literal');
  return `[${name}]${port}`;
}
