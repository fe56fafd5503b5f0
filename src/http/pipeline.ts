// The handler chain of every request, from top to bottom: authentication and impersonation, priority and fairness,
// authorization, and the handler. Around it: the deadline, metrics, and the only place where errors become responses.

import { ApiError, errors } from '../api/errors.ts';
import type { RequestPhase } from '../api/request-phases.ts';
import type { Authentication } from '../auth/authn/authenticator.ts';
import { ANONYMOUS } from '../auth/user.ts';
import { hasBadEscape } from '../base/percent-escapes.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { AuthenticationSeries } from '../lifecycle/auth-series.ts';
import type { Catalog } from '../resources/catalog.ts';
import { parseQuery } from '../verbs/query.ts';
import { Dispatcher } from './dispatch.ts';
import { firstHeader, headerTexts } from './exchange/header-texts.ts';
import { BodyAbortedError, BodyTooSlowError, type HttpExchange } from './exchange/transport.ts';
import type { AllowedOrigins } from './filters/allowed-origins.ts';
import { beginAudit, beginRefusedAudit } from './filters/audit.ts';
import { authorize } from './filters/authorize.ts';
import { Deadlines, LATE } from './filters/deadlines.ts';
import { Fairness } from './filters/fairness.ts';
import { type Filter, FilterSeries } from './filters/filter-series.ts';
import { impersonate } from './filters/impersonate.ts';
import { respondInternalServerError } from './filters/internal-server-error.ts';
import { MaxInFlight } from './filters/max-in-flight.ts';
import { RequestCounts } from './filters/request-counts.ts';
import type { RequestGate } from './filters/request-gate.ts';
import type { RequestHooks, ResourceNames } from './filters/request-hooks.ts';
import { tellRequest } from './filters/request-log.ts';
import type { RequestTracing } from './filters/request-tracing.ts';
import { RequestContext } from './request-context.ts';
import { lacksResource, requestInfo } from './request-info.ts';
import type { RequestServices } from './request-services.ts';
import { errorFormat } from './response/negotiate.ts';
import { respondError } from './response/value-response.ts';

/** Resolution of random decisions. */
const CHANCES = 1_000_000;

type Step = readonly [phase: RequestPhase, step: (context: RequestContext) => Soon<void>, filter?: Filter];

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What watches all requests of a server. */
interface RequestObservers {
  /** Undefined if tracing is off. */
  readonly tracing: RequestTracing | undefined;
  /** Only in test servers. */
  readonly hooks: RequestHooks | undefined;
}

export class Pipeline {
  readonly #services: RequestServices;
  readonly #tracing: RequestTracing | undefined;
  readonly #hooks: RequestHooks | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #counts: RequestCounts;
  readonly #gate: RequestGate;
  readonly #deadlines: Deadlines;
  readonly #filters: FilterSeries;
  readonly #authenticated: AuthenticationSeries;

  readonly #onLongRunning = (context: RequestContext) => {
    this.#deadlines.leave(context);
    return context.longRunning ?? this.#counts.opened(context);
  };

  /** In order of execution. A step ends the request by throwing or by responding. */
  readonly #steps: readonly Step[] = [
    ['authentication', (context) => this.#authenticate(context), 'authentication'],
    ['authentication', (context) => this.#beginTrace(context)],
    ['audit', (context) => beginAudit(context), 'audit'],
    ['impersonation', (context) => impersonate(context), 'impersonation'],
    ['flow control', (context) => this.#gate.admit(context), 'priorityandfairness'],
    ['authorization', (context) => authorize(context), 'authorization'],
    ['answering', (context) => this.#answer(context)],
  ];

  constructor(services: RequestServices, { tracing, hooks }: RequestObservers) {
    this.#services = services;
    this.#tracing = tracing;
    this.#hooks = hooks;
    hooks?.serves(() => servedNames(services.catalog));
    this.#dispatcher = new Dispatcher(services);
    this.#counts = new RequestCounts(services);
    this.#gate = requestGate(services);
    this.#filters = new FilterSeries(services.metrics.requests.filterDuration, services.flow !== undefined);
    this.#authenticated = new AuthenticationSeries(services.metrics.auth);
    this.#deadlines = new Deadlines({
      clock: services.clock,
      requestTimeoutMs: services.settings.requestTimeoutMs,
      onLate: (context) => {
        context.expires();
        respondLate(context);
        context.releaseSeat();
        this.#counts.terminated(context, LATE.code);
      },
      onBrokenOff: (context) => this.#counts.aborted(context),
    });
  }

  /** Serves one request. Never rejects. */
  async serve(exchange: HttpExchange): Promise<void> {
    const { shutdown } = this.#services;
    if (!shutdown.enter(exchange)) return;
    try {
      await this.#serve(exchange);
    } finally {
      shutdown.leave();
    }
  }

  async #serve(exchange: HttpExchange): Promise<void> {
    this.#spread(exchange);
    if (hasBadEscape(exchange.target.split('?', 1)[0]!)) return refuseTarget(exchange);
    const context = this.#contextOf(exchange);
    if (lacksResource(context.info)) return refuseLacking(context);
    this.#services.turns.enter(context);
    if (this.#services.origins !== undefined && answersPreflight(context, this.#services.origins)) return;
    this.#hooks?.begins(context);
    /** The step that is running. */
    let running: RequestPhase | undefined;
    try {
      this.#beginDeadline(context);
      const filters = this.#filters;
      let sinceMs = performance.now();
      for (const [phase, step, filter] of this.#steps) {
        running = phase;
        const done = step(context);
        if (done !== undefined) await done;
        if (filter !== undefined) sinceMs = filters.passed(filter, sinceMs);
        if ((done !== undefined || context.trace !== undefined) && phase !== 'answering') context.spent(phase);
        if (context.isAnswered) break;
      }
    } catch (error) {
      if (error instanceof BodyTooSlowError) respondLate(context);
      // An incomplete request gets no response and leaves nothing behind.
      else if (error instanceof BodyAbortedError) exchange.destroy();
      else {
        if (context.trace !== undefined && running !== undefined && running !== 'answering') context.spent(running);
        await this.#fail(context, error);
      }
    } finally {
      context.over();
      this.#deadlines.served(context);
      context.audit?.completes();
      this.#observe(context);
      context.trace?.over();
      this.#hooks?.over(context);
    }
  }

  #beginTrace(context: RequestContext): void {
    context.tracedBy(this.#tracing?.begins(context));
  }

  #answer(context: RequestContext): Soon<void> {
    const answer = async () => this.#dispatcher.dispatch(context);
    const hooks = this.#hooks;
    return hooks === undefined ? this.#dispatcher.dispatch(context) : hooks.around(context, answer);
  }

  /** Occasionally a client is asked to reconnect, so that clients spread over servers. */
  #spread(exchange: HttpExchange): void {
    const { settings, random } = this.#services;
    if (settings.goawayChance === 0 || exchange.protocol !== 'HTTP/2.0') return;
    if (random.below(CHANCES) < settings.goawayChance * CHANCES) exchange.retire?.();
  }

  #contextOf(exchange: HttpExchange): RequestContext {
    const { target } = exchange;
    const question = target.indexOf('?');
    const path = question < 0 ? target : target.slice(0, question);
    const query = parseQuery(question < 0 ? '' : target.slice(question + 1));
    const info = requestInfo(exchange.method, path, !query.empty && query.flag('watch'));
    const auditId = firstHeader(exchange, 'audit-id') || this.#services.random.uuid();
    const onLongRunning = this.#onLongRunning;
    return new RequestContext({ services: this.#services, exchange, info, query, auditId, onLongRunning });
  }

  /** @throws ApiError 400 for a timeout that cannot be parsed */
  #beginDeadline(context: RequestContext): void {
    try {
      this.#deadlines.enter(context);
    } catch (error) {
      beginRefusedAudit(context, error);
    }
  }

  #authenticate(context: RequestContext): Soon<void> {
    const { exchange } = context;
    const { headers, peerCertificate, peerCertificateInvalid, proxyName } = exchange;
    const credentials = {
      ...{ authorization: headers.authorization, peerCertificate, peerCertificateInvalid },
      ...{ proxyName, headers, path: context.info.path },
      headerValues: (name: string) => headerTexts(exchange, name),
      warn: (text: string) => void context.warnings.push(text),
    };
    const startMs = performance.now();
    const refused = (error: unknown) => {
      this.#leaveStranger(exchange);
      this.#authenticated.refused((performance.now() - startMs) / 1000);
      this.#filters.passed('authentication', startMs);
      beginRefusedAudit(context, error);
    };
    const known = (authentication: Authentication) => {
      if (authentication.user.name === ANONYMOUS) this.#leaveStranger(exchange);
      this.#authenticated.known(authentication.user, (performance.now() - startMs) / 1000);
      this.#services.authenticator.strip?.(headers as Record<string, string | undefined>);
      context.authenticated(authentication);
    };
    try {
      const answer = this.#services.authenticator.authenticate(credentials);
      return whenThere(answer, known, refused);
    } catch (error) {
      refused(error);
    }
  }

  /** Anonymous clients cannot keep HTTP/2 connections: one can carry many more requests than are served. */
  #leaveStranger(exchange: HttpExchange): void {
    if (exchange.protocol !== 'HTTP/2.0') return;
    if (this.#services.writes.registry.gateEnabled('UnauthenticatedHTTP2DOSMitigation')) exchange.retire?.();
  }

  async #fail(context: RequestContext, fault: unknown): Promise<void> {
    if (!(fault instanceof ApiError)) context.audit?.panics(fault);
    // An abandoned write ends with this error. Reads report their own outcome.
    const isWrite = WRITES.has(context.info.verb);
    const error = isWrite && fault instanceof ApiError && context.isAbandoned ? errors.abandoned() : fault;
    context.failed();
    try {
      await respondError(context, error, errorFormat(context));
    } catch (unsent) {
      this.#services.log.error('failed to send a response', { path: context.info.path, error: unsent });
      // Whatever was wrong with the response, no client is left waiting.
      context.respond(500, {}, undefined);
    }
  }

  #observe(context: RequestContext): void {
    const { status, responseBytes, startMs, waitedMs } = context;
    if (status === 0) return;
    const durationMs = this.#services.clock.now() - startMs;
    tellRequest(context, durationMs);
    this.#counts.over(context, {
      code: status,
      durationSeconds: durationMs / 1000,
      outsideSeconds: waitedMs / 1000,
      responseBytes,
    });
  }
}

/** The sender is not authenticated, and the message is kube-apiserver's, which does not blame the client. */
function refuseLacking(context: RequestContext): void {
  const why = `unable to determine kind and namespace from url, ${context.exchange.target}`;
  respondInternalServerError(context, `failed to create RequestInfo: ${why}`, { 'audit-id': context.auditId });
}

/** Adds CORS headers; returns whether the request was only a preflight. */
function answersPreflight(context: RequestContext, origins: AllowedOrigins): boolean {
  const { exchange } = context;
  const headers = origins.headersFor(exchange.headers['origin']);
  if (headers === undefined) return false;
  context.addHeaders(headers);
  if (exchange.method !== 'OPTIONS') return false;
  context.respond(204, context.headers(undefined), undefined);
  return true;
}

/** Rejects malformed paths before they are interpreted. */
function refuseTarget(exchange: HttpExchange): void {
  exchange.respond(400, { 'content-type': 'text/plain; charset=utf-8' }, '400 Bad Request');
}

/** Responds that the request timed out. */
function respondLate(context: RequestContext): void {
  context.respond(LATE.code, { ...context.outerHeaders(), 'content-type': LATE.contentType }, LATE.body);
}

/** The request gate for the configured settings. */
function requestGate({ clock, flow, settings, metrics, inFlight }: RequestServices): RequestGate {
  const counts = metrics.requests.inFlight;
  if (flow !== undefined) {
    const { controller, statsOf, utilization } = flow;
    return new Fairness({ clock, settings, controller, statsOf, counts, utilization });
  }
  const { maxRequestsInFlight, maxMutatingRequestsInFlight } = settings;
  return new MaxInFlight({
    maxReads: maxRequestsInFlight,
    maxWrites: maxMutatingRequestsInFlight,
    counts: counts.executing,
    ...(inFlight !== undefined && { inFlight }),
  });
}

function* servedNames({ groups }: Catalog): Iterable<ResourceNames> {
  for (const { versions } of groups) {
    for (const { entries } of versions) for (const { definition } of entries) yield definition;
  }
}
