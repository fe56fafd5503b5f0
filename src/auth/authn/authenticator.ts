// The chain that finds out who makes a request: the client certificate, then the bearer token, then nobody
// (system:anonymous). Credentials that are there and wrong are refused, even where the anonymous may look.

import { errors } from '../../api/errors.ts';
import { limits } from '../../base/limits.ts';
import { errorList } from '../error-list.ts';
import { ANONYMOUS, AUTHENTICATED, anonymousUser, UNAUTHENTICATED, type User } from '../user.ts';
import { type ClientCertificate, userOfCertificate } from './client-certificate.ts';

export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** A certificate that the client CA vouches for. */
  readonly peerCertificate: ClientCertificate | undefined;
  /** Whether a certificate was shown that nobody vouches for. */
  readonly peerCertificateInvalid?: boolean;
}

export interface Authentication {
  readonly user: User;
  /** Texts for Warning headers. */
  readonly warnings: readonly string[];
}

/** One source of bearer tokens. */
export interface TokenAuthenticator {
  /** Whether a token, once known, stays known, so that its user may be remembered. */
  readonly permanent: boolean;
  /** The token's user; undefined for a token that it does not know. */
  authenticateToken(token: string): User | undefined | Promise<User | undefined>;
  /**
   * As `authenticateToken`, for some audiences, of which it tells those that the token is for. Sources without it know
   * no audiences: their tokens are for this server.
   * @throws TokenError for a token that is one of theirs and not valid
   */
  reviewToken?(token: string, audiences: readonly string[]): Promise<ReviewedToken | undefined>;
}

export interface ReviewedToken {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Why a token is not valid, for who may review tokens. */
export class TokenError extends Error {
  override name = 'TokenError';
}

export interface Authenticator {
  /** Throws, or rejects with, a 401 ApiError for credentials that are wrong. Answers at once where it can. */
  authenticate(credentials: Credentials): Authentication | Promise<Authentication>;
  /**
   * Whose token it is, for a server of these audiences; without any, for this server.
   * @throws TokenError when it is nobody's
   */
  review(token: string, audiences: readonly string[]): Promise<ReviewedToken>;
}

export interface AuthenticatorOptions {
  /** Asked in this order. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Whether requests without credentials are let through, as system:anonymous. */
  readonly anonymous: boolean;
  /** Who this server is to those who issue tokens. */
  readonly audiences?: readonly string[];
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new AuthenticatorChain(options);
}

const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

class AuthenticatorChain implements Authenticator {
  readonly #tokens: readonly TokenAuthenticator[];
  readonly #anonymous: boolean;
  readonly #audiences: readonly string[];
  /** Answers by the whole header; the oldest goes first when there are too many. */
  readonly #remembered = new Map<string, Authentication>();
  /** A connection's certificate is one object as long as the connection lives. */
  readonly #certified = new WeakMap<ClientCertificate, Authentication>();

  constructor({ tokens, anonymous, audiences = [] }: AuthenticatorOptions) {
    this.#tokens = tokens;
    this.#audiences = audiences;
    this.#anonymous = anonymous;
  }

  authenticate(credentials: Credentials): Authentication | Promise<Authentication> {
    const { authorization, peerCertificate } = credentials;
    if (peerCertificate !== undefined) {
      const certified = this.#authenticateCertificate(peerCertificate);
      if (certified !== undefined) return certified;
    }
    if (authorization !== undefined) {
      const remembered = this.#remembered.get(authorization);
      if (remembered !== undefined) return remembered;
      const bearer = bearerToken(authorization);
      if (bearer === 'extra space') return this.#withoutCredentials(credentials, [EXTRA_SPACE]);
      if (bearer !== undefined) return this.#authenticateToken(bearer.token, authorization);
    }
    return this.#withoutCredentials(credentials, NO_WARNINGS);
  }

  async review(token: string, audiences: readonly string[]): Promise<ReviewedToken> {
    const asked = audiences.length === 0 ? this.#audiences : audiences;
    const bearer = bearerToken(`Bearer ${token}`);
    const faults = ['invalid bearer token'];
    if (bearer === undefined || bearer === 'extra space') throw new TokenError(faults[0]);
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
    const shared = this.#audiences.filter((audience) => audiences.includes(audience));
    if (shared.length === 0 && audiences.length > 0) return undefined;
    const user = await source.authenticateToken(token);
    return user === undefined ? undefined : { user, audiences: shared };
  }

  #authenticateCertificate(certificate: ClientCertificate): Authentication | undefined {
    const known = this.#certified.get(certificate);
    if (known !== undefined) return known;
    const user = userOfCertificate(certificate);
    if (user === undefined) return undefined;
    const authentication = authenticated(user);
    this.#certified.set(certificate, authentication);
    return authentication;
  }

  #authenticateToken(token: string, header: string, from = 0): Authentication | Promise<Authentication> {
    for (const [at, source] of this.#tokens.entries()) {
      if (at < from) continue;
      const user = source.authenticateToken(token);
      if (user instanceof Promise) {
        return user.then((found) =>
          found === undefined ? this.#authenticateToken(token, header, at + 1) : this.#known(found, header, source),
        );
      }
      if (user !== undefined) return this.#known(user, header, source);
    }
    throw errors.unauthorized();
  }

  #known(user: User, header: string, source: TokenAuthenticator): Authentication {
    const authentication = authenticated(user);
    if (!source.permanent) return authentication;
    if (this.#remembered.size >= limits.rememberedCredentials) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest);
        break;
      }
    }
    this.#remembered.set(header, authentication);
    return authentication;
  }

  #withoutCredentials({ peerCertificateInvalid }: Credentials, warnings: readonly string[]): Authentication {
    if (peerCertificateInvalid || !this.#anonymous) throw errors.unauthorized();
    return warnings.length === 0 ? NOBODY : { user: anonymousUser, warnings };
  }
}

const NO_WARNINGS: readonly string[] = Object.freeze([]);
const NOBODY: Authentication = Object.freeze({ user: anonymousUser, warnings: NO_WARNINGS });

/**
 * The token of an Authorization header: the word behind `Bearer`, in any case; what follows a further space does not
 * count. Two spaces leave no word there, which Kubernetes ignores with a warning. Undefined for any other header.
 */
function bearerToken(authorization: string): { token: string } | 'extra space' | undefined {
  const [scheme = '', token, more] = authorization.trim().split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return undefined;
  if (token !== '') return { token };
  return more === undefined ? undefined : 'extra space';
}

/** Everybody who is known is in system:authenticated, unless the credentials place them among the anonymous. */
function authenticated(user: User): Authentication {
  const { name, groups } = user;
  const placed = name === ANONYMOUS || groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return { user: placed ? user : { ...user, groups: [...groups, AUTHENTICATED] }, warnings: NO_WARNINGS };
}
