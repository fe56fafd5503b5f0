// Authorization of requests: asks the authorizer and rejects forbidden requests.

import type { AuditTrail } from '../../api/audit-trail.ts';
import { errors } from '../../api/errors.ts';
import { pinnedFieldIn } from '../../api/field-selector.ts';
import { parseLabelSelector } from '../../api/label-selector.ts';
import type { AuthorizationAttributes, Decision } from '../../auth/authz/authorizer.ts';
import { refusal } from '../../auth/authz/refusal.ts';
import { fieldRequirements, labelRequirements } from '../../auth/authz/selector-requirements.ts';
import { limits } from '../../base/limits.ts';
import { type Soon, whenThere } from '../../base/soon.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { RequestContext } from '../request-context.ts';
import { respondInternalServerError } from './internal-server-error.ts';

/**
 * @param verb if it is not the request's own verb: an apply may also create
 * @param refused creates the error, if it is not the usual one
 * @throws ApiError 403
 */
export function authorize(
  context: RequestContext,
  verb = context.info.verb,
  refused?: (reason: string) => Error,
): Soon<void> {
  const { info, services } = context;
  const attributes = requestAttributes(context, verb);
  const { audit } = context;
  const startMs = performance.now();
  const decided = services.authorizer.authorize(attributes);
  const settle = (decision: Decision) => {
    if (verb === info.verb)
      services.metrics.auth.authorizations.decided(decision, (performance.now() - startMs) / 1000);
    if (!decision.allowed && decision.error !== undefined) return respondFailure(context, decision.error);
    // Only the decision on the request's own verb is recorded.
    if (audit !== undefined && verb === info.verb) auditDecision(audit, decision);
    if (decision.allowed) return;
    if (verb === info.verb) context.forbidSniffing();
    throw refused?.(decision.reason) ?? refusal(attributes, decision.reason);
  };
  return whenThere(decided, settle);
}

/** The first minor release of Kubernetes 1 that says what may not be created by an update or an apply. */
const EXPLAINS_CREATES = 32;

/** Authorizes an update or an apply to create its object. @throws ApiError 403 */
export function authorizeCreate(context: RequestContext): Soon<void> {
  const { info, services } = context;
  if (isSince(services.catalog, EXPLAINS_CREATES)) return authorize(context, 'create');
  const { group, resource, name } = info;
  return authorize(context, 'create', (reason) => errors.forbidden({ group, resource, name }, reason));
}

/** What a request asks authorization for. @param verb if it is not the request's own verb */
export function requestAttributes(context: RequestContext, verb = context.info.verb): AuthorizationAttributes {
  const { info, user, query } = context;
  return {
    user,
    verb,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: selectedName(context),
    path: info.path,
    isResourceRequest: info.isResource,
    pinnedField: (field) => pinnedFieldIn(promptSelector(query, 'fieldSelector'), field),
    ...(SELECTING.includes(verb) ? selectorsOf(query) : {}),
  };
}

const SELECTING: readonly string[] = ['list', 'watch', 'deletecollection'];

function selectorsOf(query: RequestContext['query']): Pick<AuthorizationAttributes, 'fieldSelector' | 'labelSelector'> {
  return {
    fieldSelector: () => fieldRequirements(promptSelector(query, 'fieldSelector')),
    labelSelector: () => labelRequirements(promptSelector(query, 'labelSelector')),
  };
}

/**
 * A selector for authorization; '' for one that is too long to be parsed for a client that may not be allowed anything:
 * the request is then judged as if it had none, and asks for more.
 */
function promptSelector(query: RequestContext['query'], name: 'fieldSelector' | 'labelSelector'): string {
  const text = query.text(name);
  return text.length <= limits.promptSelectorCharacters ? text : '';
}

/** The plain-text response of Kubernetes if no authorizer could decide. */
function respondFailure(context: RequestContext, error: string): void {
  context.audit?.annotate('authorization.k8s.io/reason', 'internal error');
  respondInternalServerError(context, error);
}

function auditDecision(audit: AuditTrail, { allowed, reason }: Decision): void {
  audit.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
  audit.annotate('authorization.k8s.io/reason', reason);
}

/** The requested name. A user who may list a single name may list with a field selector for it. */
export function selectedName({ info, query }: RequestContext): string {
  if (info.name !== '' || query.empty) return info.name;
  if (info.verb !== 'list' && info.verb !== 'watch') return '';
  const name = pinnedFieldIn(promptSelector(query, 'fieldSelector'), 'metadata.name') ?? '';
  return name !== '' && areReadable(query) ? name : '';
}

/** Whether all list options can be parsed: if one cannot, none of them is used before authorization. */
function areReadable(query: RequestContext['query']): boolean {
  if (query.text('labelSelector').length > limits.promptSelectorCharacters) return false;
  try {
    query.integer('limit');
    query.integer('timeoutSeconds');
    parseLabelSelector(query.text('labelSelector'));
    return true;
  } catch {
    return false;
  }
}
