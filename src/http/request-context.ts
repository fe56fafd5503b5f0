// The state of a request in the handler chain: what each step has found out so far.

import type { Buffer } from 'node:buffer';
import type { RequestLife } from '../api/request-life.ts';
import type { RequestPhase, RequestPhases } from '../api/request-phases.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { Authentication } from '../auth/authn/authenticator.ts';
import { anonymousUser, type User } from '../auth/user.ts';
import type { Query } from '../verbs/query.ts';
import type { BodyWriter, HttpExchange, ResponseHeaders } from './exchange/transport.ts';
import type { Counted } from './filters/counted-paths.ts';
import type { FlowClass, Seat } from './filters/held-seats.ts';
import type { RequestInfo } from './request-info.ts';
import type { RequestServices } from './request-services.ts';
import type { RequestTrace } from './request-trace.ts';
import { warningHeaders } from './response/warnings.ts';

interface RequestContextInit {
  readonly services: RequestServices;
  readonly exchange: HttpExchange;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  /** Called when the request turns out to be long-running. @returns the gauge that includes it from now on */
  readonly onLongRunning: (context: RequestContext) => RunningGauge;
}

/** A gauge of long-running requests. */
interface RunningGauge {
  add(change: number): void;
}

/**
 * Facts that are known when the request arrives are readonly. Each fact that a step of the handler chain finds out later
 * has a getter, and one method by which that step reports it.
 */
export class RequestContext implements RequestLife, RequestPhases {
  readonly services: RequestServices;
  readonly exchange: HttpExchange;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  /** Warnings for the client, in order. */
  readonly warnings: string[] = [];
  /** When the request could be read: about, and no later than now. */
  readonly startMs: number;
  /** Whether the request may change something. */
  readonly mutating: boolean;
  readonly #onLongRunning: (context: RequestContext) => RunningGauge;
  #user: User = anonymousUser;
  #impersonator: User | undefined;
  #credentialNotes: Authentication['annotations'] | undefined;
  #audit: RequestAudit | undefined;
  #trace: RequestTrace | undefined;
  #earlyHeaders: ResponseHeaders | undefined;
  #forbidsSniffing = false;
  #flow: FlowClass | undefined;
  #seat: Seat | undefined;
  #waitedMs = 0;
  #isRejected = false;
  #onOver: (() => void) | undefined;
  #longRunning: RunningGauge | undefined;
  #allowedMs: number | undefined;
  #deadline = 0;
  #deadlineMs = 0;
  #phases: (readonly [phase: RequestPhase, endMs: number])[] | undefined;
  #counted: Counted | undefined;
  #failure: Error | undefined;
  #status = 0;
  #responseBytes = 0;
  #isAnswered = false;
  #isLate = false;
  #hasFailed = false;
  #isForsaken = false;
  #expiry: AbortController | undefined;

  constructor(init: RequestContextInit) {
    this.services = init.services;
    this.exchange = init.exchange;
    this.info = init.info;
    this.query = init.query;
    this.auditId = init.auditId;
    this.#earlyHeaders = init.services.lastingHeaders;
    const { clock, readTimes } = init.services;
    this.startMs = clock.now() - ((init.exchange.isRead && readTimes?.waitedMs()) || 0);
    this.mutating = init.exchange.method !== 'GET' && init.exchange.method !== 'HEAD';
    this.#onLongRunning = init.onLongRunning;
  }

  /** The user on whose behalf the request is handled; anonymous until authentication. */
  get user(): User {
    return this.#user;
  }

  /** The original user of an impersonated request; undefined for others. */
  get impersonator(): User | undefined {
    return this.#impersonator;
  }

  /** Annotations of the credentials for the audit event; undefined before authentication. */
  get credentialNotes(): Authentication['annotations'] | undefined {
    return this.#credentialNotes;
  }

  /** The audit event, if the policy requires one; begun once the user is known. */
  get audit(): RequestAudit | undefined {
    return this.#audit;
  }

  /** Undefined if the request is not traced. */
  get trace(): RequestTrace | undefined {
    return this.#trace;
  }

  /** The flow schema and priority level of the request, whose UIDs are in response headers; undefined for none. */
  get flow(): FlowClass | undefined {
    return this.#flow;
  }

  /** The request's share of the server's capacity; undefined for none. */
  get seat(): Seat | undefined {
    return this.#seat;
  }

  /** How long it was queued. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Whether it was rejected for lack of capacity. */
  get isRejected(): boolean {
    return this.#isRejected;
  }

  /** The gauge of long-running requests that includes it; undefined for others. */
  get longRunning(): RunningGauge | undefined {
    return this.#longRunning;
  }

  /** Its timeout; undefined for long-running requests. */
  get allowedMs(): number | undefined {
    return this.#allowedMs;
  }

  /** The number of its deadline; 0 for none of the usual kind. */
  get deadline(): number {
    return this.#deadline;
  }

  /** The time of its deadline; 0 for none of the usual kind. */
  get deadlineMs(): number {
    return this.#deadlineMs;
  }

  /** The phases so far and when each ended; undefined for requests that did not wait for anything. */
  get phases(): readonly (readonly [phase: RequestPhase, endMs: number])[] | undefined {
    return this.#phases;
  }

  /** What the request is counted as; undefined if no handler was reached. */
  get counted(): Counted | undefined {
    return this.#counted;
  }

  /** The status of the response; 0 until then. */
  get status(): number {
    return this.#status;
  }

  /** The length of the response, as far as it has been sent. */
  get responseBytes(): number {
    return this.#responseBytes;
  }

  /** Whether it timed out before a response. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether it ended with an error. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether its client had gone before a response. */
  get isForsaken(): boolean {
    return this.#isForsaken;
  }

  /** Called by authentication. */
  authenticated({ user, warnings, annotations }: Authentication): void {
    this.#user = user;
    this.#credentialNotes = annotations;
    this.warnings.push(...warnings);
  }

  /** The user is allowed to impersonate another, who replaces them for the rest of the request. */
  impersonates(user: User): void {
    this.#impersonator = this.#user;
    this.#user = user;
  }

  /** @param audit undefined if the event could not be stored and the response must not wait for it */
  recordsIn(audit: RequestAudit | undefined): void {
    this.#audit = audit;
  }

  tracedBy(trace: RequestTrace | undefined): void {
    this.#trace = trace;
  }

  /** Adds headers to every response to this request. */
  addHeaders(headers: ResponseHeaders): void {
    this.#earlyHeaders = { ...this.#earlyHeaders, ...headers };
  }

  /** The response forbids content sniffing, as errors do. */
  forbidSniffing(): void {
    this.#forbidsSniffing = true;
  }

  /** Called by priority and fairness. */
  classified(flow: FlowClass): void {
    this.#flow = flow;
  }

  /** Called when the request leaves a queue. */
  waited(ms: number): void {
    this.#waitedMs = ms;
  }

  /** The request may proceed. */
  seated(seat: Seat): void {
    this.#seat = seat;
  }

  /** There is no capacity for the request. */
  rejected(): void {
    this.#isRejected = true;
  }

  /** Calls back when the request has ended. */
  whenOver(callback: () => void): void {
    this.#onOver = callback;
  }

  /** @param ms the timeout, from the arrival of the request */
  allows(ms: number): void {
    this.#allowedMs = ms;
  }

  /** @param number identifies the deadline; it is past at `ms` */
  endsBy(number: number, ms: number): void {
    this.#deadline = number;
    this.#deadlineMs = ms;
  }

  /** Called by the handler of the request. */
  countAs(counted: Counted): void {
    this.#counted = counted;
  }

  /** An error replaces a successful response, as a test requested; undefined for none. */
  failWith(failure: Error | undefined): void {
    this.#failure = failure;
  }

  /** A step threw an error. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** A part of a streamed response is sent. */
  sent(bytes: number): void {
    this.#responseBytes += bytes;
  }

  /** Description of the request for reports of long event loop turns: `list pods`. */
  get taskName(): string {
    const { verb, isResource, resource, subresource, path } = this.info;
    return isResource ? `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}` : `${verb} ${path}`;
  }

  /** Whether a response has been sent, or will be as soon as its audit event is recorded. */
  get isAnswered(): boolean {
    return this.#isAnswered || this.exchange.responded;
  }

  /** Called by long-running requests such as watches: they no longer count as in flight and have no deadline. */
  becomeLongRunning(): void {
    this.#longRunning = this.#onLongRunning(this);
  }

  spent(phase: RequestPhase): void {
    this.#phases ??= [];
    this.#phases.push([phase, this.services.clock.now()]);
  }

  get isAbandoned(): boolean {
    return this.#isLate || this.exchange.over;
  }

  get endsMs(): number | undefined {
    return this.#allowedMs === undefined ? undefined : this.startMs + this.#allowedMs;
  }

  whenAbandoned(callback: () => void): () => void {
    this.#expiry ??= new AbortController();
    if (this.#isLate) this.#expiry.abort();
    const signal = AbortSignal.any([this.exchange.signal, this.#expiry.signal]);
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback);
    return () => signal.removeEventListener('abort', callback);
  }

  /** The request timed out before a response. */
  expires(): void {
    this.#isLate = true;
    this.#expiry?.abort();
  }

  /** Releases the share of the server's capacity. May be called more than once. */
  releaseSeat(): void {
    this.#seat?.release();
  }

  /** The request has ended: releases all that it holds. */
  over(): void {
    this.releaseSeat();
    this.#onOver?.();
    this.#longRunning?.add(-1);
  }

  /** The headers of every response, and the warnings so far. */
  headers(contentType: string | undefined): ResponseHeaders {
    const headers = this.outerHeaders();
    if (this.#flow !== undefined) {
      headers['x-kubernetes-pf-flowschema-uid'] = this.#flow.uid;
      headers['x-kubernetes-pf-prioritylevel-uid'] = this.#flow.level.uid;
    }
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (this.#forbidsSniffing) headers['x-content-type-options'] = 'nosniff';
    if (this.warnings.length > 0) headers.warning = warningHeaders(this.warnings);
    return headers;
  }

  /** Headers that do not depend on the outcome; those of priority and fairness and of handlers are not included. */
  outerHeaders(): ResponseHeaders {
    const headers: ResponseHeaders = { 'audit-id': this.auditId, 'cache-control': 'no-cache, private' };
    return this.#earlyHeaders === undefined ? headers : Object.assign(headers, this.#earlyHeaders);
  }

  /** Sends a complete response, unless the request has already timed out. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    if (this.isAnswered) {
      // The audit event records how the request ended, although its client only received the timeout.
      if (this.#isLate) this.#audit?.begins(status);
      return;
    }
    if (this.#failure !== undefined && status < 300) throw this.#failure;
    this.#responseBytes = body === undefined ? 0 : body.length;
    if (this.exchange.over) this.#isForsaken = true;
    this.begins(status);
    const audit = this.#audit;
    const { exchange } = this;
    if (this.#isLate) exchange.respond(status, headers, body);
    else if (audit?.holdsAnswers === true) {
      audit.completes(() => exchange.respond(status, headers, body));
    } else {
      audit?.completes();
      exchange.respond(status, headers, body);
    }
  }

  /** Sends a response in chunks. */
  stream(status: number, headers: ResponseHeaders): BodyWriter {
    if (this.#failure !== undefined) throw this.#failure;
    this.begins(status);
    return this.exchange.stream(status, headers);
  }

  /** Records that the head is sent now; only called by code that writes the head itself. */
  begins(status: number): void {
    const isDeadline = this.#isLate && !this.#isAnswered;
    this.#status = status;
    this.#isAnswered = true;
    if (!isDeadline) this.#audit?.begins(status);
  }
}
