// Access reviews: whether a user may do something, and everything that the caller may do.

import { errors } from '../api/errors.ts';
import { pinnedFieldIn } from '../api/field-selector.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { objectMember, textMember } from '../api/untyped-members.ts';
import type { AuthorizationAttributes, Authorizer } from '../auth/authz/authorizer.ts';
import type { UserRules } from '../auth/authz/rbac.ts';
import { leftOut, reviewedFields, reviewedLabels, reviewedRequirements } from '../auth/authz/selector-requirements.ts';
import type { User } from '../auth/user.ts';
import { errorList } from '../base/error-list.ts';
import { limits } from '../base/limits.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { readReview } from './review.ts';
import type { WriteContext } from './write.ts';

interface ReviewContext {
  readonly writes: WriteContext;
  readonly authorizer: Authorizer;
  /** What a user may do in a namespace. */
  readonly rulesFor: (user: User, namespace: string) => UserRules;
}

/**
 * SubjectAccessReview and LocalSubjectAccessReview, for the user they name, and SelfSubjectAccessReview, for the
 * caller.
 */
export async function reviewAccess(
  { writes, authorizer }: ReviewContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const review = await readReview(writes, request, body);
  const spec = objectMember(review, 'spec');
  const user = request.definition.kind === 'SelfSubjectAccessReview' ? request.user : reviewedUser(spec);
  const { allowed, denied, reason, error } = await authorizer.authorize(attributesOf(spec, user));
  const status: JsonObject = { allowed };
  if (denied === true) status['denied'] = true;
  if (reason !== '') status['reason'] = reason;
  const ignored = ignoredSelectors(objectMember(spec, 'resourceAttributes'));
  const faults = [...(error === undefined ? [] : [error]), ...ignored];
  if (faults.length > 0) status['evaluationError'] = faults.join('; ');
  review.status = status;
  return review;
}

function reviewedUser(spec: JsonObject): User {
  return {
    name: textMember(spec, 'user'),
    uid: textMember(spec, 'uid'),
    groups: Array.isArray(spec['groups']) ? (spec['groups'] as string[]) : [],
    extra: objectMember(spec, 'extra') as Record<string, string[]>,
  };
}

function attributesOf(spec: JsonObject, user: User): AuthorizationAttributes {
  const isResourceRequest = typeof spec['resourceAttributes'] === 'object' && spec['resourceAttributes'] !== null;
  const asked = objectMember(spec, isResourceRequest ? 'resourceAttributes' : 'nonResourceAttributes');
  return {
    user,
    isResourceRequest,
    verb: textMember(asked, 'verb'),
    path: textMember(asked, 'path'),
    group: textMember(asked, 'group'),
    // As in kube-apiserver: webhooks and their match conditions see all versions.
    version: textMember(asked, 'version') || (isResourceRequest ? '*' : ''),
    resource: textMember(asked, 'resource'),
    subresource: textMember(asked, 'subresource'),
    namespace: textMember(asked, 'namespace'),
    name: textMember(asked, 'name'),
    pinnedField: (field) => pinnedField(objectMember(asked, 'fieldSelector'), field),
    fieldSelector: () => reviewedRequirements(objectMember(asked, 'fieldSelector'), reviewedFields),
    labelSelector: () => reviewedRequirements(objectMember(asked, 'labelSelector'), reviewedLabels),
  };
}

/** The value that a field selector requires a field to have, given as a string or as requirements. */
function pinnedField(selector: JsonObject, field: string): string | undefined {
  const raw = textMember(selector, 'rawSelector');
  if (raw !== '') return raw.length > limits.promptSelectorCharacters ? undefined : pinnedFieldIn(raw, field);
  const { requirements } = selector;
  if (!Array.isArray(requirements)) return undefined;
  for (const requirement of requirements as JsonObject[]) {
    const { key, operator, values } = requirement;
    if (key === field && operator === 'In' && Array.isArray(values) && values.length === 1) return String(values[0]);
  }
  return undefined;
}

const SELECTORS = { fieldSelector: reviewedFields, labelSelector: reviewedLabels };

/** Selectors that cannot be parsed, or have operators of later versions, are ignored, and the review says so. */
function ignoredSelectors(attributes: JsonObject): string[] {
  return Object.entries(SELECTORS).flatMap(([member, kind]) => {
    const out = leftOut(objectMember(attributes, member), kind);
    if (out === 'nothing') return [];
    return [`spec.resourceAttributes.${member} ${out === 'a part' ? 'partially ' : ''}ignored due to parse error`];
  });
}

/** SelfSubjectRulesReview. @throws ApiError 400 without a namespace */
export async function reviewRules(
  { writes, rulesFor }: ReviewContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const review = await readReview(writes, request, body);
  const namespace = textMember(objectMember(review, 'spec'), 'namespace');
  if (namespace === '') throw errors.badRequest('no namespace on request');
  const { rules, errors: faults, incomplete = false } = rulesFor(request.user, namespace);
  const status: JsonObject = {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) =>
        withoutEmpty({ verbs, apiGroups, resources, resourceNames }),
      ),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => withoutEmpty({ verbs, nonResourceURLs })),
    incomplete,
  };
  if (faults.length > 0) status['evaluationError'] = errorList(faults);
  // The response does not repeat the request.
  const { managedFields: _, ...metadata } = review.metadata;
  return { ...review, metadata, spec: {}, status };
}

function withoutEmpty(lists: Record<string, readonly string[]>): JsonObject {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as JsonObject;
}
