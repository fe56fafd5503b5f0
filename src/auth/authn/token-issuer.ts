// Issuer of service account tokens: their claims, with Kubernetes' names.

import type { Json, JsonObject } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Soon } from '../../base/soon.ts';
import { serviceAccountUser } from '../service-account.ts';

/** A reference to an object in a token. */
export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** What the server attests in tokens that are bound to a webhook, and the resource whose verb `attest` permits it. */
export const REVIEWED_GROUPS = 'admissionReviewAPIGroups';

/** The objects that a token can be bound to, as its claims name them. */
export type BoundKind = (typeof BOUND_KINDS)[number];

export interface BoundTokenRequest {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Objects that the token is bound to, by the names of their claims. A node may lack its UID. */
  readonly bound: { readonly [kind in BoundKind]?: NamedObject };
  /** What the server attests, by name, in tokens that are bound to a webhook. */
  readonly attestations?: Readonly<Record<string, readonly string[] | null>>;
  /** Seconds after which a use of the token causes a warning. */
  readonly warnAfterSeconds?: number;
}

/** The signer of tokens. */
export interface TokenSigner {
  /** Signs a token with these claims. Throws or rejects with an Error that gives the reason. */
  sign(claims: JsonObject): Soon<string>;
}

/** The issuer of legacy tokens, which are stored in secrets and do not expire. */
export const SECRET_TOKEN_ISSUER = 'kubernetes/serviceaccount';

interface TokenIssuerNeeds {
  readonly url: string;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether each token has an ID, which audit events name; true by default. */
  readonly hasIds?: boolean;
}

export class TokenIssuer {
  readonly url: string;
  readonly #signer: TokenSigner;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #hasIds: boolean;

  constructor({ url, signer, clock, random, hasIds = true }: TokenIssuerNeeds) {
    this.#hasIds = hasIds;
    this.url = url;
    this.#signer = signer;
    this.#clock = clock;
    this.#random = random;
  }

  /** Rejects with an Error that gives the reason. */
  async issue(request: BoundTokenRequest): Promise<string> {
    const { namespace, account, audiences, expirationSeconds, bound, warnAfterSeconds, attestations = {} } = request;
    const now = Math.floor(this.#clock.now() / 1000);
    const kubernetes: JsonObject = { namespace, serviceaccount: named(account) };
    for (const kind of BOUND_KINDS) if (bound[kind] !== undefined) kubernetes[kind] = named(bound[kind]);
    if (Object.keys(attestations).length > 0) kubernetes['attestations'] = attestations as JsonObject;
    if (warnAfterSeconds !== undefined) kubernetes['warnafter'] = now + warnAfterSeconds;
    return this.#signer.sign({
      aud: [...audiences],
      exp: now + expirationSeconds,
      iat: now,
      iss: this.url,
      ...(this.#hasIds ? { jti: this.#random.uuid() } : {}),
      'kubernetes.io': sorted(kubernetes),
      nbf: now,
      sub: serviceAccountUser({ namespace, name: account.name }),
    });
  }
}

const BOUND_KINDS = [
  'node',
  'pod',
  'secret',
  'validatingwebhookconfiguration',
  'mutatingwebhookconfiguration',
] as const;

/** Claims are in the order of their names. */
function sorted(claims: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(claims).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The claims of a legacy token. */
export function secretTokenClaims(namespace: string, secretName: string, account: NamedObject): JsonObject {
  return {
    iss: SECRET_TOKEN_ISSUER,
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secretName,
    'kubernetes.io/serviceaccount/service-account.name': account.name,
    'kubernetes.io/serviceaccount/service-account.uid': account.uid,
    sub: serviceAccountUser({ namespace, name: account.name }),
  };
}

function named({ name, uid }: NamedObject): Json {
  return uid === '' ? { name } : { name, uid };
}
