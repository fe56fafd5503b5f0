// Token authenticator for all JWT issuers of a configuration, which are replaced together.

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
      // Issuer URLs are unique: only the issuer named in a token is tried.
      const answer = issuer.authenticateToken(token);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** @returns the URLs of issuers that are none any more */
  replace(issuers: readonly JwtIssuer[]): string[] {
    this.stop();
    const gone = this.#issuers.filter(({ url }) => !issuers.some((each) => each.url === url));
    this.#issuers = issuers;
    return gone.map(({ url }) => url);
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
