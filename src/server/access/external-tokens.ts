// Service account tokens signed by an external program, which also supplies the keys that verify them. Loaded only if
// its socket is configured.

import { Buffer } from 'node:buffer';
import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '../../api/object.ts';
import type { TokenSigner } from '../../auth/authn/token-issuer.ts';
import { VerificationKey } from '../../auth/authn/token-key.ts';
import type { TokenKeys } from '../../auth/authn/token-keys.ts';
import type { Clock } from '../../base/clock.ts';
import { formatGoDuration } from '../../base/go-duration.ts';
import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { TokenSignerMetrics } from '../../lifecycle/token-signer-metrics.ts';
import { CallError } from '../../outbound/socket-channel.ts';
import { connectTokenSigner, type FetchedKey, type TokenSignerClient } from '../../outbound/token-signer-client.ts';
import { ConfigurationError } from '../configuration-file.ts';

interface ExternalTokensNeeds {
  /** The socket. */
  readonly endpoint: string;
  /** The longest validity of a token according to the options; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: TokenSignerMetrics;
}

interface ExternalTokens {
  readonly signer: TokenSigner;
  readonly keys: TokenKeys;
  /** The longest requested validity of a token, and the absolute limit. */
  readonly maxExpirationSeconds: number;
  readonly maxSeconds: number;
  stop(): void;
}

/** The longest delay of a timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** Delay before retrying to fetch keys. This and the following values are Kubernetes'. */
const AGAIN_MS = 10_000;
const METADATA_MS = 10_000;
const SHORTEST_TOKEN_SECONDS = 600;
const LONGEST_ID = 1024;
/** In metrics, the code of an error that is not from a call. */
const NO_CALL = 'unknown-non-grpc';
const OK = 'OK';
const ALGORITHMS: readonly unknown[] = ['RS256', 'ES256', 'ES384', 'ES512'];

/** @throws ConfigurationError with kube-apiserver's message */
export async function openExternalTokens(needs: ExternalTokensNeeds): Promise<ExternalTokens> {
  const { endpoint, clock, metrics } = needs;
  const client = connectTokenSigner({
    ...{ endpoint, clock, timeoutMs: limits.tokenSignerMs },
    onCall: (call) => metrics.called(call),
  });
  const keys = new ExternalKeys(client, needs);
  try {
    await keys.fetch().catch((error: Error) => {
      throw new Error(`while initially filling key cache: while performing initial cache fill: ${error.message}`);
    });
    const maxSeconds = await client.maxExpirationSeconds(METADATA_MS);
    const maxExpirationSeconds = boundOf(maxSeconds, needs.maxExpirationSeconds);
    const signer = new ExternalSigner({ client, keys, metrics });
    return { signer, keys, maxExpirationSeconds, maxSeconds, stop: () => keys.stop() };
  } catch (error) {
    keys.stop();
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`while setting up external-jwt-signer: ${(error as Error).message}`, { cause: error });
  }
}

/** @param asked 0 for the signer's maximum */
function boundOf(maxSeconds: number, asked: number): number {
  if (maxSeconds < SHORTEST_TOKEN_SECONDS) {
    throw new ConfigurationError(
      `max token life supported by external-jwt-signer (${maxSeconds}s) is less than acceptable (min ${SHORTEST_TOKEN_SECONDS}s)`,
    );
  }
  if (asked === 0) return maxSeconds;
  if (asked <= maxSeconds) return asked;
  const [own, theirs] = [asked, maxSeconds].map((seconds) => formatGoDuration(seconds * 1_000));
  throw new ConfigurationError(
    `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${own} > ${theirs}`,
  );
}

class ExternalSigner implements TokenSigner {
  readonly #needs: { client: TokenSignerClient; keys: ExternalKeys; metrics: TokenSignerMetrics };

  constructor(needs: { client: TokenSignerClient; keys: ExternalKeys; metrics: TokenSignerMetrics }) {
    this.#needs = needs;
  }

  async sign(claims: JsonObject): Promise<string> {
    const { metrics } = this.#needs;
    try {
      const token = await this.#sign(Buffer.from(JSON.stringify(claims)).toString('base64url'));
      metrics.signed(OK);
      return token;
    } catch (error) {
      metrics.signed(codeOf(error));
      throw error;
    }
  }

  async #sign(payload: string): Promise<string> {
    const { client, keys } = this.#needs;
    const { header, signature } = await client.sign(payload).catch(within('while signing jwt'));
    const id = keyIdIn(header);
    const signing = await keys.find(id);
    if (signing.some((key) => keys.isUnpublished(key))) {
      throw new Error(
        `while validating header: key used for signing JWT (kid: ${id}) is excluded from OIDC discovery docs`,
      );
    }
    if (signature === '') throw new Error('empty signature returned');
    return `${header}.${payload}.${signature}`;
  }
}

/** The key ID in the header of a token. @throws Error for an unusable header */
function keyIdIn(header: string): string {
  const bad = (why: string) => new Error(`while validating header: ${why}`);
  const wrong = /[^A-Za-z0-9_-]/.exec(header)?.index ?? (header.length % 4 === 1 ? header.length : undefined);
  if (wrong !== undefined) throw bad(`while unwrapping header: illegal base64 data at input byte ${wrong}`);
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(header, 'base64url').toString());
  } catch (error) {
    throw bad(`while parsing header JSON: ${(error as Error).message}`);
  }
  const { alg, kid, typ, ...others } = (read ?? {}) as JsonObject;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`);
  if (typ !== 'JWT') throw bad('bad type');
  if (typeof kid !== 'string' || kid === '') throw bad('key id missing');
  if (Buffer.byteLength(kid) > LONGEST_ID) throw bad('key id longer than 1 kb');
  if (!ALGORITHMS.includes(alg)) throw bad(`bad signing algorithm ${goQuote(String(alg ?? ''))}`);
  return kid;
}

/** The signer's keys, fetched when they expire and when a token names an unknown one. */
class ExternalKeys implements TokenKeys {
  readonly #client: TokenSignerClient;
  readonly #needs: ExternalTokensNeeds;
  #keys: readonly VerificationKey[] = [];
  #unpublished: ReadonlySet<VerificationKey> = new Set();
  /** Distinguishes keys from earlier ones. */
  #state = '';
  #nextMs = 0;
  #fetching: Promise<void> | undefined;
  #timer: { cancel(): void } | undefined;
  #isStopped = false;
  readonly #listeners: (() => void)[] = [];

  constructor(client: TokenSignerClient, needs: ExternalTokensNeeds) {
    this.#client = client;
    this.#needs = needs;
  }

  find(id: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]> {
    const found = this.#known(id);
    return found.length > 0 ? found : this.#findAnew(id);
  }

  isUnpublished(key: VerificationKey): boolean {
    return this.#unpublished.has(key);
  }

  published(): readonly VerificationKey[] {
    return this.#keys.filter((key) => !this.#unpublished.has(key));
  }

  maxAgeSeconds(): number {
    return Math.max(0, Math.floor((this.#nextMs - this.#needs.clock.now()) / 1_000));
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Fetches them now; concurrent calls share the result. Rejects with an Error that says why there are none. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#client.close();
  }

  #known(id: string): readonly VerificationKey[] {
    return id === '' ? this.#keys : this.#keys.filter((key) => key.id === id);
  }

  async #findAnew(id: string): Promise<readonly VerificationKey[]> {
    const { log } = this.#needs;
    try {
      await this.fetch();
    } catch (error) {
      log.error('keys of service account tokens cannot be fetched', { error: (error as Error).message });
      return [];
    }
    return this.#known(id);
  }

  async #fetch(): Promise<void> {
    const { metrics, clock } = this.#needs;
    let nextMs = AGAIN_MS;
    try {
      const { keys, dataSeconds, refreshSeconds } = await this.#fetched();
      nextMs = refreshSeconds * 1_000;
      this.#nextMs = clock.now() + nextMs;
      this.#take(keys, dataSeconds);
      metrics.fetched(OK, dataSeconds);
    } catch (error) {
      metrics.fetched(codeOf(error), 0);
      throw error;
    } finally {
      this.#schedule(nextMs);
    }
  }

  async #fetched() {
    const told = within('while fetching token verification keys');
    try {
      const { keys, dataSeconds, refreshSeconds } = await this.#client
        .fetchKeys()
        .catch(within('while getting externally supported jwt signing keys'));
      if (refreshSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshSeconds}s)`);
      if (keys.length === 0) throw new Error('found no keys');
      if (dataSeconds === undefined) throw new Error('invalid data timestamp: proto: invalid nil Timestamp');
      return { keys: keys.map((each) => ({ ...each, verifies: verificationKey(each) })), dataSeconds, refreshSeconds };
    } catch (error) {
      return told(error as Error);
    }
  }

  #take(keys: readonly (FetchedKey & { verifies: VerificationKey })[], dataSeconds: number): void {
    this.#keys = keys.map(({ verifies }) => verifies);
    this.#unpublished = new Set(keys.filter((each) => each.isUnpublished).map(({ verifies }) => verifies));
    const state = JSON.stringify([dataSeconds, keys.map(({ id, isUnpublished }) => [id, isUnpublished])]);
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #schedule(afterMs: number): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    // If the fetch fails, earlier keys remain valid.
    this.#timer = this.#needs.clock.after(Math.min(afterMs, LONGEST_WAIT_MS), () => void this.#findAnew(''));
  }
}

/** @throws Error for an unusable key */
function verificationKey({ id, key }: FetchedKey): VerificationKey {
  const length = Buffer.byteLength(id);
  if (length === 0 || length > LONGEST_ID) throw new Error(`found invalid public key id ${goQuote(id)}`);
  if (key.length === 0) throw new Error('found empty public key');
  try {
    return new VerificationKey(createPublicKey({ key: Buffer.from(key), type: 'spki', format: 'der' }), id);
  } catch (error) {
    throw new Error(`while parsing external public keys: ${(error as Error).message}`, { cause: error });
  }
}

/** Rethrows an error with a prefix. */
function within(words: string): (error: Error) => never {
  return (error) => {
    throw new Error(`${words}: ${error.message}`, { cause: error });
  };
}

function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof CallError) return each.code;
  return NO_CALL;
}
