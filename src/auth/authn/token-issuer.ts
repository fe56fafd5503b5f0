// Issues tokens for service accounts: what they claim, in the names that Kubernetes gives to claims.

import type { Json, JsonObject } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import { serviceAccountUser } from '../service-account.ts';
import type { TokenKey } from './token-key.ts';

/** Something that a token names, as it is now. */
export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

export interface BoundTokenRequest {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Objects that the token lives and dies with, by the names that claims have for them. A node may lack its uid. */
  readonly bound: { readonly [kind in 'pod' | 'secret' | 'node']?: NamedObject };
  /** From when on, in seconds after now, a use of the token is worth a warning. */
  readonly warnAfterSeconds?: number;
}

/** The issuer that tokens of the old kind name, those that lie in secrets and do not expire. */
export const SECRET_TOKEN_ISSUER = 'kubernetes/serviceaccount';

export class TokenIssuer {
  readonly url: string;
  readonly key: TokenKey;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ url, key, clock, random }: { url: string; key: TokenKey; clock: Clock; random: Random }) {
    this.url = url;
    this.key = key;
    this.#clock = clock;
    this.#random = random;
  }

  issue(request: BoundTokenRequest): string {
    const { namespace, account, audiences, expirationSeconds, bound, warnAfterSeconds } = request;
    const now = Math.floor(this.#clock.now() / 1000);
    const kubernetes: JsonObject = { namespace };
    for (const [kind, object] of Object.entries(bound)) if (object !== undefined) kubernetes[kind] = named(object);
    kubernetes['serviceaccount'] = named(account);
    if (warnAfterSeconds !== undefined) kubernetes['warnafter'] = now + warnAfterSeconds;
    return this.key.sign({
      aud: [...audiences],
      exp: now + expirationSeconds,
      iat: now,
      iss: this.url,
      jti: this.#random.uuid(),
      'kubernetes.io': kubernetes,
      nbf: now,
      sub: serviceAccountUser({ namespace, name: account.name }),
    });
  }

  /** A token of the old kind. */
  issueForSecret(namespace: string, secretName: string, account: NamedObject): string {
    return this.key.sign({
      iss: SECRET_TOKEN_ISSUER,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secretName,
      'kubernetes.io/serviceaccount/service-account.name': account.name,
      'kubernetes.io/serviceaccount/service-account.uid': account.uid,
      sub: serviceAccountUser({ namespace, name: account.name }),
    });
  }
}

function named({ name, uid }: NamedObject): Json {
  return uid === '' ? { name } : { name, uid };
}
