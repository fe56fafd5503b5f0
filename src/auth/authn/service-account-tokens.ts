// Tokens of service accounts as credentials. The signature is checked once; that the account and the objects that a
// token is bound to are still the same is checked at every use, so that a token dies with them.

import { Buffer } from 'node:buffer';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { objectMember, textMember } from '../../api/untyped-members.ts';
import type { Clock } from '../../base/clock.ts';
import { goQuote, goQuoteList } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import type { ObjectReader } from '../object-reader.ts';
import { serviceAccountGroups, serviceAccountUser } from '../service-account.ts';
import { AUTHENTICATED, type User } from '../user.ts';
import { type ReviewedToken, type TokenAuthenticator, TokenError, type TokenRemarks } from './authenticator.ts';
import { type NamedObject, SECRET_TOKEN_ISSUER } from './token-issuer.ts';
import { readToken, type UnverifiedToken } from './token-key.ts';
import type { TokenKeys } from './token-keys.ts';

interface ServiceAccountTokensOptions {
  /** The issuers whose tokens are accepted, and the keys that verify them. */
  readonly issuers: readonly string[];
  readonly keys: TokenKeys;
  /** False: a token that lies in a secret is trusted without a look at the secret. */
  readonly looksUp?: boolean;
  /** Audiences that this server is; also those of tokens that name none. */
  readonly audiences: readonly string[];
  readonly objects: ObjectReader;
  readonly clock: Clock;
  /**
   * Told of each use of a token that is to go: one from a secret, or one that is used past the time it was meant
   * for.
   */
  readonly onUse?: ((use: TokenUse) => void) | undefined;
}

/**
 * Tokens of secrets: made by the server itself, by hand, or marked as invalid; others: before and after their
 * warning.
 */
type TokenUse = 'legacyAuto' | 'legacyManual' | 'legacyInvalid' | 'valid' | 'stale';

/** What a token whose signature is right says. */
interface TokenFacts {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly bound: readonly BoundObject[];
  readonly audiences: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly notBeforeMs: number;
  readonly expiresMs: number;
  readonly user: User;
  /** When the token should have been replaced; undefined where that is when it expires. */
  readonly warnAfterMs?: number | undefined;
  /** Whether the token must be the one that lies in its secret. */
  readonly liesInSecret: boolean;
}

interface BoundObject extends NamedObject {
  readonly kind: 'pod' | 'secret' | 'node';
}

/** How long an object that is being deleted still stands. Kubernetes' own number. */
const DELETION_LEEWAY_MS = 60_000;
/** The label of a secret whose token is not to be used any more. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const AUTO_GENERATED =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
const INVALIDATED = 'service account token has been invalidated';

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly permanent = false;
  readonly #options: ServiceAccountTokensOptions;
  /** The oldest goes first when there are too many. */
  readonly #known = new Map<string, TokenFacts>();

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    // What a key vouched for that is gone is not believed any more.
    options.keys.onChange(() => this.#known.clear());
  }

  async authenticateToken(token: string, remarks?: TokenRemarks): Promise<User | undefined> {
    return (await this.reviewToken(token, this.#options.audiences, remarks))?.user;
  }

  async reviewToken(
    token: string,
    audiences: readonly string[],
    remarks: TokenRemarks = { warnings: [], annotations: [] },
  ): Promise<ReviewedToken | undefined> {
    const facts = this.#known.get(token) ?? (await this.#read(token));
    if (facts === undefined) return undefined;
    const shared = facts.audiences.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      throw new TokenError(
        `token audiences ${goQuoteList(facts.audiences)} is invalid for the target audiences ${goQuoteList(audiences)}`,
      );
    }
    this.#checkTime(facts);
    if (facts.liesInSecret && this.#options.looksUp === false) return { user: facts.user, audiences: shared };
    const account = await this.#checkAccount(facts);
    for (const object of facts.bound) {
      const found = await this.#checkBound(facts, object, token);
      if (facts.liesInSecret) this.#noteSecret(found, account, remarks);
    }
    this.#noteAge(facts, remarks);
    return { user: facts.user, audiences: shared };
  }

  /** @returns undefined for tokens that others issue @throws TokenError for one that only claims to be ours */
  async #read(token: string): Promise<TokenFacts | undefined> {
    const read = readToken(token);
    const { audiences } = this.#options;
    const from = read?.claims['iss'];
    if (read === undefined || !this.#isOurs(from)) return undefined;
    await this.#checkSignature(read);
    const facts = from === SECRET_TOKEN_ISSUER ? secretTokenFacts(read.claims, audiences) : tokenFacts(read.claims);
    if (this.#known.size >= limits.rememberedCredentials) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(token, facts);
    return facts;
  }

  #isOurs(from: unknown): boolean {
    return from === SECRET_TOKEN_ISSUER || this.#options.issuers.includes(String(from));
  }

  /** @throws TokenError */
  async #checkSignature(token: UnverifiedToken): Promise<void> {
    const keys = await this.#options.keys.find(token.keyId);
    if (keys.length === 0) throw new TokenError('invalid signature, no keys found');
    if (!keys.some((key) => key.signed(token))) throw new TokenError('the signature of the token is not valid');
  }

  #checkTime({ expiresMs, notBeforeMs }: TokenFacts): void {
    const now = this.#options.clock.now();
    if (now > expiresMs) throw new TokenError('service account token has expired');
    if (now < notBeforeMs) throw new TokenError('service account token is not valid yet');
  }

  /** @throws TokenError for the token of a secret that is marked as invalid */
  #noteSecret({ metadata }: ApiObject, account: ApiObject, { warnings, annotations }: TokenRemarks): void {
    const { onUse } = this.#options;
    const { namespace = '', name = '', labels } = metadata;
    if ((labels?.[INVALID_SINCE] ?? '') !== '') {
      onUse?.('legacyInvalid');
      throw new TokenError(
        `the token in secret ${namespace}/${name} for service account ${namespace}/${account.metadata.name} has been ` +
          'marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the ' +
          `'${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
      );
    }
    const secrets = account['secrets'] as readonly { readonly name?: string }[] | undefined;
    if (Array.isArray(secrets) && secrets.some((each) => each.name === name)) {
      onUse?.('legacyAuto');
      warnings.push(AUTO_GENERATED);
      annotations.push(['authentication.k8s.io/legacy-token-autogenerated-secret', name]);
    } else {
      onUse?.('legacyManual');
      annotations.push(['authentication.k8s.io/legacy-token-manual-secret', name]);
    }
  }

  /** A token that lives on because its holder may not read it again is told of when it is used late. */
  #noteAge({ user, warnAfterMs }: TokenFacts, { annotations }: TokenRemarks): void {
    if (warnAfterMs === undefined) return;
    const late = Math.floor((this.#options.clock.now() - warnAfterMs) / 1000);
    this.#options.onUse?.(late > 0 ? 'stale' : 'valid');
    if (late <= 0) return;
    const text = `subject: ${user.name}, seconds after warning threshold: ${late}`;
    annotations.push(['authentication.k8s.io/stale-token', text]);
  }

  async #checkAccount({ namespace, account }: TokenFacts): Promise<ApiObject> {
    const found = await this.#options.objects.find({ group: '', resource: 'serviceaccounts' }, namespace, account.name);
    if (found === undefined) throw new TokenError(`serviceaccounts ${goQuote(account.name)} not found`);
    if (this.#isGone(found)) throw new TokenError(INVALIDATED);
    const { uid = '' } = found.metadata;
    if (uid !== account.uid) throw new TokenError(`service account UID (${uid}) does not match claim (${account.uid})`);
    return found;
  }

  async #checkBound(facts: TokenFacts, { kind, name, uid }: BoundObject, token: string): Promise<ApiObject> {
    const namespace = kind === 'node' ? '' : facts.namespace;
    const found = await this.#options.objects.find({ group: '', resource: `${kind}s` }, namespace, name);
    if (found === undefined || this.#isGone(found)) throw new TokenError(INVALIDATED);
    if (facts.liesInSecret) {
      const data = found['data'] as JsonObject | undefined;
      const kept = Buffer.from(String(data?.['token'] ?? ''), 'base64').toString();
      if (kept !== token) throw new TokenError("Token does not match server's copy");
    } else if (found.metadata.uid !== uid) {
      throw new TokenError(
        `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`,
      );
    }
    return found;
  }

  #isGone({ metadata }: ApiObject): boolean {
    const { deletionTimestamp } = metadata;
    return (
      typeof deletionTimestamp === 'string' &&
      Date.parse(deletionTimestamp) < this.#options.clock.now() - DELETION_LEEWAY_MS
    );
  }
}

function tokenFacts(claims: JsonObject): TokenFacts {
  const kubernetes = objectMember(claims, 'kubernetes.io');
  const namespace = textMember(kubernetes, 'namespace');
  const account = namedAt(kubernetes, 'serviceaccount');
  const named = BOUND_KINDS.flatMap((kind) => (kind in kubernetes ? [{ kind, ...namedAt(kubernetes, kind) }] : []));
  // The node of a pod is told, not watched: the pod goes with its node anyway.
  const bound = named.some(({ kind }) => kind === 'pod') ? named.filter(({ kind }) => kind !== 'node') : named;
  const extra: Record<string, readonly string[]> = { [`${EXTRA}credential-id`]: [`JTI=${textMember(claims, 'jti')}`] };
  for (const { kind, name, uid } of named) {
    if (kind === 'secret') continue;
    extra[`${EXTRA}${kind}-name`] = [name];
    if (uid !== '') extra[`${EXTRA}${kind}-uid`] = [uid];
  }
  const aud = claims['aud'];
  const warnAfter = kubernetes['warnafter'];
  return {
    namespace,
    account,
    bound,
    audiences: Array.isArray(aud) ? aud.map(String) : [String(aud)],
    notBeforeMs: Number(claims['nbf']) * 1000,
    expiresMs: Number(claims['exp']) * 1000,
    user: accountUser(namespace, account, extra),
    warnAfterMs: typeof warnAfter === 'number' && warnAfter !== 0 ? warnAfter * 1000 : undefined,
    liesInSecret: false,
  };
}

const EXTRA = 'authentication.kubernetes.io/';
const BOUND_KINDS = ['secret', 'pod', 'node'] as const;

function secretTokenFacts(claims: JsonObject, audiences: readonly string[]): TokenFacts {
  const claim = (name: string) => textMember(claims, `kubernetes.io/serviceaccount/${name}`);
  const namespace = claim('namespace');
  const account = { name: claim('service-account.name'), uid: claim('service-account.uid') };
  return {
    namespace,
    account,
    bound: [{ kind: 'secret', name: claim('secret.name'), uid: '' }],
    audiences,
    notBeforeMs: 0,
    expiresMs: Number.POSITIVE_INFINITY,
    user: accountUser(namespace, account, {}),
    liesInSecret: true,
  };
}

function accountUser(namespace: string, { name, uid }: NamedObject, extra: User['extra']): User {
  const groups = [...serviceAccountGroups(namespace), AUTHENTICATED];
  return { name: serviceAccountUser({ namespace, name }), uid, groups, extra };
}

function namedAt(object: JsonObject, member: string): NamedObject {
  const found = objectMember(object, member);
  return { name: textMember(found, 'name'), uid: textMember(found, 'uid') };
}
