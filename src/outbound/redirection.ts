// Redirections of webhooks, followed as Go's HTTP client follows them.

/** The most requests for one call. */
export const MAX_REQUESTS = 10;

const WITHOUT_BODY: ReadonlySet<number> = new Set([301, 302, 303]);
const WITH_BODY: ReadonlySet<number> = new Set([307, 308]);

/** An error of a request to another address than that of the webhook. */
export class RedirectedError extends Error {
  override name = 'RedirectedError';
  readonly url: string;

  constructor(url: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.url = url;
  }
}

interface Redirection {
  readonly url: URL;
  /** Whether the next request is a GET without a body. */
  readonly withoutBody: boolean;
}

/**
 * Where a response redirects to; undefined if it is final.
 * @throws RedirectedError for a location that is not an address
 */
export function redirectionOf(
  { status, location }: { readonly status: number; readonly location?: string | undefined },
  from: URL,
): Redirection | undefined {
  const withoutBody = WITHOUT_BODY.has(status);
  if (location === undefined || location === '' || !(withoutBody || WITH_BODY.has(status))) return undefined;
  if (!URL.canParse(location, from)) {
    throw new RedirectedError(from.href, `failed to parse Location header ${JSON.stringify(location)}`);
  }
  const url = new URL(location, from);
  if (url.protocol === 'https:' || url.protocol === 'http:') return { url, withoutBody };
  throw new RedirectedError(url.href, `unsupported protocol scheme ${JSON.stringify(url.protocol.slice(0, -1))}`);
}
