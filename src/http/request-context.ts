// The state of a request in the handler chain: what each step has found out so far.

import type { Buffer } from 'node:buffer';
import type { RequestLife } from '../api/request-life.ts';
import type { RequestPhase, RequestPhases } from '../api/request-phases.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import { anonymousUser, type User } from '../auth/user.ts';
import type { Query } from '../verbs/query.ts';
import type { ApiServices } from './api-services.ts';
import type { BodyWriter, HttpExchange, ResponseHeaders } from './exchange/transport.ts';
import type { Counted } from './filters/counted-paths.ts';
import type { RequestInfo } from './request-info.ts';
import { warningHeaders } from './response/warnings.ts';

/** A flow schema and its priority level. */
interface FlowClass {
  readonly name: string;
  readonly uid: string;
  readonly level: { readonly name: string; readonly uid: string };
}

/** The seats and queueing time of a request. */
export interface HeldSeats {
  readonly initialSeats: number;
  readonly finalSeats: number;
  /** Of the final stage. */
  readonly additionalMs: number;
  /** Execution time so far; for a watch, until its initial events were sent. */
  readonly executionMs: number;
}

/** The trace of one request. */
export interface RequestTrace {
  /** The body has been decoded. */
  decoded(): void;
  /** An object is about to be encoded as the response. @param contentType with parameters, if any */
  serializes(contentType: string): void;
  /** A watch that begins with a list has sent it. @param contentType with parameters, if any */
  listed(contentType: string): void;
  /** Ends the spans of the request. */
  over(): void;
}

interface RequestContextInit {
  readonly services: ApiServices;
  readonly exchange: HttpExchange;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  readonly onLongRunning: (context: RequestContext) => void;
}

export class RequestContext implements RequestLife, RequestPhases {
  readonly services: ApiServices;
  readonly exchange: HttpExchange;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  /** Set by authentication. */
  user: User = anonymousUser;
  /** Annotations of the credentials for the audit event; undefined for none. */
  credentialNotes: readonly (readonly [key: string, value: string])[] | undefined;
  /** Warnings for the client, in order. */
  readonly warnings: string[] = [];
  /** Whether the response forbids content sniffing, as errors do. */
  nosniff = false;
  /** Response headers that are known in advance; undefined for none. */
  earlyHeaders: ResponseHeaders | undefined;
  /** The status of the response; 0 until then. */
  status = 0;
  /** The audit event, if the policy requires one; set once the user is known. */
  audit: RequestAudit | undefined;
  responseBytes = 0;
  /** The flow schema and priority level of the request, whose UIDs are in response headers; undefined for none. */
  flow: FlowClass | undefined;
  /** The request's share of the server's capacity. */
  seat: { release(): void; readonly held?: HeldSeats } | undefined;
  /** What the request is counted as, set by its handler; undefined if no handler was reached. */
  counted: Counted | undefined;
  /** Whether it was rejected for lack of capacity. */
  refused = false;
  /** Whether it timed out before a response. */
  isLate = false;
  /** Whether it ended with an error. */
  failed = false;
  /** Whether its client had gone before a response. */
  isForsaken = false;
  /** The number of its deadline, and its time; 0 for none of the usual kind. */
  deadline = 0;
  deadlineMs = 0;
  /** Its timeout; undefined for long-running requests. */
  allowedMs: number | undefined;
  /** How long it was queued. */
  waitedMs = 0;
  /** The original user of an impersonated request; undefined for others. */
  impersonator: User | undefined;
  /** The gauge of long-running requests that includes it. */
  longRunning: { add(change: number): void } | undefined;
  /** The error that replaces a successful response, requested by a test. */
  failsWith: Error | undefined;
  /** Undefined if the request is not traced. */
  trace: RequestTrace | undefined;
  /** Called when the request has ended. */
  onOver: (() => void) | undefined;
  /** When the request could be read: about, and no later than now. */
  readonly startMs: number;
  /** Whether the request may change something. */
  readonly mutating: boolean;
  /** The phases so far and when each ended; only created for requests that wait for something. */
  phases: (readonly [phase: RequestPhase, endMs: number])[] | undefined;
  readonly #onLongRunning: (context: RequestContext) => void;
  #isAnswered = false;
  #expiry: AbortController | undefined;

  constructor(init: RequestContextInit) {
    this.services = init.services;
    this.exchange = init.exchange;
    this.info = init.info;
    this.query = init.query;
    this.auditId = init.auditId;
    this.earlyHeaders = init.services.lastingHeaders;
    const { clock, readTimes } = init.services;
    this.startMs = clock.now() - ((init.exchange.isRead && readTimes?.waitedMs()) || 0);
    this.mutating = init.exchange.method !== 'GET' && init.exchange.method !== 'HEAD';
    this.#onLongRunning = init.onLongRunning;
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
    this.#onLongRunning(this);
  }

  spent(phase: RequestPhase): void {
    this.phases ??= [];
    this.phases.push([phase, this.services.clock.now()]);
  }

  get isAbandoned(): boolean {
    return this.isLate || this.exchange.over;
  }

  get endsMs(): number | undefined {
    return this.allowedMs === undefined ? undefined : this.startMs + this.allowedMs;
  }

  whenAbandoned(callback: () => void): () => void {
    this.#expiry ??= new AbortController();
    if (this.isLate) this.#expiry.abort();
    const signal = AbortSignal.any([this.exchange.signal, this.#expiry.signal]);
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback);
    return () => signal.removeEventListener('abort', callback);
  }

  /** The request timed out before a response. */
  expires(): void {
    this.isLate = true;
    this.#expiry?.abort();
  }

  /** Releases what the request holds. May be called more than once. */
  releaseSeat(): void {
    this.seat?.release();
  }

  /** The headers of every response, and the warnings so far. */
  headers(contentType: string | undefined): ResponseHeaders {
    const headers = this.outerHeaders();
    if (this.flow !== undefined) {
      headers['x-kubernetes-pf-flowschema-uid'] = this.flow.uid;
      headers['x-kubernetes-pf-prioritylevel-uid'] = this.flow.level.uid;
    }
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (this.nosniff) headers['x-content-type-options'] = 'nosniff';
    if (this.warnings.length > 0) headers.warning = warningHeaders(this.warnings);
    return headers;
  }

  /** Headers that do not depend on the outcome; those of priority and fairness and of handlers are not included. */
  outerHeaders(): ResponseHeaders {
    const headers: ResponseHeaders = { 'audit-id': this.auditId, 'cache-control': 'no-cache, private' };
    return this.earlyHeaders === undefined ? headers : Object.assign(headers, this.earlyHeaders);
  }

  /** Sends a complete response, unless the request has already timed out. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    if (this.isAnswered) {
      // The audit event records how the request ended, although its client only received the timeout.
      if (this.isLate) this.audit?.begins(status);
      return;
    }
    if (this.failsWith !== undefined && status < 300) throw this.failsWith;
    this.responseBytes = body === undefined ? 0 : body.length;
    if (this.exchange.over) this.isForsaken = true;
    this.begins(status);
    const { audit, exchange } = this;
    if (this.isLate) exchange.respond(status, headers, body);
    else if (audit?.holdsAnswers === true) {
      audit.completes(() => exchange.respond(status, headers, body));
    } else {
      audit?.completes();
      exchange.respond(status, headers, body);
    }
  }

  /** Sends a response in chunks. */
  stream(status: number, headers: ResponseHeaders): BodyWriter {
    if (this.failsWith !== undefined) throw this.failsWith;
    this.begins(status);
    return this.exchange.stream(status, headers);
  }

  /** Records that the head is sent now; only called by code that writes the head itself. */
  begins(status: number): void {
    const isDeadline = this.isLate && !this.#isAnswered;
    this.status = status;
    this.#isAnswered = true;
    if (!isDeadline) this.audit?.begins(status);
  }
}
