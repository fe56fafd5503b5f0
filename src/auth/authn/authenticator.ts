// The authenticator chain of requests: front proxy, client certificate, bearer token, then anonymous
// (system:anonymous). Invalid credentials are rejected, even where anonymous access is allowed.

import { errors } from '../../api/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { errorList } from '../../base/error-list.ts';
import { limits } from '../../base/limits.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import type { AuthMetrics } from '../../lifecycle/server-metrics.ts';
import { ANONYMOUS, AUTHENTICATED, anonymousUser, UNAUTHENTICATED, type User } from '../user.ts';
import { type ClientCertificate, userOfCertificate } from './client-certificate.ts';
import type { FrontProxy } from './front-proxy.ts';

export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** A certificate issued by the client CA. */
  readonly peerCertificate: ClientCertificate | undefined;
  /** Whether a certificate of an unknown CA was presented. */
  readonly peerCertificateInvalid?: boolean;
  /** The common name of a certificate issued by a front-proxy CA. */
  readonly proxyName?: string | undefined;
  /** All headers by lower-case name, with separate values. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly headerValues?: (name: string) => readonly string[];
  /** The requested path, without its query. */
  readonly path?: string;
  /** Receives warnings for a client that is refused. */
  readonly warn?: (text: string) => void;
}

export interface Authentication {
  readonly user: User;
  /** Texts for Warning headers. */
  readonly warnings: readonly string[];
  /** Audit annotations for the credentials. */
  readonly annotations?: readonly (readonly [key: string, value: string])[];
}

/** What a token authenticator reports besides the user; it adds to the lists. */
export interface TokenRemarks {
  readonly warnings: string[];
  readonly annotations: (readonly [key: string, value: string])[];
}

/** A token authenticator. */
export interface TokenAuthenticator {
  /** Whether a valid token remains valid, so that its user may be cached. */
  readonly permanent: boolean;
  /** How long a token's user is cached otherwise, in milliseconds; not at all by default. */
  readonly rememberedMs?: number;
  /** The token's user; undefined for an unknown token. @throws TokenError for an invalid one */
  authenticateToken(token: string, remarks?: TokenRemarks): Soon<User | undefined>;
  /**
   * Like `authenticateToken`, for some audiences; returns those that the token is valid for. Authenticators without it
   * are not aware of audiences: their tokens are for this server.
   * @throws TokenError for one of their tokens that is invalid
   */
  reviewToken?(token: string, audiences: readonly string[]): Promise<ReviewedToken | undefined>;
}

export interface ReviewedToken {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Why a token is invalid, for users of TokenReview. */
export class TokenError extends Error {
  override name = 'TokenError';
}

export interface Authenticator {
  /** Throws or rejects with 401 for invalid credentials. Synchronous if possible. */
  authenticate(credentials: Credentials): Soon<Authentication>;
  /**
   * The user of a token for a server with these audiences; for this server if empty.
   * @throws TokenError if no authenticator accepts it
   */
  review(token: string, audiences: readonly string[]): Promise<ReviewedToken>;
  /** Removes credentials from the headers of an authenticated request. */
  strip?(headers: Record<string, string | undefined>): void;
}

/** Metrics of tokens, cached or not, and of certificates. */
type AuthenticatorMetrics = Pick<AuthMetrics, 'tokenCache' | 'certificateExpiration'>;

interface AuthenticatorOptions {
  /** In this order. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Whether requests without credentials are allowed as system:anonymous; or the only paths where they are. */
  readonly anonymous: boolean | ReadonlySet<string>;
  readonly frontProxy?: FrontProxy | undefined;
  /** Whether certificates can contain UIDs; true by default. */
  readonly certifiedUids?: boolean;
  /** The clock of the cache. */
  readonly clock?: Clock;
  /** The audiences of this server. */
  readonly audiences?: readonly string[];
  readonly metrics?: AuthenticatorMetrics;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new AuthenticatorChain(options);
}

const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

class AuthenticatorChain implements Authenticator {
  readonly #tokens: readonly TokenAuthenticator[];
  readonly #anonymous: boolean | ReadonlySet<string>;
  readonly #frontProxy: FrontProxy | undefined;
  readonly #certifiedUids: boolean;
  readonly #clock: Clock | undefined;
  readonly #audiences: readonly string[];
  readonly #metrics: AuthenticatorMetrics | undefined;
  /** Cached results by the whole header; the oldest are evicted. */
  readonly #remembered = new Map<string, Remembered>();
  /** A connection's certificate is the same object during its lifetime. */
  readonly #certified = new WeakMap<ClientCertificate, Authentication>();

  readonly strip?: (headers: Record<string, string | undefined>) => void;

  constructor(options: AuthenticatorOptions) {
    const { tokens, anonymous, audiences = [], frontProxy, certifiedUids = true, clock, metrics } = options;
    this.#tokens = tokens;
    this.#audiences = audiences;
    this.#anonymous = anonymous;
    this.#frontProxy = frontProxy;
    this.#certifiedUids = certifiedUids;
    this.#clock = clock;
    this.#metrics = metrics;
    if (frontProxy !== undefined) this.strip = (headers) => frontProxy.strip(headers);
  }

  authenticate(credentials: Credentials): Soon<Authentication> {
    if (this.#frontProxy !== undefined && credentials.proxyName !== undefined) {
      const proxied = this.#frontProxy.authenticate(credentials);
      if (proxied !== undefined && proxied !== 'refused') return authenticated(proxied);
      if (proxied === 'refused') return this.#byOwnCredentials({ ...credentials, peerCertificateInvalid: true });
    }
    return this.#byOwnCredentials(credentials);
  }

  #byOwnCredentials(credentials: Credentials): Soon<Authentication> {
    const { authorization, peerCertificate } = credentials;
    if (peerCertificate !== undefined) {
      const certified = this.#authenticateCertificate(peerCertificate);
      if (certified !== undefined) {
        this.#noteExpiration(peerCertificate);
        return certified;
      }
    }
    if (authorization !== undefined) {
      const remembered = this.#remembered.get(authorization);
      if (remembered !== undefined && this.#isFresh(remembered)) {
        this.#metrics?.tokenCache.hit();
        return remembered.authentication;
      }
      const bearer = bearerToken(authorization);
      if (bearer === 'extra space') return this.#withoutCredentials(credentials, [EXTRA_SPACE]);
      if (bearer !== undefined) return this.#fetch(bearer.token, authorization);
    }
    return this.#withoutCredentials(credentials, NO_WARNINGS);
  }

  async review(token: string, audiences: readonly string[]): Promise<ReviewedToken> {
    const asked = audiences.length === 0 ? this.#audiences : audiences;
    const bearer = bearerToken(`Bearer ${token}`);
    const faults = ['invalid bearer token'];
    if (bearer === undefined || bearer === 'extra space') {
      // Reviewed like a request without credentials.
      if (this.#anonymous === true) return { user: anonymousUser, audiences: asked };
      throw new TokenError(faults[0]);
    }
    for (const source of this.#tokens) {
      try {
        const found = await this.#reviewBy(source, bearer.token, asked);
        if (found !== undefined) return { ...found, user: authenticated(found.user).user };
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        faults.push(error.message);
      }
    }
    throw new TokenError(errorList(faults));
  }

  async #reviewBy(
    source: TokenAuthenticator,
    token: string,
    audiences: readonly string[],
  ): Promise<ReviewedToken | undefined> {
    if (source.reviewToken !== undefined) return source.reviewToken(token, audiences);
    const shared = audiences.filter((audience) => this.#audiences.includes(audience));
    if (shared.length === 0 && audiences.length > 0) return undefined;
    const user = await source.authenticateToken(token);
    return user === undefined ? undefined : { user, audiences: shared };
  }

  #noteExpiration({ notAfterMs }: ClientCertificate): void {
    if (this.#clock === undefined || notAfterMs === undefined) return;
    this.#metrics?.certificateExpiration.observe((notAfterMs - this.#clock.now()) / 1000);
  }

  #authenticateCertificate(certificate: ClientCertificate): Authentication | undefined {
    const known = this.#certified.get(certificate);
    if (known !== undefined) return known;
    const user = userOfCertificate(certificate, this.#certifiedUids);
    if (user === undefined) return undefined;
    const authentication = authenticated(user);
    this.#certified.set(certificate, authentication);
    return authentication;
  }

  #fetch(token: string, header: string): Soon<Authentication> {
    if (this.#metrics === undefined) return this.#authenticateToken({ token, header });
    const start = performance.now();
    const done = this.#metrics.tokenCache.missed();
    const asked: Asked = { token, header, isFaulty: false };
    const over = () => done(asked.isFaulty ? 'error' : 'ok', (performance.now() - start) / 1000);
    let known: Soon<Authentication>;
    try {
      known = this.#authenticateToken(asked);
    } catch (error) {
      over();
      throw error;
    }
    if (isLater(known)) return known.finally(over);
    over();
    return known;
  }

  /** An error of one authenticator does not prevent the next from being called. */
  #authenticateToken(asked: Asked, from = 0): Soon<Authentication> {
    const { token, header } = asked;
    for (let at = from; at < this.#tokens.length; at++) {
      const source = this.#tokens[at]!;
      const remarks: TokenRemarks = { warnings: [], annotations: [] };
      const user = source.authenticateToken(token, remarks);
      if (isLater(user)) {
        return user
          .catch((error: unknown) => {
            if (!(error instanceof TokenError)) throw error;
            asked.isFaulty = true;
            return undefined;
          })
          .then((found) =>
            found === undefined
              ? this.#authenticateToken(asked, at + 1)
              : this.#known({ ...authenticated(found), ...remarks }, header, source),
          );
      }
      if (user !== undefined) return this.#known({ ...authenticated(user), ...remarks }, header, source);
    }
    throw errors.unauthorized();
  }

  #isFresh({ untilMs }: Remembered): boolean {
    return untilMs === undefined || (this.#clock !== undefined && this.#clock.now() < untilMs);
  }

  #known(authentication: Authentication, header: string, source: TokenAuthenticator): Authentication {
    const { permanent, rememberedMs } = source;
    if (!permanent && (rememberedMs === undefined || this.#clock === undefined)) return authentication;
    if (this.#remembered.size >= limits.rememberedCredentials) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest);
        break;
      }
    }
    const untilMs = permanent ? undefined : (this.#clock?.now() ?? 0) + (rememberedMs ?? 0);
    this.#remembered.set(header, { authentication, untilMs });
    return authentication;
  }

  #withoutCredentials(credentials: Credentials, warnings: readonly string[]): Authentication {
    const { peerCertificateInvalid, path, warn } = credentials;
    const anonymous = this.#anonymous;
    const isLetIn = typeof anonymous === 'boolean' ? anonymous : anonymous.has(path ?? '');
    if (peerCertificateInvalid || !isLetIn) {
      for (const warning of warnings) warn?.(warning);
      throw errors.unauthorized();
    }
    return warnings.length === 0 ? NOBODY : { user: anonymousUser, warnings };
  }
}

/** A token being authenticated. */
interface Asked {
  readonly token: string;
  /** The whole header, which is the cache key. */
  readonly header: string;
  /** Whether an authenticator recognized the token as its own and invalid. */
  isFaulty?: boolean;
}

interface Remembered {
  readonly authentication: Authentication;
  /** Undefined for no expiry. */
  readonly untilMs: number | undefined;
}

const NO_WARNINGS: readonly string[] = Object.freeze([]);
const NOBODY: Authentication = Object.freeze({ user: anonymousUser, warnings: NO_WARNINGS });

/**
 * The token of an Authorization header: the word after `Bearer`, in any case; what follows a further space is ignored.
 * With two spaces there is no word, which Kubernetes ignores with a warning. Undefined for any other header.
 */
function bearerToken(authorization: string): { token: string } | 'extra space' | undefined {
  const [scheme = '', token, more] = authorization.trim().split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return undefined;
  if (token !== '') return { token };
  return more === undefined ? undefined : 'extra space';
}

/** All authenticated users are in system:authenticated, unless the credentials make them anonymous. */
function authenticated(user: User): Authentication {
  const { name, groups } = user;
  const placed = name === ANONYMOUS || groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return { user: placed ? user : { ...user, groups: [...groups, AUTHENTICATED] }, warnings: NO_WARNINGS };
}
