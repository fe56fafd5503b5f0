// Identity reviews: TokenReview and SelfSubjectReview.

import { errors } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { type Authenticator, TokenError } from '../auth/authn/authenticator.ts';
import type { User } from '../auth/user.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { readReview } from './review.ts';
import type { WriteContext } from './write.ts';

interface IdentityReviewContext {
  readonly writes: WriteContext;
  readonly authenticator: Authenticator;
}

/** TokenReview. @throws ApiError 400 without a token */
export async function reviewToken(
  { writes, authenticator }: IdentityReviewContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const review = await readReview(writes, request, body);
  const spec = (review.spec ?? {}) as JsonObject;
  const { token, audiences } = spec;
  if (typeof token !== 'string' || token === '') {
    throw errors.badRequest('token is required for TokenReview in authentication');
  }
  review.status = await tokenStatus(authenticator, token, Array.isArray(audiences) ? (audiences as string[]) : []);
  return review;
}

async function tokenStatus(
  authenticator: Authenticator,
  token: string,
  audiences: readonly string[],
): Promise<JsonObject> {
  try {
    const found = await authenticator.review(token, audiences);
    return { authenticated: true, user: userInfo(found.user), audiences: [...found.audiences] };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return { user: {}, error: error.message };
  }
}

/** SelfSubjectReview: the content of the request is ignored. */
export async function reviewSelf(
  { writes }: IdentityReviewContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const { kind, apiVersion } = await readReview(writes, request, body);
  const metadata = { creationTimestamp: timestamp(writes.registry.clock.now()) };
  return { kind, apiVersion, metadata, status: { userInfo: userInfo(request.user) } } as ApiObject;
}

/** A user in API form; empty fields are omitted. */
function userInfo({ name, uid, groups, extra }: User): JsonObject {
  const info: JsonObject = {};
  if (name !== '') info['username'] = name;
  if (uid !== '') info['uid'] = uid;
  if (groups.length > 0) info['groups'] = [...groups];
  if (Object.keys(extra).length > 0) info['extra'] = structuredClone(extra) as JsonObject;
  return info;
}
