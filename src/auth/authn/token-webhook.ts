// Token authenticator that calls a webhook with a TokenReview; results are cached, including rejections.

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../api/object.ts';
import { objectMember, textMember } from '../../api/untyped-members.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { WebhookQuestion } from '../../outbound/webhook-question.ts';
import { RememberedAnswers } from '../remembered-answers.ts';
import type { User } from '../user.ts';
import { type ReviewedToken, type TokenAuthenticator, TokenError } from './authenticator.ts';

interface TokenWebhookOptions {
  readonly question: Pick<WebhookQuestion, 'ask'>;
  /** Audiences of this server: sent to the webhook, and assumed if it returns none. */
  readonly audiences: readonly string[];
  readonly cacheTtlMs: number;
  readonly clock: Clock;
}

export class TokenWebhook implements TokenAuthenticator {
  readonly permanent = false;
  readonly rememberedMs = limits.tokenCacheMs;
  readonly #options: TokenWebhookOptions;
  readonly #answers: RememberedAnswers<JsonObject>;
  /** Calls in progress, shared by concurrent requests with the same token. */
  readonly #asking = new Map<string, Promise<JsonObject>>();

  constructor(options: TokenWebhookOptions) {
    this.#options = options;
    this.#answers = new RememberedAnswers(options.clock);
  }

  /** @throws TokenError if the webhook is unavailable, or returns an error */
  async authenticateToken(token: string): Promise<User | undefined> {
    return (await this.reviewToken(token, this.#options.audiences))?.user;
  }

  async reviewToken(token: string, audiences: readonly string[]): Promise<ReviewedToken | undefined> {
    const status = await this.#statusOf(token, audiences);
    const named = texts(status['audiences']);
    const meant = named.length > 0 ? named : this.#options.audiences;
    const shared = meant.filter((audience) => audiences.includes(audience));
    if (audiences.length > 0 && shared.length === 0) return undefined;
    if (status['authenticated'] !== true) {
      const why = textMember(status, 'error');
      if (why !== '') throw new TokenError(why);
      return undefined;
    }
    return { user: userOf(objectMember(status, 'user')), audiences: shared };
  }

  async #statusOf(token: string, audiences: readonly string[]): Promise<JsonObject> {
    // A digest, so that tokens are not kept in memory.
    const key = createHash('sha256')
      .update(JSON.stringify([token, audiences]))
      .digest('base64');
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#ask(token, audiences).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    const status = await asking;
    // Errors of the webhook are not cached. With an authenticated token they do not count.
    if (status['authenticated'] === true || textMember(status, 'error') === '')
      this.#answers.set(key, status, this.#options.cacheTtlMs);
    return status;
  }

  async #ask(token: string, audiences: readonly string[]): Promise<JsonObject> {
    const spec: JsonObject = audiences.length === 0 ? { token } : { token, audiences: [...audiences] };
    try {
      return await this.#options.question.ask(spec);
    } catch (error) {
      throw new TokenError((error as Error).message);
    }
  }
}

function userOf(user: JsonObject): User {
  const entries = Object.entries(objectMember(user, 'extra')).map(([key, values]) => [key, texts(values as Json)]);
  const extra: Record<string, readonly string[]> = Object.fromEntries(entries);
  return { name: textMember(user, 'username'), uid: textMember(user, 'uid'), groups: texts(user['groups']), extra };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
