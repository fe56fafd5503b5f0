// Token authenticator for one JWT issuer: verifies signature, audience and time of its tokens and maps their claims.

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../../api/object.ts';
import { objectMember } from '../../../api/untyped-members.ts';
import type { Clock } from '../../../base/clock.ts';
import { goQuote, goQuoteList } from '../../../base/go-quote.ts';
import { limits } from '../../../base/limits.ts';
import type { Soon } from '../../../base/soon.ts';
import type { TextFetcher } from '../../../outbound/fetch-text.ts';
import type { User } from '../../user.ts';
import { type TokenAuthenticator, TokenError } from '../authenticator.ts';
import { userOfClaims } from './claim-mapping.ts';
import { issuerOf, readIdToken } from './id-token.ts';
import { IssuerKeys, type Jose, readCompact } from './issuer-keys.ts';
import type { JwtIssuerSettings } from './jwt-issuer-settings.ts';

interface JwtIssuerOptions {
  readonly settings: JwtIssuerSettings;
  readonly fetchText: TextFetcher;
  readonly jose: Jose;
  readonly clock: Clock;
  /** Called for failures to reach the issuer. */
  readonly onFailure: (url: string, error: Error) => void;
  /** Called with the duration and result for each token of this issuer. */
  readonly onDone?: (url: string, result: 'success' | 'failure', seconds: number) => void;
  /** Called for each fetch of the issuer's keys, with their document; undefined if that failed. */
  readonly onKeys?: ((url: string, document: string | undefined) => void) | undefined;
}

/** Tolerated clock skew of a token, as in go-oidc. */
const NOT_BEFORE_LEEWAY_MS = 60_000;

export class JwtIssuer implements TokenAuthenticator {
  readonly permanent = false;
  readonly rememberedMs = limits.tokenCacheMs;
  readonly #options: JwtIssuerOptions;
  readonly #keys: IssuerKeys;
  /** Keys of issuers with distributed claims. */
  readonly #others = new Map<string, IssuerKeys>();

  constructor(options: JwtIssuerOptions) {
    this.#options = options;
    const { url, discoveryUrl } = options.settings;
    const { onKeys } = options;
    this.#keys = this.#keysOf(url, discoveryUrl, onKeys && ((document) => onKeys(url, document)));
  }

  /** The issuer named in its tokens. */
  get url(): string {
    return this.#options.settings.url;
  }

  get found(): Promise<void> {
    return this.#keys.found;
  }

  /** Why the issuer is unavailable; undefined after it has been reached. */
  get fault(): Error | undefined {
    return this.#keys.fault;
  }

  stop(): void {
    for (const keys of [this.#keys, ...this.#others.values()]) keys.stop();
  }

  /** @throws TokenError for an invalid token of this issuer */
  authenticateToken(token: string): Soon<User | undefined> {
    const { settings, onDone } = this.#options;
    const read = readCompact(token);
    if (read === undefined || issuerOf(read.claims) !== settings.url) return undefined;
    const start = performance.now();
    const done = (result: 'success' | 'failure') => onDone?.(settings.url, result, (performance.now() - start) / 1000);
    return this.#authenticate(token).then(
      (user) => {
        done('success');
        return user;
      },
      (error: unknown) => {
        done('failure');
        throw error;
      },
    );
  }

  async #authenticate(token: string): Promise<User> {
    if (!this.#keys.isFound) throw new TokenError('oidc: authenticator not initialized');
    let claims: JsonObject;
    try {
      claims = await this.#verified(token, this.#keys, this.#options.settings.url);
    } catch (error) {
      throw new TokenError(`oidc: verify token: ${(error as Error).message}`);
    }
    const { groups } = this.#options.settings;
    if (groups !== undefined && 'claim' in groups) {
      try {
        claims = await this.#withDistributed(claims, groups.claim);
      } catch (error) {
        throw new TokenError(`oidc: could not expand distributed claims: ${(error as Error).message}`);
      }
    }
    return userOfClaims(claims, this.#options.settings);
  }

  /** @throws Error with go-oidc's message */
  async #verified(token: string, keys: IssuerKeys, url: string): Promise<JsonObject> {
    const read = readCompact(token);
    if (read === undefined) throw new Error('oidc: malformed jwt');
    this.#checkClaims(read.claims, url);
    const { signingAlgorithms } = this.#options.settings;
    const algorithm = String(read.header['alg']);
    if (!signingAlgorithms.includes(algorithm)) {
      const expected = goQuoteList(signingAlgorithms);
      throw new Error(
        `oidc: id token signed with unsupported algorithm, expected ${expected} got ${goQuote(algorithm)}`,
      );
    }
    let claims: JsonObject;
    try {
      claims = JSON.parse(Buffer.from(await keys.verify(token, read.header)).toString()) as JsonObject;
    } catch (error) {
      throw new Error(`failed to verify signature: ${(error as Error).message}`, { cause: error });
    }
    if (this.#options.settings.audiences.length > 1) this.#checkAudience(readIdToken(claims).audiences);
    return claims;
  }

  /** A single audience is checked before time and signature, several afterwards: Kubernetes does that itself. */
  #checkClaims(claims: JsonObject, url: string): void {
    const { settings, clock } = this.#options;
    const { issuer, audiences, expiresMs, notBeforeMs } = readIdToken(claims);
    if (issuer !== url) {
      throw new Error(`oidc: id token issued by a different provider, expected ${goQuote(url)} got ${goQuote(issuer)}`);
    }
    if (settings.audiences.length === 1) this.#checkAudience(audiences);
    const now = clock.now();
    if (expiresMs < now) throw new Error(`oidc: token is expired (Token Expiry: ${timeText(expiresMs)})`);
    if (notBeforeMs !== undefined && now + NOT_BEFORE_LEEWAY_MS < notBeforeMs) {
      throw new Error(`oidc: current time ${timeText(now)} before the nbf (not before) time: ${timeText(notBeforeMs)}`);
    }
  }

  #checkAudience(audiences: readonly string[]): void {
    const { settings } = this.#options;
    if (!audiences.some((audience) => settings.audiences.includes(audience))) {
      const [first = ''] = settings.audiences;
      const expected =
        settings.audiences.length === 1
          ? `audience ${goQuote(first)}`
          : `audience in ${goQuoteList([...settings.audiences].sort())}`;
      throw new Error(`oidc: expected ${expected} got ${goQuoteList(audiences)}`);
    }
  }

  /** Distributed claims (OpenID Connect Core 1.0, 5.6.2) are fetched. @throws Error */
  async #withDistributed(claims: JsonObject, claim: string): Promise<JsonObject> {
    if (Object.hasOwn(claims, claim) || claims['_claim_names'] === undefined) return claims;
    const source = objectMember(claims, '_claim_names')[claim];
    if (claims['_claim_sources'] === undefined) throw new Error('oidc: no claim sources');
    if (typeof source !== 'string') return claims;
    const sources = objectMember(claims, '_claim_sources');
    if (!Object.hasOwn(sources, source)) {
      throw new Error(`id token _claim_names contained a source ${source} missing in _claims_sources`);
    }
    const { endpoint, access_token: accessToken } = objectMember(sources, source);
    if (typeof endpoint !== 'string' || endpoint === '') return claims;
    const authorization = typeof accessToken === 'string' && accessToken !== '' ? `Bearer ${accessToken}` : undefined;
    const token = await this.#claimToken(endpoint, authorization, claim);
    const issuer = issuerOf(readCompact(token)?.claims ?? {});
    if (issuer === '')
      throw new Error(`getting untrusted issuer from endpoint ${endpoint} failed for claim ${goQuote(claim)}`);
    const found = await this.#verified(token, await this.#otherKeys(issuer), issuer);
    if (!Object.hasOwn(found, claim)) {
      throw new Error(
        `jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`,
      );
    }
    return { ...claims, [claim]: found[claim] ?? null };
  }

  async #claimToken(endpoint: string, authorization: string | undefined, claim: string): Promise<string> {
    try {
      return await this.#options.fetchText(endpoint, authorization);
    } catch (error) {
      throw new Error(`while getting distributed claim ${goQuote(claim)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** @throws Error for an unavailable issuer */
  async #otherKeys(issuer: string): Promise<IssuerKeys> {
    if (issuer === this.#options.settings.url) return this.#keys;
    let keys = this.#others.get(issuer);
    if (keys === undefined) {
      if (this.#others.size >= limits.claimIssuers) throw new Error('too many issuers of distributed claims');
      this.#others.set(issuer, (keys = this.#keysOf(issuer, '')));
    }
    if (!keys.isFound) {
      const { clock } = this.#options;
      await Promise.race([keys.found, new Promise<void>((resolve) => clock.after(limits.issuerAnswerMs, resolve))]);
    }
    if (!keys.isFound) throw new Error(`verifier not initialized for issuer: ${goQuote(issuer)}`);
    return keys;
  }

  #keysOf(url: string, discoveryUrl: string, onKeys?: (document: string | undefined) => void): IssuerKeys {
    const { fetchText, jose, clock, onFailure } = this.#options;
    return new IssuerKeys({
      ...{ url, discoveryUrl, fetchText, jose, clock, onKeys },
      onFailure: (error) => onFailure(url, error),
    });
  }
}

function timeText(ms: number): string {
  if (!Number.isFinite(ms)) return 'never';
  return new Date(Math.min(ms, 8.64e15))
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +0000 UTC');
}
