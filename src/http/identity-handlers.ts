// Handlers of identity and authorization requests: access reviews and service account tokens. Nothing is stored.

import { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import { reviewAccess, reviewRules } from '../verbs/access-review.ts';
import { reviewSelf, reviewToken } from '../verbs/identity-review.ts';
import type { RequestBody, ResourceRequest } from '../verbs/resource-request.ts';
import { requestToken } from '../verbs/token-request.ts';
import { checkWriteOptions } from '../verbs/write-options.ts';
import { readObject } from './body/body.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestServices } from './request-services.ts';
import { checkAcceptable, unstoredFormat } from './response/negotiate.ts';
import { goTypeOfKind, respondMade } from './response/value-response.ts';

type Make = (services: RequestServices, request: ResourceRequest, body: RequestBody) => Promise<ApiObject>;

function answeredBy(make: Make, kind?: string) {
  return async (context: RequestContext, request: ResourceRequest): Promise<void> => {
    checkAcceptable(context, false);
    const format = unstoredFormat(context);
    checkWriteOptions(request, 'CreateOptions');
    const body = await readObject(context, kind ?? request.definition.kind);
    const made = await make(context.services, request, body);
    // Subresources have kinds of their own, which may belong to another version than the requested one.
    const version = kind === undefined ? request.version : undefined;
    const value = version === undefined ? made : inVersion(made, request);
    const goType = goTypeOfKind({
      group: parseApiVersion(String(value['apiVersion']))?.group ?? '',
      kind: String(value['kind']),
    });
    await respondMade(context, { object: value, format, version, goType, turn: body.turn });
  };
}

/** A review in the requested version: all versions of a review have the same fields. */
function inVersion(review: ApiObject, { definition, version }: ResourceRequest): ApiObject {
  return { ...review, apiVersion: apiVersionOf({ group: definition.group, version: version.version }) };
}

export const createAccessReview = answeredBy(reviewAccess);
export const createRulesReview = answeredBy(reviewRules);
export const createTokenReview = answeredBy(reviewToken);
export const createSelfReview = answeredBy(reviewSelf);
export const createToken = answeredBy(
  (services, request, body) => requestToken({ ...services, ...services.serviceAccountTokens }, request, body),
  'TokenRequest',
);
