// Authorizer that calls a webhook with a SubjectAccessReview. Decisions are cached; if the webhook is unavailable, the
// failure policy determines whether the request is denied.

import type { JsonObject } from '../../api/object.ts';
import { textMember } from '../../api/untyped-members.ts';
import type { Clock } from '../../base/clock.ts';
import { errorList } from '../../base/error-list.ts';
import type { Soon } from '../../base/soon.ts';
import { RememberedAnswers } from '../remembered-answers.ts';
import type { AuthorizationAttributes, Authorizer, Decision, SelectorRequirement } from './authorizer.ts';

/** A match condition. @throws Error if its evaluation fails */
export type MatchCondition = (spec: JsonObject) => boolean;

interface WebhookAuthorizerOptions {
  /** The status of the response. @throws Error that says why there is none */
  readonly ask: (spec: JsonObject) => Promise<JsonObject>;
  readonly version: 'v1' | 'v1beta1';
  /** Whether an unavailable webhook denies the request. */
  readonly failsClosed: boolean;
  /** In milliseconds, 0 for no caching. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly conditions: readonly MatchCondition[];
  readonly clock: Clock;
  readonly observer: WebhookAuthorizerObserver;
}

export interface WebhookAuthorizerObserver {
  /** Called after match conditions were evaluated; `faults` of them failed. */
  matched(isMatch: boolean, faults: number, seconds: number): void;
  /** Called when the webhook was unavailable and the failure was ignored. */
  failedOpen(error: unknown): void;
}

const NO_OPINION: Decision = Object.freeze({ allowed: false, reason: '' });
/** Attributes that clients make longer than this are not cached. Kubernetes' value. */
const CACHED_CHARACTERS = 10_000;

export class WebhookAuthorizer implements Authorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #answers: RememberedAnswers<JsonObject>;

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
    this.#answers = new RememberedAnswers(options.clock);
  }

  authorize(attributes: AuthorizationAttributes): Soon<Decision> {
    const spec = reviewSpec(attributes);
    try {
      if (!this.#matches(spec)) return NO_OPINION;
    } catch (error) {
      return this.#failure(error);
    }
    const key = JSON.stringify(spec);
    const known = this.#answers.get(key);
    if (known !== undefined) return decisionOf(known);
    return this.#ask(spec, attributes, key);
  }

  async #ask(spec: JsonObject, attributes: AuthorizationAttributes, key: string): Promise<Decision> {
    const { ask, version, authorizedTtlMs, unauthorizedTtlMs, failsClosed, observer } = this.#options;
    let status: JsonObject;
    try {
      const { groups, ...rest } = spec;
      status = await ask(version === 'v1' || groups === undefined ? spec : { ...rest, group: groups });
    } catch (error) {
      if (!failsClosed) observer.failedOpen(error);
      return this.#failure(error);
    }
    const { namespace, verb, group, version: apiVersion, resource, subresource, name, path } = attributes;
    const length = [namespace, verb, group, apiVersion, resource, subresource, name, path].join('').length;
    if (length < CACHED_CHARACTERS) {
      this.#answers.set(key, status, status['allowed'] === true ? authorizedTtlMs : unauthorizedTtlMs);
    }
    return decisionOf(status);
  }

  /** One false condition suffices; a failed one only counts if none is false. */
  #matches(spec: JsonObject): boolean {
    const { conditions, observer } = this.#options;
    if (conditions.length === 0) return true;
    const start = performance.now();
    const faults: string[] = [];
    let isMatch = true;
    for (const condition of conditions) {
      try {
        isMatch = condition(spec);
      } catch (error) {
        faults.push((error as Error).message);
      }
      if (!isMatch) break;
    }
    observer.matched(isMatch, isMatch ? faults.length : 0, (performance.now() - start) / 1000);
    if (isMatch && faults.length > 0) throw new Error(errorList(faults));
    return isMatch;
  }

  #failure(error: unknown): Decision {
    const { message } = error as Error;
    return { allowed: false, reason: '', error: message, ...(this.#options.failsClosed ? { denied: true } : {}) };
  }
}

function decisionOf(status: JsonObject): Decision {
  const reason = textMember(status, 'reason');
  const [allowed, denied] = [status['allowed'] === true, status['denied'] === true];
  if (!denied) return { allowed, reason };
  const error = 'webhook subject access review returned both allow and deny response';
  return { allowed: false, denied, reason, ...(allowed ? { error } : {}) };
}

/** The spec of a SubjectAccessReview v1 without empty fields. */
function reviewSpec(attributes: AuthorizationAttributes): JsonObject {
  const { user, isResourceRequest, path, verb } = attributes;
  const { namespace, group, version, resource, subresource, name } = attributes;
  const selectors = {
    fieldSelector: selectorOf(attributes.fieldSelector?.() ?? []),
    labelSelector: selectorOf(attributes.labelSelector?.() ?? []),
  };
  const plain = { namespace, verb, group, version, resource, subresource, name };
  return withoutEmpty({
    ...(isResourceRequest
      ? { resourceAttributes: { ...withoutEmpty(plain), ...withoutEmpty(selectors) } }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    user: user.name,
    groups: [...user.groups],
    extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
    uid: user.uid,
  });
}

function selectorOf(requirements: readonly SelectorRequirement[]): JsonObject {
  if (requirements.length === 0) return {};
  return {
    requirements: requirements.map(({ key, operator, values }) => withoutEmpty({ key, operator, values: [...values] })),
  };
}

function withoutEmpty(object: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}
