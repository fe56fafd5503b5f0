// Bootstrap tokens: `ID.SECRET`, each a Secret in kube-system with which a joining machine authenticates until it has a
// certificate (--enable-bootstrap-token-auth).

import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { type Soon, whenThere } from '../../base/soon.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { User } from '../user.ts';
import type { TokenAuthenticator } from './authenticator.ts';

const FORM = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const TYPE = 'bootstrap.kubernetes.io/token';
const BOOTSTRAPPERS = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

export class BootstrapTokens implements TokenAuthenticator {
  readonly permanent = false;
  readonly rememberedMs = limits.tokenCacheMs;
  readonly #objects: ObjectReader;
  readonly #clock: Clock;

  constructor({ objects, clock }: { readonly objects: ObjectReader; readonly clock: Clock }) {
    this.#objects = objects;
    this.#clock = clock;
  }

  authenticateToken(token: string): Soon<User | undefined> {
    const [, id, secret] = FORM.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const found = this.#objects.find({ group: '', resource: 'secrets' }, 'kube-system', `bootstrap-token-${id}`);
    return whenThere(found, (object) => this.#userOf(object, id, secret));
  }

  #userOf(object: ApiObject | undefined, id: string, secret: string): User | undefined {
    if (object === undefined || object['type'] !== TYPE || object.metadata.deletionTimestamp !== undefined) {
      return undefined;
    }
    const data = (object['data'] ?? {}) as JsonObject;
    const text = (name: string) => Buffer.from(String(data[name] ?? ''), 'base64').toString();
    if (!same(text('token-secret'), secret) || text('token-id') !== id) return undefined;
    if (this.#isExpired(text('expiration')) || text('usage-bootstrap-authentication') !== 'true') return undefined;
    const extra = text('auth-extra-groups');
    const groups = extra === '' ? [] : extra.split(',');
    if (!groups.every((group) => EXTRA_GROUP.test(group))) return undefined;
    const all = [...new Set([BOOTSTRAPPERS, ...groups])].sort();
    return { name: `system:bootstrap:${id}`, uid: '', groups: all, extra: {} };
  }

  /** An unparsable time counts as expired. */
  #isExpired(expiration: string): boolean {
    if (expiration === '') return false;
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration)) return true;
    return !(Date.parse(expiration) > this.#clock.now());
  }
}

/** Compared in constant time. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
