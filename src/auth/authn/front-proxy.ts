// Users that a front proxy vouches for: a proxy that shows a certificate of its own authority names in headers whom it
// speaks for (--requestheader-*). Without such a certificate the headers mean nothing.

import type { User } from '../user.ts';

/** What a request shows of a proxy and whom it speaks for. */
interface ProxyCredentials {
  /** The common name of a certificate that the authority of front proxies vouches for. */
  readonly proxyName?: string | undefined;
  /** All headers, by their names in lower case, and the values of each apart. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly headerValues?: (name: string) => readonly string[];
}

interface FrontProxySettings {
  /** Names of headers; the first that says something names the user. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Common names of proxies; empty for any that the authority vouches for. */
  readonly allowedNames: readonly string[];
}

/** The headers that other servers are used to, which nobody behind us may take for ours. */
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

  /** 'refused' for a proxy that may not speak for anybody; undefined where it names nobody. */
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
    const extra: Record<string, string[]> = {};
    for (const header of Object.keys(headers)) {
      const prefix = this.#prefixes.find((each) => header.startsWith(each));
      if (prefix === undefined) continue;
      const key = unescaped(header.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...headerValues(header)];
    }
    return { name, uid: first(this.#uids), groups: groups.filter((group) => group !== ''), extra };
  }

  /** Takes what proxies say off a request. */
  strip(headers: Record<string, string | undefined>): void {
    for (const header of Object.keys(headers)) {
      const isExtra = header.startsWith(STANDARD_PREFIX) || this.#prefixes.some((prefix) => header.startsWith(prefix));
      if (isExtra || this.#own.has(header)) delete headers[header];
    }
  }
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
