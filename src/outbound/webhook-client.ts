// HTTPS client for webhooks. Connections are pooled, responses are limited in size, and redirections are followed.

import { Buffer } from 'node:buffer';
import { type ClientRequest, request as sendPlainly } from 'node:http';
import { Agent, type AgentOptions, request as sendSecurely } from 'node:https';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { CallObserver, TraceCall } from '../api/call-trace.ts';
import type { JsonObject } from '../api/object.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { isCertificate } from './certificate-text.ts';
import { type ConnectError, connectFault } from './connect-fault.ts';
import type { Dial } from './dial.ts';
import { type Answer, BodyError, readAnswer, readResponse } from './read-answer.ts';
import { MAX_REQUESTS, RedirectedError, redirectionOf } from './redirection.ts';
import { MAX_RETRIES } from './retry-after.ts';
import { noteAnswer, type ShownCredentials, shownCredentials } from './shown-credentials.ts';
import { AnswerError, objectIn } from './typed-answer.ts';
import { rejectUnaskedUpgrade } from './unasked-upgrade.ts';
import {
  type ServiceReference,
  type WebhookAddress,
  type WebhookCall,
  WebhookCallError,
  type WebhookCaller,
  type WebhookCredentials,
} from './webhook-call.ts';

export interface ServiceLocation {
  readonly host: string;
  readonly port: number;
}

export interface WebhookClientOptions {
  /** Dialer for webhooks with a URL. */
  readonly dial: Dial;
  /** Dialer for those behind services, if different. */
  readonly dialService?: Dial;
  readonly clock: Clock;
  /** Resolves a service. @throws Error whose message says why there is no address */
  readonly locate: (service: ServiceReference) => Promise<ServiceLocation>;
  /** Answers what is asked of the service of this server, with the rights of the server itself. */
  readonly askItself?: (request: Request) => Promise<Response>;
  /** Traces each call as part of its request. */
  readonly traceCall?: TraceCall | undefined;
  readonly observeCall?: CallObserver | undefined;
}

const DEADLINE = 'context deadline exceeded';
const CANCELED = 'context canceled';
const UNREADABLE = 'unexpected error when reading response body. Please retry. Original error: ';
const USER_AGENT = 'kube-apiserver-admission';

/** Settings of connection pools. */
const KEPT: AgentOptions = {
  keepAlive: true,
  maxFreeSockets: limits.webhookIdleConnections,
  maxSockets: limits.webhookConnections,
};

export class WebhookClient implements WebhookCaller {
  readonly #options: WebhookClientOptions;
  readonly #agents: { readonly url: Agent; readonly service: Agent };
  /** Addresses whose CA bundle is valid. */
  readonly #readable = new WeakSet<WebhookAddress>();

  constructor(options: WebhookClientOptions) {
    this.#options = options;
    const { dial, dialService = dial } = options;
    const url = new DialingAgent(dial, KEPT);
    this.#agents = { url, service: dialService === dial ? url : new DialingAgent(dialService, KEPT) };
  }

  /** Closes pooled connections. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async call(call: WebhookCall): Promise<JsonObject> {
    const { address, timeoutMs, life } = call;
    this.#checkAuthorities(address);
    const query = this.#timeoutQuery(call);
    const deadline = new AbortController();
    const end = () => deadline.abort();
    const timer = this.#options.clock.after(timeoutMs, end);
    const withdraw = life?.whenAbandoned(end);
    const trace = this.#options.traceCall?.({
      ...{ method: 'POST', url: address.url + query, userAgent: USER_AGENT, reason: call.reason },
      requestBytes: Buffer.byteLength(call.body),
    });
    let answer: Answer | undefined;
    try {
      answer = await this.#askPatiently(call, { query, signal: deadline.signal, headers: trace?.headers });
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      const why = life?.isAbandoned ? CANCELED : deadline.signal.aborted ? DEADLINE : (error as Error).message;
      if (error instanceof BodyError) throw new WebhookCallError(`${UNREADABLE}${why}`, { cause: error });
      const url = error instanceof RedirectedError ? error.url : address.url + query;
      throw new WebhookCallError(`Post "${url}": ${why}`, { cause: error });
    } finally {
      timer.cancel();
      withdraw?.();
      trace?.over(answer?.status);
    }
    try {
      return await objectIn(answer);
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      throw new WebhookCallError(error.message, { cause: error, status: error.status });
    }
  }

  /** Tells the webhook how long anybody waits for its answer; '' if the request it is called for has timed out. */
  #timeoutQuery({ timeoutMs, life }: WebhookCall): string {
    const leftMs = life?.endsMs === undefined ? timeoutMs : life.endsMs - this.#options.clock.now();
    const seconds = Math.ceil(Math.min(timeoutMs, leftMs) / 1000);
    return seconds > 0 ? `?timeout=${seconds}s` : '';
  }

  /** Retries as the webhook's Retry-After says, like Go clients. */
  async #askPatiently(call: WebhookCall, asking: Asking): Promise<Answer> {
    for (let retries = 0; ; retries++) {
      const answer = await this.#askObserved(call, asking);
      const { retryAfterSeconds } = answer;
      if (retryAfterSeconds === undefined || retries === MAX_RETRIES) return answer;
      await withSignal(
        new Promise<void>((resolve) => void this.#options.clock.after(retryAfterSeconds * 1_000, resolve)),
        asking.signal,
      );
    }
  }

  async #askObserved(call: WebhookCall, asking: Asking): Promise<Answer> {
    const { clock, observeCall } = this.#options;
    const startMs = clock.now();
    let answer: Answer | undefined;
    try {
      answer = await this.#ask(call, asking);
      return answer;
    } finally {
      observeCall?.({
        ...{ method: 'POST', host: hostIn(call.address.url), status: answer?.status },
        requestBytes: Buffer.byteLength(call.body),
        responseBytes: Buffer.byteLength(answer?.body ?? ''),
        durationMs: clock.now() - startMs,
      });
    }
  }

  /** @throws WebhookCallError if the CA bundle contains no certificate */
  #checkAuthorities(address: WebhookAddress): void {
    const { ca } = address;
    if (ca === undefined || this.#readable.has(address)) return;
    if (!isCertificate(ca)) {
      throw new WebhookCallError('unable to load root certificates: unable to parse bytes as PEM block');
    }
    this.#readable.add(address);
  }

  async #ask({ address, body, credentials }: WebhookCall, asking: Asking): Promise<Answer> {
    const { query, signal, headers } = asking;
    const { service } = address;
    const isOwn = service !== undefined && isOwnService(service) && this.#options.askItself !== undefined;
    const place =
      service === undefined || isOwn
        ? placeOf(new URL(address.url))
        : await withSignal(this.#options.locate(service), signal);
    const sending: Sending = {
      url: new URL(address.url + query),
      place,
      isService: service !== undefined,
      isOwn,
      ca: address.ca,
      body,
      credentials,
      signal,
      headers,
    };
    return this.#followed(sending);
  }

  /** The response after redirections. */
  async #followed(first: Sending): Promise<Answer> {
    let sending = first;
    for (let requests = 1; ; requests++) {
      const answer = await this.#sendSafely(sending);
      const next = redirectionOf(answer, sending.url);
      if (next === undefined) return answer;
      if (requests === MAX_REQUESTS) {
        throw new RedirectedError(answer.location ?? '', `stopped after ${MAX_REQUESTS} redirects`);
      }
      const { url, withoutBody } = next;
      const isSame = url.host === first.url.host;
      sending = {
        ...first,
        url,
        body: withoutBody ? undefined : sending.body,
        place: isSame ? first.place : placeOf(url),
        isService: isSame && first.isService,
        isOwn: isSame && first.isOwn,
        // What identifies this server is for the webhook alone.
        credentials: isSame ? first.credentials : undefined,
        isRedirected: true,
      };
    }
  }

  async #sendSafely(sending: Sending): Promise<Answer> {
    try {
      return await this.#sendOnce(sending);
    } catch (error) {
      if (sending.isRedirected !== true || error instanceof BodyError) throw error;
      throw new RedirectedError(sending.url.href, (error as Error).message, { cause: error });
    }
  }

  async #sendOnce(sending: Sending): Promise<Answer> {
    try {
      return await this.#send(sending);
    } catch (error) {
      // The peer may have closed a pooled connection just as it was reused.
      if (!(error instanceof StaleConnection)) throw error;
      return this.#send({ ...sending, fresh: true });
    }
  }

  async #send(sending: Sending): Promise<Answer> {
    const { credentials, signal } = sending;
    if (sending.isOwn) return withSignal(this.#sendToItself(sending), signal);
    const shown = await shownCredentials(credentials);
    const answer = await this.#sendAs(shown, sending);
    noteAnswer(credentials, shown, answer.status);
    return answer;
  }

  async #sendToItself({ url, body, signal, headers }: Sending): Promise<Answer> {
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, signal, headers: { ...headers, ...headersFor(body) }, redirect: 'manual' } as const;
    const request = new Request(url, body === undefined ? init : { ...init, body });
    return readResponse(await this.#options.askItself!(request));
  }

  #sendAs(shown: ShownCredentials, sending: Sending): Promise<Answer> {
    const { url, place, ca, body, signal, headers } = sending;
    const { host: name } = placeOf(url);
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? sendSecurely : sendPlainly)({
        ...(isSecure ? { agent: this.#agentFor(sending) } : { createConnection: () => this.#plainConnection(place) }),
        method: body === undefined ? 'GET' : 'POST',
        host: place.host,
        port: place.port,
        path: url.pathname + url.search,
        ...(isIP(name) === 0 ? { servername: name } : { servername: '' }),
        ca,
        ...shown.clientCertificate,
        headers: {
          ...headers,
          ...shown.headers,
          host: url.host,
          ...headersFor(body),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
        signal,
      });
      let isAnswered = false;
      outgoing.on('error', (error) => {
        // A body that ends too early is reported by its reader.
        if (!isAnswered) reject(isStale(outgoing, error) ? new StaleConnection() : fault(error, place));
      });
      rejectUnaskedUpgrade(outgoing, reject);
      outgoing.on('response', (answer) => {
        isAnswered = true;
        readAnswer(answer).then(resolve, reject);
      });
      outgoing.end(body);
    });
  }

  #plainConnection(place: ServiceLocation) {
    return this.#options.dial({ ...place, globalOnly: false });
  }

  #agentFor({ isService, fresh }: Sending): Agent {
    const { dial, dialService = dial } = this.#options;
    if (fresh === true) return new DialingAgent(isService ? dialService : dial, {});
    return isService ? this.#agents.service : this.#agents.url;
  }
}

/** As in the URL, including an explicit default port. */
function hostIn(url: string): string {
  return url.split('/')[2] ?? '';
}

interface Asking {
  readonly query: string;
  readonly signal: AbortSignal;
  /** Trace headers; undefined for none. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

interface Sending extends Omit<Asking, 'query'> {
  /** Includes the query. Its host is the server name of the certificate. */
  readonly url: URL;
  readonly place: ServiceLocation;
  readonly isService: boolean;
  /** The service is that of this server, which is asked without a connection. */
  readonly isOwn: boolean;
  readonly ca: string | undefined;
  /** Undefined for a GET, after some redirections. */
  readonly body: string | undefined;
  readonly credentials: WebhookCredentials | undefined;
  readonly isRedirected?: boolean;
  /** True: over a separate connection. */
  readonly fresh?: boolean;
}

function headersFor(body: string | undefined): Record<string, string> {
  const headers = { accept: 'application/json, */*', 'user-agent': USER_AGENT };
  return body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
}

/** Whether it is the service of the API server, by its usual port. */
function isOwnService({ namespace, name, port }: ServiceReference): boolean {
  return namespace === 'default' && name === 'kubernetes' && port === 443;
}

/** The address in a URL. */
function placeOf({ hostname, port, protocol }: URL): ServiceLocation {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'http:' ? 80 : 443)) };
}

class StaleConnection extends Error {
  override name = 'StaleConnection';
}

function isStale(outgoing: ClientRequest, { code }: ConnectError): boolean {
  return outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function fault(error: ConnectError, place: ServiceLocation): Error {
  return new Error(connectFault(error, place), { cause: error });
}

/** Agent whose connections are opened like all outgoing ones. */
class DialingAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial, options: AgentOptions) {
    super(options);
    this.#dial = dial;
  }

  // Node passes the options of the request, including the destination.
  override createConnection(options: object): TLSSocket {
    const { host, port, servername, ca, cert, key } = options as ServiceLocation & ConnectionOptions;
    const plain = this.#dial({ host, port, globalOnly: false });
    const secure = connectTls({
      socket: plain,
      host: servername === '' || servername === undefined ? host : servername,
      ...(servername === '' ? {} : { servername }),
      // Every certificate in the bundle is trusted, self-signed or not.
      ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
      ...(cert === undefined ? {} : { cert, key }),
      ALPNProtocols: ['http/1.1'],
    });
    plain.once('error', (error) => secure.destroy(error));
    return secure;
  }
}

/** @throws Error if the signal is aborted first */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(DEADLINE)), { once: true });
    work.then(resolve, reject);
  });
}
