// Users authenticated by a front proxy: a proxy with a certificate of its own CA names the user in headers
// (--requestheader-*). Without such a certificate the headers are ignored.

import { ExtraValues, unescapedExtraKey } from '../extra-values.ts';
import type { User } from '../user.ts';

/** The proxy and the user of a request. */
interface ProxyCredentials {
  /** The common name of a certificate issued by a front-proxy CA. */
  readonly proxyName?: string | undefined;
  /** All headers by lower-case name, with separate values. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly headerValues?: (name: string) => readonly string[];
}

interface FrontProxySettings {
  /** Names of headers; the first with a value names the user. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Common names of proxies; empty for any that the CA issued. */
  readonly allowedNames: readonly string[];
}

/** Conventional headers of other servers, which must not reach anybody behind this one. */
const STANDARD = ['x-remote-user', 'x-remote-uid', 'x-remote-group'];
const STANDARD_PREFIX = 'x-remote-extra-';

export class FrontProxy {
  readonly #allowedNames: ReadonlySet<string>;
  readonly #usernames: readonly string[];
  readonly #uids: readonly string[];
  readonly #groups: readonly string[];
  readonly #prefixes: readonly string[];
  readonly #own: ReadonlySet<string>;

  constructor(settings: FrontProxySettings) {
    const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
    this.#allowedNames = new Set(settings.allowedNames);
    this.#usernames = lower(settings.usernameHeaders);
    this.#uids = lower(settings.uidHeaders);
    this.#groups = lower(settings.groupHeaders);
    this.#prefixes = lower(settings.extraHeaderPrefixes);
    this.#own = new Set([...STANDARD, ...this.#usernames, ...this.#uids, ...this.#groups]);
  }

  /** 'refused' for a proxy that is not allowed; undefined if it names no user. */
  authenticate({ proxyName, headers, headerValues }: ProxyCredentials): User | 'refused' | undefined {
    if (proxyName === undefined || headers === undefined || headerValues === undefined) return undefined;
    if (this.#allowedNames.size > 0 && !this.#allowedNames.has(proxyName)) return 'refused';
    const first = (names: readonly string[]) => {
      for (const name of names) {
        const value = headers[name] === undefined ? '' : (headerValues(name)[0] ?? '');
        if (value !== '') return value;
      }
      return '';
    };
    const name = first(this.#usernames);
    if (name === '') return undefined;
    const groups = this.#groups.flatMap((header) => (headers[header] === undefined ? [] : headerValues(header)));
    const extra = new ExtraValues();
    for (const header of Object.keys(headers)) {
      const prefix = this.#prefixes.find((each) => header.startsWith(each));
      if (prefix === undefined) continue;
      extra.add(unescapedExtraKey(header.slice(prefix.length)), headerValues(header));
    }
    return { name, uid: first(this.#uids), groups: groups.filter((group) => group !== ''), extra: extra.byKey() };
  }

  /** Removes proxy headers from a request. */
  strip(headers: Record<string, string | undefined>): void {
    for (const header of Object.keys(headers)) {
      const isExtra = header.startsWith(STANDARD_PREFIX) || this.#prefixes.some((prefix) => header.startsWith(prefix));
      if (isExtra || this.#own.has(header)) delete headers[header];
    }
  }
}
