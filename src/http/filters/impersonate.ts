// Impersonation: a user who is allowed to becomes another user for the rest of the request.

import { errors } from '../../api/errors.ts';
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
import type { User } from '../../auth/user.ts';
import type { Soon } from '../../base/soon.ts';
import { isSince } from '../../lifecycle/version.ts';
import { headerTexts } from '../exchange/header-texts.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestServices } from '../request-services.ts';
import { requestAttributes } from './authorize.ts';
import { namelessUserText } from './constrained-impersonation.ts';
import { respondInternalServerError } from './internal-server-error.ts';

/** The first minor release of Kubernetes 1 in which impersonation without a user is an error of the client. */
const BLAMES_CLIENT = 35;

/**
 * Handles invalid impersonation headers.
 * @throws ApiError 400 and 403
 */
export function impersonate(context: RequestContext): Soon<void> {
  const { exchange } = context;
  if (!asksForImpersonation(exchange.headers)) return;
  let asked: Impersonation | undefined;
  try {
    asked = readImpersonation(Object.keys(exchange.headers), (name) => headerTexts(exchange, name));
  } catch (error) {
    if (!(error instanceof ImpersonationError)) throw error;
    const { catalog, impersonation } = context.services;
    const isConstrained = impersonation !== undefined;
    // Kubernetes responds in plain text here.
    if (!isConstrained && !isSince(catalog, BLAMES_CLIENT)) return respondInternalServerError(context, error.message);
    context.forbidSniffing();
    throw errors.badRequest(isConstrained ? namelessUserText(error.asked) : error.message);
  }
  if (asked !== undefined) return become(context, asked);
}

async function become(context: RequestContext, asked: Impersonation): Promise<void> {
  const { authorizer, impersonation } = context.services;
  if (impersonation !== undefined) return await becomeConstrained(context, { asked, impersonation });
  for (const attributes of impersonationChecks(context.user, asked)) {
    const decision: Decision = await authorizer.authorize(attributes);
    if (decision.allowed) continue;
    context.forbidSniffing();
    throw refusal(attributes, decision.reason);
  }
  impersonateAs(context, impersonatedUser(asked));
}

interface Constrained {
  readonly asked: Impersonation;
  readonly impersonation: NonNullable<RequestServices['impersonation']>;
}

async function becomeConstrained(context: RequestContext, { asked, impersonation }: Constrained): Promise<void> {
  const { modes, series } = impersonation;
  const startMs = performance.now();
  const attempted = (mode: string, decision: string) =>
    series.attempted({ mode, decision }, (performance.now() - startMs) / 1000);
  const attributes = requestAttributes(context);
  const { user, mode, constraint } = await modes.become({ asked, attributes }).catch((error) => {
    attempted('', 'denied');
    context.forbidSniffing();
    throw error;
  });
  attempted(mode, 'allowed');
  impersonateAs(context, user, constraint);
}

function impersonateAs(context: RequestContext, user: User, constraint = ''): void {
  context.impersonates(user);
  context.audit?.impersonates(user, constraint);
}
