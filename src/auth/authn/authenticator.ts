// The chain that finds out who makes a request: the client certificate, then the bearer token, then nobody
// (system:anonymous). Credentials that are there and wrong are refused, even where the anonymous may look.

import { errors } from '../../api/errors.ts';
import { limits } from '../../base/limits.ts';
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
}

export interface Authenticator {
  /** Throws, or rejects with, a 401 ApiError for credentials that are wrong. Answers at once where it can. */
  authenticate(credentials: Credentials): Authentication | Promise<Authentication>;
}

export interface AuthenticatorOptions {
  /** Asked in this order. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Whether requests without credentials are let through, as system:anonymous. */
  readonly anonymous: boolean;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new AuthenticatorChain(options);
}

const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

class AuthenticatorChain implements Authenticator {
  readonly #tokens: readonly TokenAuthenticator[];
  readonly #anonymous: boolean;
  /** Answers by the whole header; the oldest goes first when there are too many. */
  readonly #remembered = new Map<string, Authentication>();
  /** A connection's certificate is one object as long as the connection lives. */
  readonly #certified = new WeakMap<ClientCertificate, Authentication>();

  constructor({ tokens, anonymous }: AuthenticatorOptions) {
    this.#tokens = tokens;
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
