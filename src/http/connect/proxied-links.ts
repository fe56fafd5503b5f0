// Links of a proxied backend, rewritten for clients: below the path at which the backend is mounted.

import { posix } from 'node:path';
import { parseUrl, type Url } from '../../cel/library/url.ts';

export interface Mount {
  /** The path under which the client sees the backend's root. */
  readonly path: string;
  /** The backend's own host, with its port. */
  readonly backend: string;
  /** The host that the client requested; '' for none. */
  readonly client: string;
}

/**
 * Rewrites a link with an absolute path, on the backend or on the host that the client requested, to below the mount;
 * others are unchanged. All are escaped as Go does.
 * @returns the new link, or an Error that says why it is not a URL
 */
export function mountedLink(link: string, { path: mount, backend, client }: Mount): string | Error {
  const url = parseUrl(link);
  if (typeof url === 'string') return new Error(url);
  const isElsewhere = url.host !== '' && url.host !== backend && url.host !== client;
  if (isElsewhere || !url.path.startsWith('/')) return url.toString();
  const origin: Partial<Pick<Url, 'scheme' | 'host'>> = url.host === client ? {} : { scheme: '', host: '' };
  const path = url.path.startsWith(mount) ? undefined : posix.join(mount, url.path);
  return url.with(path === undefined ? origin : { ...origin, path }).toString();
}
