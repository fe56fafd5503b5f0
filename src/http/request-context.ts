// One request on its way through the pipeline: what each step has found out about it so far.

import type { Buffer } from 'node:buffer';
import type { RequestLife } from '../api/request-life.ts';
import type { RequestPhase, RequestPhases } from '../api/request-phases.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import { anonymousUser, type User } from '../auth/user.ts';
import type { Query } from '../verbs/query.ts';
import type { ApiServices } from './api-services.ts';
import type { Counted } from './counted-paths.ts';
import type { RequestInfo } from './request-info.ts';
import type { BodyWriter, HttpExchange, ResponseHeaders } from './transport.ts';
import { warningHeaders } from './warnings.ts';

/** A flow schema and its priority level. */
interface FlowClass {
  readonly name: string;
  readonly uid: string;
  readonly level: { readonly name: string; readonly uid: string };
}

/** What a request was given by priority and fairness. */
export interface HeldSeats {
  readonly initialSeats: number;
  readonly finalSeats: number;
  /** Of the second stage. */
  readonly additionalMs: number;
  /** How long its work has taken up to now; a watch's, until its initial events were sent. */
  readonly executionMs: number;
}

/** The trace of one request. */
export interface RequestTrace {
  /** The request is over: its spans end. */
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
  /** What the audit event tells of the credentials; undefined for nothing. */
  credentialNotes: readonly (readonly [key: string, value: string])[] | undefined;
  /** Warnings for the client, in the order they came up. */
  readonly warnings: string[] = [];
  /** Whether browsers are told not to guess what the answer is: of a refusal they are. */
  nosniff = false;
  /** Headers of the answer that are known before it; undefined for none. */
  earlyHeaders: ResponseHeaders | undefined;
  /** The status that was answered; 0 until then. */
  status = 0;
  /** The audit event, where the policy wants one; set once it is known who asks. */
  audit: RequestAudit | undefined;
  responseBytes = 0;
  /** The class of the request in priority and fairness, whose UIDs answers tell; undefined where it has none. */
  flow: FlowClass | undefined;
  /** What the request holds of the server's capacity. */
  seat: { release(): void; readonly held?: HeldSeats } | undefined;
  /** What it is counted as, set by the handler that answers it; undefined where none has got hold of it. */
  counted: Counted | undefined;
  /** Whether it was turned away because there was no room. */
  refused = false;
  /** Whether its time was over before it was answered. */
  isLate = false;
  /** Whether an error ended it. */
  failed = false;
  /** Whether its client had gone before it was answered. */
  isForsaken = false;
  /** The number of its deadline, and when that is; 0 where it has none of the usual kind. */
  deadline = 0;
  deadlineMs = 0;
  /** How long it may take; undefined for what may stay open. */
  allowedMs: number | undefined;
  /** How long it waited for its turn. */
  waitedMs = 0;
  /** Who it is, in whose name another one asks; undefined where nobody does. */
  impersonator: User | undefined;
  /** The count of long-running requests that it is a part of. */
  longRunning: { add(change: number): void } | undefined;
  /** What is answered in place of success: a test asked for it. */
  failsWith: Error | undefined;
  /** Undefined where the request is not traced. */
  trace: RequestTrace | undefined;
  /** Called when the request is over. */
  onOver: (() => void) | undefined;
  readonly startMs: number;
  /** Whether the request may change something. */
  readonly mutating: boolean;
  /** What the time went to so far, and when each phase ended; made for those alone that wait for something. */
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
    this.startMs = init.services.clock.now();
    this.mutating = init.exchange.method !== 'GET' && init.exchange.method !== 'HEAD';
    this.#onLongRunning = init.onLongRunning;
  }

  /** What turns of the event loop are spent on, for people: `list pods`. */
  get taskName(): string {
    const { verb, isResource, resource, subresource, path } = this.info;
    return isResource ? `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}` : `${verb} ${path}`;
  }

  /** Whether the client has been answered, or is as soon as the audit has noted the answer. */
  get isAnswered(): boolean {
    return this.#isAnswered || this.exchange.responded;
  }

  /**
   * Called by requests that stay open, such as watches: they no longer count as in flight, and no deadline ends
   * them.
   */
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

  whenAbandoned(callback: () => void): () => void {
    this.#expiry ??= new AbortController();
    if (this.isLate) this.#expiry.abort();
    const signal = AbortSignal.any([this.exchange.signal, this.#expiry.signal]);
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback);
    return () => signal.removeEventListener('abort', callback);
  }

  /** Its time is over before it was answered. */
  expires(): void {
    this.isLate = true;
    this.#expiry?.abort();
  }

  /** Gives back what the request holds. May be called more than once. */
  releaseSeat(): void {
    this.seat?.release();
  }

  /** The headers that every answer has, and the warnings so far. */
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

  /** Those that the answer has whatever becomes of the request: what priority and fairness and the handlers say is not among them. */
  outerHeaders(): ResponseHeaders {
    const headers: ResponseHeaders = { 'audit-id': this.auditId, 'cache-control': 'no-cache, private' };
    return this.earlyHeaders === undefined ? headers : Object.assign(headers, this.earlyHeaders);
  }

  /** Answers with a whole body, unless the deadline has been answered already. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string | undefined): void {
    if (this.isAnswered) {
      // The event tells how the request ended, though its client has been told of its deadline alone.
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

  /** Answers with a body in pieces. */
  stream(status: number, headers: ResponseHeaders): BodyWriter {
    if (this.failsWith !== undefined) throw this.failsWith;
    this.begins(status);
    return this.exchange.stream(status, headers);
  }

  /** Notes that the head of the answer leaves now; called by those alone who write it themselves. */
  begins(status: number): void {
    const isDeadline = this.isLate && !this.#isAnswered;
    this.status = status;
    this.#isAnswered = true;
    if (!isDeadline) this.audit?.begins(status);
  }
}
