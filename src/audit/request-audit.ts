// The audit event of a request, from its arrival to the end of its response: collects its content, and passes a copy to
// the sinks at each recorded stage.

import type { AuditTrail } from '../api/audit-trail.ts';
import { escapeHtml, quoteJson, stringifyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import type { Status } from '../api/status.ts';
import { messageOf } from '../base/error-message.ts';
import type { Stage } from './level.ts';
import { withoutManagedFields } from './managed-fields.ts';
import type { AuditAttributes, AuditUser, Recording } from './policy.ts';
import { type EventFacts, StagedEvent } from './staged-event.ts';

/** A request on arrival. */
export interface AuditedRequest {
  readonly auditId: string;
  /** Path and query as received. */
  readonly requestUri: string;
  readonly attributes: AuditAttributes;
  /** Truncated to limits.auditUserAgentBytes. */
  readonly userAgent: string;
  readonly sourceIps: readonly string[];
  readonly receivedMs: number;
  /**
   * Whether the start of the response is a separate stage: for watches, and for connections to kubelets and backends.
   */
  readonly isLongRunning: boolean;
  /** Whether authentication failed: such a request only has an event for the start of its response. */
  readonly isRefused?: boolean;
}

/** Dependencies of events, shared by all requests. */
export interface EventNeeds {
  now(): number;
  /** An RFC 3339 time with microseconds. */
  time(ms: number): string;
  userJson(user: AuditUser): string;
  /** Annotations as a field of the event; '' for none. */
  annotationsMember(annotations: ReadonlyMap<string, string> | undefined): string;
  /** Receives an event. `done` is called when it is stored or dropped. */
  emit(event: StagedEvent, done?: (stored: boolean) => void): void;
  /** Whether a response waits until its event is stored. */
  readonly holdsAnswers: boolean;
}

/** Kubernetes' threshold. As in kube-apiserver, only the time to the stage ResponseStarted counts. */
const LATENCY_MS = 500;

export class RequestAudit implements AuditTrail {
  readonly #recording: Recording;
  readonly #request: AuditedRequest;
  readonly #needs: EventNeeds;
  readonly #facts: EventFacts;
  /** Fields common to all stages, before and after the stage. */
  readonly #start: string;
  readonly #asked: string;
  readonly #head: string;
  readonly #reference: ObjectReference | undefined;
  #impersonated: AuditUser | undefined;
  #constraint = '';
  #status: string | undefined;
  #code: number | undefined;
  #requestBody = '';
  #responseBody = '';
  #annotations: Map<string, string> | undefined;
  readonly #last: (readonly [key: string, value: string])[] = [];
  /** The encoded annotations, if unchanged since: events share them. */
  #tail: string | undefined;
  /** Time of the stage ResponseStarted, which not all requests have. */
  #startedMs: number | undefined;
  #isStarted = false;
  #isOver = false;

  constructor(recording: Recording, request: AuditedRequest, needs: EventNeeds) {
    this.#recording = recording;
    this.#request = request;
    this.#needs = needs;
    const { attributes, auditId, requestUri, sourceIps, userAgent } = request;
    this.#facts = {
      level: recording.level,
      auditId,
      requestUri,
      verb: attributes.verb,
      user: attributes.user,
      sourceIps,
      userAgent,
      namespace: attributes.namespace,
      receivedAt: needs.time(request.receivedMs),
    };
    const { level, requestUri: uri, verb, user } = this.#facts;
    this.#start = `"level":"${level}","auditID":${quoteJson(auditId)},"stage":`;
    const userJson = user === undefined ? '{}' : needs.userJson(user);
    this.#asked = `,"requestURI":${quoteJson(uri)},"verb":${quoteJson(verb)},"user":${userJson}`;
    const agent = userAgent === '' ? '' : `,"userAgent":${quoteJson(userAgent)}`;
    const sources = sourceIps.length === 0 ? '' : `,"sourceIPs":[${sourceIps.map(quoteJson).join()}]`;
    this.#head = sources + agent;
    this.#reference = attributes.isResource ? new ObjectReference(attributes) : undefined;
  }

  get recordsRequests(): boolean {
    return this.#recording.level === 'Request' || this.recordsResponses;
  }

  /** Whether responses are recorded. Otherwise they need not be prepared. */
  get recordsResponses(): boolean {
    return this.#recording.level === 'RequestResponse';
  }

  get omitsManagedFields(): boolean {
    return this.#recording.omitManagedFields;
  }

  get holdsAnswers(): boolean {
    return this.#needs.holdsAnswers;
  }

  annotate(key: string, value: string): void {
    if (this.#annotations?.has(key) === true) return;
    if (this.#annotations === undefined || this.#tail !== undefined) this.#annotations = new Map(this.#annotations);
    this.#annotations.set(key, value);
    this.#tail = undefined;
  }

  /** Adds an annotation to the event of the stage ResponseComplete only, for what Kubernetes notes after a response. */
  annotateLast(key: string, value: string): void {
    this.#last.push([key, value]);
  }

  /** @param constraint the verb of the rights to it; '' if they hold for every request */
  impersonates(user: AuditUser, constraint = ''): void {
    this.#impersonated = user;
    this.#constraint = constraint;
  }

  requestObject(object: ApiObject): void {
    this.#reference?.fill(object);
    if (this.recordsRequests) this.#requestBody = this.#bodyJson(object);
  }

  requestText(json: string): void {
    if (this.recordsRequests) this.#requestBody = escapeHtml(json);
  }

  /** Records a Status response, whose content is part of the event at every level. */
  answersStatus(status: Status): void {
    const { status: outcome, message, reason, details } = status;
    this.#status = statusStart({ status: outcome, message, reason, details });
    if (status.code !== undefined) this.#code = status.code;
    this.answersObject(status);
  }

  /** Records a response object. */
  answersObject(value: unknown): void {
    if (this.recordsResponses) this.#responseBody = this.#bodyJson(value);
  }

  /** Records a response that is already encoded, without managedFields if required. */
  answersText(json: string): void {
    if (this.recordsResponses) this.#responseBody = escapeHtml(json.trimEnd());
  }

  /** Stage RequestReceived. */
  received(done?: (stored: boolean) => void): void {
    this.#stage('RequestReceived', done);
  }

  /** Stage ResponseStarted. May be called more than once. */
  begins(code: number): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#code = code;
    const { isRefused, isLongRunning } = this.#request;
    if (isRefused === true) this.#isOver = true;
    if (isRefused === true || isLongRunning) this.#stage('ResponseStarted');
  }

  /** Stage ResponseComplete, also if the client has gone. May be called more than once. */
  completes(done?: (stored: boolean) => void): void {
    if (this.#isOver) {
      done?.(true);
      return;
    }
    this.#isOver = true;
    if (!this.#isStarted) this.#closedEarly();
    for (const [key, value] of this.#last) this.annotate(key, value);
    const tookMs = (this.#startedMs ?? 0) - this.#request.receivedMs;
    // Kubernetes reports no latency of watches.
    if (tookMs > LATENCY_MS && this.#facts.verb !== 'watch')
      this.annotate('apiserver.latency.k8s.io/total', goSeconds(tookMs));
    this.#stage('ResponseComplete', done);
  }

  /** The body of the request was truncated. Nobody receives the response, but the event contains it. */
  breaksOff(message: string): void {
    const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
    this.answersStatus({ ...status, code: 500 });
    this.begins(500);
  }

  /** Stage Panic: an internal error. */
  panics(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const message = `APIServer panic'd: ${messageOf(error)}`;
    this.#status = statusStart({ status: 'Failure', message, reason: 'InternalError' });
    this.#code = 500;
    this.#stage('Panic');
  }

  /** Neither a status nor a body was sent: the client left before. */
  #closedEarly(): void {
    this.#status = '{"metadata":{},"status":"Success","message":"Connection closed early"';
    this.#code = 200;
    this.#isStarted = true;
    if (this.#request.isLongRunning) this.#stage('ResponseStarted');
  }

  #stage(stage: Stage, done?: (stored: boolean) => void): void {
    if (this.#recording.omitStages.has(stage)) {
      done?.(true);
      return;
    }
    const isFirst = stage === 'RequestReceived';
    const { receivedAt } = this.#facts;
    const nowMs = isFirst ? 0 : this.#needs.now();
    const stageAt = isFirst ? receivedAt : this.#needs.time(nowMs);
    if (stage === 'ResponseStarted') this.#startedMs = nowMs;
    const event = new StagedEvent(this.#facts, {
      stage,
      impersonatedUser: this.#impersonated,
      code: this.#code,
      head: this.#members(stage),
      bodies: isFirst ? '' : this.#bodies(),
      times: `,"requestReceivedTimestamp":"${receivedAt}","stageTimestamp":"${stageAt}"`,
      tail: this.#annotationsMember(),
      annotations: this.#annotations,
    });
    this.#needs.emit(event, done);
  }

  #annotationsMember(): string {
    this.#tail ??= this.#needs.annotationsMember(this.#annotations);
    return this.#tail;
  }

  #members(stage: Stage): string {
    const impersonated = this.#impersonated;
    const as = impersonated === undefined ? '' : `,"impersonatedUser":${this.#needs.userJson(impersonated)}`;
    const how =
      this.#constraint === '' ? '' : `,"authenticationMetadata":{"impersonationConstraint":"${this.#constraint}"}`;
    const reference = this.#reference === undefined ? '' : `,"objectRef":${this.#reference.json()}`;
    return `${this.#start}"${stage}"${this.#asked}${as}${how}${this.#head}${reference}${this.#statusMember()}`;
  }

  #statusMember(): string {
    if (this.#code === undefined) return '';
    return `,"responseStatus":${this.#status ?? '{"metadata":{}'},"code":${this.#code}}`;
  }

  #bodies(): string {
    const request = this.#requestBody === '' ? '' : `,"requestObject":${this.#requestBody}`;
    return this.#responseBody === '' ? request : `${request},"responseObject":${this.#responseBody}`;
  }

  #bodyJson(value: unknown): string {
    return escapeHtml(this.json(value));
  }

  /** An object as recorded in the event. */
  json(value: unknown): string {
    return stringifyJson(this.#recording.omitManagedFields ? withoutManagedFields(value) : value);
  }
}

/** A Status as recorded in events, up to its code. */
function statusStart(status: Pick<Status, 'status' | 'message' | 'reason' | 'details'>): string {
  return escapeHtml(stringifyJson({ metadata: {}, ...status }).slice(0, -1));
}

/** A duration in Go's format. */
function goSeconds(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms - minutes * 60_000) / 1_000}s`;
  if (minutes === 0) return seconds;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`;
}

/** The object reference: from the path, completed by the body. */
class ObjectReference {
  readonly #attributes: AuditAttributes;
  #namespace: string;
  #name: string;
  #uid = '';
  #resourceVersion = '';
  #json: string | undefined;

  constructor(attributes: AuditAttributes) {
    this.#attributes = attributes;
    this.#namespace = attributes.namespace;
    this.#name = attributes.name;
  }

  fill({ metadata }: ApiObject): void {
    if (typeof metadata !== 'object' || metadata === null) return;
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
    this.#namespace = this.#filled(this.#namespace, namespace);
    this.#name = this.#filled(this.#name, name);
    this.#uid = this.#filled(this.#uid, uid);
    this.#resourceVersion = this.#filled(this.#resourceVersion, resourceVersion);
  }

  #filled(known: string, told: string): string {
    if (known !== '' || told === '') return known;
    this.#json = undefined;
    return told;
  }

  json(): string {
    this.#json ??= this.#made();
    return this.#json;
  }

  #made(): string {
    const { resource, group, version, subresource } = this.#attributes;
    let json = '';
    const add = (name: string, text: string) => {
      if (text !== '') json += `${json === '' ? '' : ','}"${name}":${quoteJson(text)}`;
    };
    add('resource', resource);
    add('namespace', this.#namespace);
    add('name', this.#name);
    add('uid', this.#uid);
    add('apiGroup', group);
    add('apiVersion', version);
    add('resourceVersion', this.#resourceVersion);
    add('subresource', subresource);
    return `{${json}}`;
  }
}
