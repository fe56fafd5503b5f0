// All issuers of tokens that a configuration names, as one source: their set is replaced as a whole.

import { limits } from '../../../base/limits.ts';
import type { Soon } from '../../../base/soon.ts';
import type { User } from '../../user.ts';
import type { TokenAuthenticator } from '../authenticator.ts';
import type { JwtIssuer } from './jwt-issuer.ts';

export class JwtIssuers implements TokenAuthenticator {
  readonly permanent = false;
  readonly rememberedMs = limits.tokenCacheMs;
  #issuers: readonly JwtIssuer[];

  constructor(issuers: readonly JwtIssuer[]) {
    this.#issuers = issuers;
  }

  /** @throws TokenError */
  authenticateToken(token: string): Soon<User | undefined> {
    for (const issuer of this.#issuers) {
      // Each URL is there once: the issuer that a token names is the only one to ask.
      const answer = issuer.authenticateToken(token);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  replace(issuers: readonly JwtIssuer[]): void {
    this.stop();
    this.#issuers = issuers;
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
