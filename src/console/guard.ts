// Access control of the console's page: which requests may reach a process that holds credentials. A one-time link
// gives a browser its cookie; requests from other sites, and for host names that resolve to this machine, are rejected.

import { Buffer } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 401 | 403 | 421;
  readonly message: string;
}

interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Requests that a browser makes by itself when the user follows a link. */
const SAFE = ['GET', 'HEAD'];

export class Guard {
  readonly #port: number;
  /** Cleared once the link has been opened. */
  #key: string | undefined = randomBytes(32).toString('base64url');
  readonly #session = randomBytes(32).toString('base64url');

  constructor(port: number) {
    this.#port = port;
  }

  /** The one-time link that opens the console. */
  get link(): string {
    return `http://127.0.0.1:${this.#port}/open?key=${this.#key}`;
  }

  /** Returns the cookie for the key of the link; undefined for any other key, and the second time. */
  open(key: string): string | undefined {
    if (this.#key === undefined || !isSame(key, this.#key)) return undefined;
    this.#key = undefined;
    return `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Returns why a request is rejected before authentication: it was sent to another host name, or by another site. */
  foreign({ method, headers }: GuardedRequest): Refusal | undefined {
    const hosts = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
    if (!hosts.includes(headers.host ?? '')) return { status: 421, message: 'this name is not served here' };
    const { origin } = headers;
    const isOwn = origin === undefined || origin === `http://${headers.host}`;
    const site = headers['sec-fetch-site'];
    // A link followed from another site may only load the page.
    const followed = headers['sec-fetch-mode'] === 'navigate' && SAFE.includes(method);
    if (!isOwn || (site !== undefined && site !== 'same-origin' && site !== 'none' && !followed)) {
      return { status: 403, message: 'requests of other pages are refused' };
    }
    if (!SAFE.includes(method) && origin === undefined && site === undefined) {
      return { status: 403, message: 'a request that changes something must say which page sends it' };
    }
    return undefined;
  }

  /** Returns why a request without the cookie is rejected. */
  stranger(headers: IncomingHttpHeaders): Refusal | undefined {
    const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    const shown = cookies.find((cookie) => cookie.startsWith(`${this.#cookie}=`));
    if (shown !== undefined && isSame(shown.slice(this.#cookie.length + 1), this.#session)) return undefined;
    return { status: 401, message: 'open the link that keelson console printed; it works once' };
  }

  /** Browsers send cookies to all ports of a host: the name distinguishes consoles. */
  get #cookie(): string {
    return `keelson-console-${this.#port}`;
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
