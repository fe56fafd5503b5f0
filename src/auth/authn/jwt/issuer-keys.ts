// The keys of one issuer of tokens: found through its discovery document (OpenID Connect Discovery 1.0), kept, and read
// again when a token comes that none of them signed, as an issuer may have changed them.

import { Buffer } from 'node:buffer';
import type { CryptoKey, JWK } from 'jose';
import type { JsonObject } from '../../../api/object.ts';
import type { Clock, Timer } from '../../../base/clock.ts';
import { limits } from '../../../base/limits.ts';
import type { TextFetcher } from '../../../outbound/fetch-text.ts';

/** What is used of the package `jose`, which is loaded only where tokens of issuers are accepted. */
export interface Jose {
  compactVerify(token: string, key: CryptoKey | Uint8Array): Promise<{ payload: Uint8Array }>;
  importJWK(jwk: JWK, algorithm: string): Promise<CryptoKey | Uint8Array>;
}

interface IssuerKeysOptions {
  readonly url: string;
  /** The whole URL of the discovery document; empty for its usual place. */
  readonly discoveryUrl: string;
  readonly fetchText: TextFetcher;
  readonly jose: Jose;
  readonly clock: Clock;
  /** Told of each attempt at discovery that failed. */
  readonly onFailure: (error: Error) => void;
}

/** Kubernetes' own number. */
const DISCOVERY_RETRY_MS = 10_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keysUrl: string | undefined;
  #keys: readonly JWK[] = [];
  #reading: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  /** Why the issuer could not be asked at the last attempt; undefined once it could. */
  fault: Error | undefined = new Error('not initialized');
  /** Resolves once the issuer's document has been read. */
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

  /** The claims' bytes. @throws Error where none of the issuer's keys signed the token */
  async verify(token: string, header: JsonObject): Promise<Uint8Array> {
    const payload = (await this.#verifyByKnown(token, header)) ?? (await this.#verifyByFresh(token, header));
    if (payload === undefined) throw new Error('failed to verify id token signature');
    return payload;
  }

  async #verifyByFresh(token: string, header: JsonObject): Promise<Uint8Array | undefined> {
    this.#reading ??= this.#readKeys().finally(() => {
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
        // Not the key, or not one for this algorithm: the next.
      }
    }
    return undefined;
  }

  async #readKeys(): Promise<void> {
    const text = await this.#options.fetchText(this.#keysUrl ?? '');
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new Error('oidc: failed to decode keys: no list of keys');
    // Signatures are what they are for; more keys than any issuer has are not looked through.
    this.#keys = keys
      .filter((key): key is JWK => typeof key === 'object' && key !== null && key.use !== 'enc')
      .slice(0, limits.issuerKeys);
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

/** Header and claims of a token, not believed yet; undefined for what is not one in compact form. */
export function readCompact(token: string): { header: JsonObject; claims: JsonObject } | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    if (!isObject(header) || !isObject(claims)) return undefined;
    return { header, claims };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
