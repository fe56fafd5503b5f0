// Service account tokens as credentials. The signature is verified once; the account and the objects that a token is
// bound to are checked at every use, so that a token becomes invalid with them.

import type { ApiObject, JsonObject } from '../../api/object.ts';
import { objectMember, textMember } from '../../api/untyped-members.ts';
import type { Clock } from '../../base/clock.ts';
import { goQuote, goQuoteList } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import type { ObjectReader } from '../object-reader.ts';
import { serviceAccountGroups, serviceAccountUser } from '../service-account.ts';
import { AUTHENTICATED, type User } from '../user.ts';
import { type ReviewedToken, type TokenAuthenticator, TokenError, type TokenRemarks } from './authenticator.ts';
import { checkSecretToken, readSecretClaims, type SecretTokenUse, type UsedSecret } from './secret-tokens.ts';
import { type BoundKind, type NamedObject, REVIEWED_GROUPS, SECRET_TOKEN_ISSUER } from './token-issuer.ts';
import { readToken, type UnverifiedToken } from './token-key.ts';
import type { TokenKeys } from './token-keys.ts';

interface ServiceAccountTokensOptions {
  /** The accepted issuers, and the keys that verify their tokens. */
  readonly issuers: readonly string[];
  readonly keys: TokenKeys;
  /** If false, a legacy token is valid without a check of its secret. */
  readonly looksUp?: boolean;
  /** Gates decide which claims become part of the user; all by default. */
  readonly gateEnabled?: GateEnabled;
  /** Audiences of this server; also assumed for tokens without any. */
  readonly audiences: readonly string[];
  readonly objects: ObjectReader;
  readonly clock: Clock;
  /**
   * Called for each use of a deprecated token: one without audiences, one from a secret, or one used after its warning
   * time.
   */
  readonly onUse?: ((use: TokenUse) => void) | undefined;
  /** Called with each secret whose token was used. */
  readonly onSecretUse?: ((secret: UsedSecret) => void) | undefined;
}

/**
 * Tokens without audiences; for those in secrets, how they were created; others: before and after their warning time.
 */
type TokenUse = 'legacy' | SecretTokenUse | 'valid' | 'stale';

/** The content of a token with a valid signature. */
interface TokenFacts {
  readonly subject: string;
  /** Empty for legacy tokens. */
  readonly audiences: readonly string[];
  /** Milliseconds since the Unix epoch; undefined if it is not in the token. */
  readonly notBeforeMs: number | undefined;
  readonly expiresMs: number | undefined;
  readonly issuedMs: number | undefined;
  readonly holder: BoundToken | SecretToken;
}

/** The account of a token, and the objects it is bound to. */
interface BoundToken {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly bound: readonly BoundObject[];
  readonly user: User;
  /** When the token should have been renewed; undefined if that is its expiry. */
  readonly warnAfterMs: number | undefined;
  /** The API groups that the server attests; undefined if it attests none. */
  readonly reviewedGroups: readonly string[] | undefined;
}

interface SecretToken {
  readonly claims: ReturnType<typeof readSecretClaims>;
}

interface BoundObject extends NamedObject {
  readonly kind: BoundKind;
}

/** Permitted clock skew, and how long an object is still valid while it is being deleted. The same as in Kubernetes. */
const LEEWAY_MS = 60_000;
const INVALIDATED = 'service account token has been invalidated';

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly permanent = false;
  readonly #options: ServiceAccountTokensOptions;
  /** The oldest are evicted. */
  readonly #known = new Map<string, TokenFacts>();

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    // Tokens verified by a removed key become invalid.
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
    const shared = this.#sharedAudiences(facts, audiences, remarks);
    const { holder } = facts;
    if ('claims' in holder) {
      return { user: await this.#checkSecretToken(facts, holder, { token, remarks }), audiences: shared };
    }
    this.#checkTime(facts);
    await this.#checkAccount(holder);
    this.#checkAttestation(holder);
    for (const object of holder.bound) await this.#checkBound(holder, object);
    this.#noteAge(facts, holder, remarks);
    return { user: holder.user, audiences: shared };
  }

  /** @throws TokenError for a token with other audiences */
  #sharedAudiences(facts: TokenFacts, asked: readonly string[], { annotations }: TokenRemarks): readonly string[] {
    let { audiences } = facts;
    if (audiences.length === 0) {
      annotations.push(['authentication.k8s.io/legacy-token', facts.subject]);
      this.#options.onUse?.('legacy');
      audiences = this.#options.audiences;
    }
    const shared = asked.filter((audience) => audiences.includes(audience));
    if (shared.length > 0) return shared;
    const target = `is invalid for the target audiences ${goQuoteList(asked)}`;
    throw new TokenError(`token audiences ${goQuoteList(audiences)} ${target}`);
  }

  /** @returns undefined for tokens of other issuers @throws TokenError for an invalid token of ours */
  async #read(token: string): Promise<TokenFacts | undefined> {
    const read = readToken(token);
    const from = read?.claims['iss'];
    if (read === undefined || !this.#isOurs(from)) return undefined;
    await this.#checkSignature(read);
    const facts = tokenFacts(read.claims, from === SECRET_TOKEN_ISSUER, this.#options.gateEnabled ?? (() => true));
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

  #checkTime({ expiresMs, notBeforeMs, issuedMs }: TokenFacts): void {
    const now = this.#options.clock.now();
    if (notBeforeMs !== undefined && now + LEEWAY_MS < notBeforeMs) {
      throw new TokenError('service account token is not valid yet');
    }
    if (expiresMs !== undefined && now - LEEWAY_MS > expiresMs) {
      throw new TokenError('service account token has expired');
    }
    if (issuedMs !== undefined && now + LEEWAY_MS < issuedMs) {
      throw new TokenError('service account token is issued in the future');
    }
  }

  async #checkSecretToken(
    { subject }: TokenFacts,
    { claims }: SecretToken,
    use: { readonly token: string; readonly remarks: TokenRemarks },
  ): Promise<User> {
    const { objects, looksUp, onUse, onSecretUse } = this.#options;
    const told = { subject, claims, ...use };
    const { namespace, account } = await checkSecretToken(told, { objects, looksUp, onUse, onSecretUse });
    return accountUser(namespace, account, {});
  }

  /** Late uses of an extended token are reported, because its holder may not have read it again. */
  #noteAge({ subject }: TokenFacts, { warnAfterMs }: BoundToken, { annotations }: TokenRemarks): void {
    if (warnAfterMs === undefined) return;
    const now = this.#options.clock.now();
    this.#options.onUse?.(now > warnAfterMs ? 'stale' : 'valid');
    if (now <= warnAfterMs) return;
    const late = Math.floor(now / 1000) - Math.floor(warnAfterMs / 1000);
    annotations.push([
      'authentication.k8s.io/stale-token',
      `subject: ${subject}, seconds after warning threshold: ${late}`,
    ]);
  }

  async #checkAccount({ namespace, account }: BoundToken): Promise<void> {
    const found = await this.#options.objects.find({ group: '', resource: 'serviceaccounts' }, namespace, account.name);
    if (found === undefined) throw new TokenError(`serviceaccounts ${goQuote(account.name)} not found`);
    const { uid = '' } = found.metadata;
    if (uid !== account.uid) throw new TokenError(`service account UID (${uid}) does not match claim (${account.uid})`);
    if (this.#isGone(found)) throw new TokenError(`service account ${namespace}/${account.name} has been deleted`);
  }

  async #checkBound(holder: BoundToken, { kind, name, uid }: BoundObject): Promise<void> {
    if (kind === 'node' && this.#options.gateEnabled?.(NODE_VALIDATION) === false) {
      throw new TokenError(`token is bound to a Node object but the ${NODE_VALIDATION} feature gate is disabled`);
    }
    const webhook = WEBHOOK_KINDS.get(kind);
    const group = webhook === undefined ? '' : 'admissionregistration.k8s.io';
    const namespace = kind === 'node' || webhook !== undefined ? '' : holder.namespace;
    const found = await this.#options.objects.find({ group, resource: `${kind}s` }, namespace, name);
    if (found === undefined) throw new TokenError(INVALIDATED);
    if (found.metadata.uid !== uid) {
      const claim = webhook === undefined ? kind : 'validating';
      throw new TokenError(
        `${webhook ?? kind} UID (${found.metadata.uid}) does not match service account ${claim} ref claim (${uid})`,
      );
    }
    if (this.#isGone(found)) throw new TokenError(INVALIDATED);
  }

  /** @throws TokenError for a token that is bound to a webhook and does not say to whose reviews it belongs */
  #checkAttestation({ bound, reviewedGroups }: BoundToken): void {
    if (!bound.some(({ kind }) => WEBHOOK_KINDS.has(kind))) return;
    if (this.#options.gateEnabled?.(WEBHOOK_BINDING) === false) {
      throw new TokenError(`feature gate "${WEBHOOK_BINDING}" is disabled, but token is webhook bound`);
    }
    if (reviewedGroups !== undefined) return;
    throw new TokenError(`bound object was a webhook config, but "${REVIEWED_GROUPS}" attestation is missing`);
  }

  #isGone({ metadata }: ApiObject): boolean {
    const { deletionTimestamp } = metadata;
    return (
      typeof deletionTimestamp === 'string' && Date.parse(deletionTimestamp) < this.#options.clock.now() - LEEWAY_MS
    );
  }
}

const NODE_VALIDATION = 'ServiceAccountTokenNodeBindingValidation';
const WEBHOOK_BINDING = 'APIServerWebhookAuthenticationToken';

/** Objects of admission, as messages name them. */
const WEBHOOK_KINDS: ReadonlyMap<BoundKind, string> = new Map([
  ['validatingwebhookconfiguration', 'ValidatingWebhookConfiguration'],
  ['mutatingwebhookconfiguration', 'MutatingWebhookConfiguration'],
]);

type GateEnabled = (gate: FeatureGateName) => boolean;

function tokenFacts(claims: JsonObject, liesInSecret: boolean, gateEnabled: GateEnabled): TokenFacts {
  const { aud } = claims;
  return {
    subject: textMember(claims, 'sub'),
    audiences: Array.isArray(aud) ? aud.map(String) : typeof aud === 'string' ? [aud] : [],
    notBeforeMs: timeMember(claims, 'nbf'),
    expiresMs: timeMember(claims, 'exp'),
    issuedMs: timeMember(claims, 'iat'),
    holder: liesInSecret ? { claims: readSecretClaims(claims) } : boundToken(claims, gateEnabled),
  };
}

function timeMember(claims: JsonObject, name: string): number | undefined {
  const seconds = claims[name];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

function boundToken(claims: JsonObject, gateEnabled: GateEnabled): BoundToken {
  const kubernetes = objectMember(claims, 'kubernetes.io');
  const namespace = textMember(kubernetes, 'namespace');
  const account = namedAt(kubernetes, 'serviceaccount');
  const named = BOUND_KINDS.flatMap((kind) => (kind in kubernetes ? [{ kind, ...namedAt(kubernetes, kind) }] : []));
  // The node of a pod is recorded but not checked: the pod is removed with its node anyway.
  const bound = named.some(({ kind }) => kind === 'pod') ? named.filter(({ kind }) => kind !== 'node') : named;
  const id = gateEnabled('ServiceAccountTokenJTI') ? textMember(claims, 'jti') : '';
  const extra: Record<string, readonly string[]> = id === '' ? {} : { [`${EXTRA}credential-id`]: [`JTI=${id}`] };
  const hidesNode = bound.length < named.length && !gateEnabled('ServiceAccountTokenPodNodeInfo');
  for (const { kind, name, uid } of named) {
    if (kind === 'secret' || (kind === 'node' && hidesNode)) continue;
    extra[`${EXTRA}${kind}-name`] = [name];
    if (uid !== '') extra[`${EXTRA}${kind}-uid`] = [uid];
  }
  const reviewedGroups = attestedGroups(kubernetes);
  if (reviewedGroups !== undefined && bound.some(({ kind }) => WEBHOOK_KINDS.has(kind))) {
    extra[`attestation.${EXTRA}${REVIEWED_GROUPS}`] = reviewedGroups;
  }
  const warnAfterMs = timeMember(kubernetes, 'warnafter');
  return {
    ...{ namespace, account, bound, reviewedGroups, user: accountUser(namespace, account, extra) },
    warnAfterMs: warnAfterMs === 0 ? undefined : warnAfterMs,
  };
}

const EXTRA = 'authentication.kubernetes.io/';
/** In the order in which they are checked. */
const BOUND_KINDS: readonly BoundKind[] = ['secret', 'pod', 'node', ...WEBHOOK_KINDS.keys()];

function attestedGroups(kubernetes: JsonObject): readonly string[] | undefined {
  const groups = objectMember(kubernetes, 'attestations')[REVIEWED_GROUPS];
  return Array.isArray(groups) && groups.length > 0 ? groups.map(String) : undefined;
}

function accountUser(namespace: string, { name, uid }: NamedObject, extra: User['extra']): User {
  const groups = [...serviceAccountGroups(namespace), AUTHENTICATED];
  return { name: serviceAccountUser({ namespace, name }), uid, groups, extra };
}

function namedAt(object: JsonObject, member: string): NamedObject {
  const found = objectMember(object, member);
  return { name: textMember(found, 'name'), uid: textMember(found, 'uid') };
}
