// The keys of one JWT issuer: found by OpenID Connect Discovery 1.0, cached, and fetched again when a token was signed
// by none of them, because the issuer may have rotated them.

import { Buffer } from 'node:buffer';
import type { CryptoKey, JWK } from 'jose';
import { isObject } from '../../../api/is-object.ts';
import type { JsonObject } from '../../../api/object.ts';
import type { Clock, Timer } from '../../../base/clock.ts';
import { limits } from '../../../base/limits.ts';
import type { TextFetcher } from '../../../outbound/fetch-text.ts';

/** The functions of the package `jose` in use, which is loaded only if issuers are configured. */
export interface Jose {
  compactVerify(token: string, key: CryptoKey | Uint8Array): Promise<{ payload: Uint8Array }>;
  importJWK(jwk: JWK, algorithm: string): Promise<CryptoKey | Uint8Array>;
}

interface IssuerKeysOptions {
  readonly url: string;
  /** The complete URL of the discovery document; empty for the usual one. */
  readonly discoveryUrl: string;
  readonly fetchText: TextFetcher;
  readonly jose: Jose;
  readonly clock: Clock;
  /** Called for each failed attempt at discovery. */
  readonly onFailure: (error: Error) => void;
  /** Called for each fetch of the keys, with their document; undefined if that failed. */
  readonly onKeys?: ((document: string | undefined) => void) | undefined;
}

/** Kubernetes' value. */
const DISCOVERY_RETRY_MS = 10_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keysUrl: string | undefined;
  #keys: readonly JWK[] = [];
  #reading: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  /** The error of the last attempt to reach the issuer; undefined after a success. */
  fault: Error | undefined = new Error('not initialized');
  /** Resolves once the issuer's document has been fetched. */
  readonly found: Promise<void>;
  #onFound: () => void = () => {};

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.found = new Promise((resolve) => {
      this.#onFound = resolve;
    });
    void this.#discover();
  }

  get isFound(): boolean {
    return this.#keysUrl !== undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** The bytes of the claims. @throws Error if no key of the issuer signed the token */
  async verify(token: string, header: JsonObject): Promise<Uint8Array> {
    const payload = (await this.#verifyByKnown(token, header)) ?? (await this.#verifyByFresh(token, header));
    if (payload === undefined) throw new Error('failed to verify id token signature');
    return payload;
  }

  async #verifyByFresh(token: string, header: JsonObject): Promise<Uint8Array | undefined> {
    this.#reading ??= this.#readKeys()
      .then(
        (document) => this.#tellKeys(document),
        (error: unknown) => {
          this.#tellKeys(undefined);
          throw error;
        },
      )
      .finally(() => {
        this.#reading = undefined;
      });
    try {
      await this.#reading;
    } catch (error) {
      throw new Error(`fetching keys ${(error as Error).message}`, { cause: error });
    }
    return this.#verifyByKnown(token, header);
  }

  async #verifyByKnown(token: string, { alg, kid }: JsonObject): Promise<Uint8Array | undefined> {
    const { jose } = this.#options;
    for (const key of this.#keys) {
      if (typeof kid === 'string' && kid !== '' && key.kid !== kid) continue;
      try {
        const imported = await jose.importJWK(key, String(alg));
        return (await jose.compactVerify(token, imported)).payload;
      } catch {
        // Not this key, or not valid for this algorithm: the next.
      }
    }
    return undefined;
  }

  #tellKeys(document: string | undefined): void {
    if (!this.#stopped) this.#options.onKeys?.(document);
  }

  /** @returns the document with the keys */
  async #readKeys(): Promise<string> {
    const text = await this.#options.fetchText(this.#keysUrl ?? '');
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new Error('oidc: failed to decode keys: no list of keys');
    // Only signing keys count; an excessive number of keys is not tried.
    this.#keys = keys
      .filter((key): key is JWK => typeof key === 'object' && key !== null && key.use !== 'enc')
      .slice(0, limits.issuerKeys);
    return text;
  }

  async #discover(): Promise<void> {
    if (this.#stopped) return;
    const { url, discoveryUrl, fetchText, clock, onFailure } = this.#options;
    try {
      const place = discoveryUrl === '' ? url.replace(/\/$/, '') + WELL_KNOWN : discoveryUrl;
      const { issuer, jwks_uri: keysUrl } = JSON.parse(await fetchText(place)) as JsonObject;
      if (issuer !== url) {
        throw new Error(
          `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(url)} got ` +
            JSON.stringify(issuer ?? ''),
        );
      }
      this.#keysUrl = String(keysUrl ?? '');
      this.fault = undefined;
      this.#onFound();
    } catch (error) {
      this.fault = error as Error;
      onFailure(this.fault);
      if (!this.#stopped) this.#timer = clock.after(DISCOVERY_RETRY_MS, () => void this.#discover());
    }
  }
}

/** Header and claims of a token, not verified yet; undefined if it is not in compact form. */
export function readCompact(token: string): { header: JsonObject; claims: JsonObject } | undefined {
  if (token.length > limits.signedTokenCharacters) return undefined;
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  try {
    const [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    if (!isObject(header) || !isObject(claims)) return undefined;
    return { header, claims };
  } catch {
    return undefined;
  }
}
