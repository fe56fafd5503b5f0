// Impersonation: a user who is allowed to becomes another user for the rest of the request.

import type { Decision } from '../../auth/authz/authorizer.ts';
import { refusal } from '../../auth/authz/refusal.ts';
import {
  asksForImpersonation,
  type Impersonation,
  ImpersonationError,
  impersonatedUser,
  impersonationChecks,
  readImpersonation,
} from '../../auth/impersonation.ts';
import type { Soon } from '../../base/soon.ts';
import { headerTexts } from '../exchange/header-texts.ts';
import type { RequestContext } from '../request-context.ts';
import { respondInternalServerError } from './internal-server-error.ts';

/**
 * Handles invalid impersonation headers.
 * @throws ApiError 403
 */
export function impersonate(context: RequestContext): Soon<void> {
  const { exchange } = context;
  if (!asksForImpersonation(exchange.headers)) return;
  let asked: Impersonation | undefined;
  try {
    asked = readImpersonation(Object.keys(exchange.headers), (name) => headerTexts(exchange, name));
  } catch (error) {
    if (!(error instanceof ImpersonationError)) throw error;
    // Kubernetes responds in plain text here.
    return respondInternalServerError(context, error.message);
  }
  if (asked !== undefined) return become(context, asked);
}

async function become(context: RequestContext, asked: Impersonation): Promise<void> {
  const { authorizer } = context.services;
  for (const attributes of impersonationChecks(context.user, asked)) {
    const decision: Decision = await authorizer.authorize(attributes);
    if (decision.allowed) continue;
    context.nosniff = true;
    throw refusal(attributes, decision.reason);
  }
  context.impersonator = context.user;
  context.user = impersonatedUser(asked);
  context.audit?.impersonates(context.user);
}
