// Client that posts JSON to the server in a kubeconfig. Connections are pooled; responses are limited in size.

import { Buffer } from 'node:buffer';
import { Agent as HttpAgent, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { Agent as HttpsAgent, request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { CallObserver } from '../api/call-trace.ts';
import type { JsonObject } from '../api/object.ts';
import type { Clock } from '../base/clock.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { answerFault } from './answer-fault.ts';
import type { Dial } from './dial.ts';
import type { KubeconfigTarget } from './kubeconfig.ts';
import { proxiedDial, proxyAuthorization, proxyDial } from './kubeconfig-proxy.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { MAX_RETRIES } from './retry-after.ts';
import { noteAnswer, shownCredentials } from './shown-credentials.ts';
import { objectIn } from './typed-answer.ts';
import { rejectUnaskedUpgrade } from './unasked-upgrade.ts';
import type { ClientCertificate } from './webhook-call.ts';

/** Node's errors for a connection that closed before it responded. */
const HUNG_UP = 'socket hang up';

interface KubeconfigClientOptions {
  readonly target: KubeconfigTarget;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly observeCall?: CallObserver | undefined;
}

export class KubeconfigClient {
  readonly #options: KubeconfigClientOptions;
  readonly #url: URL;
  readonly #dial: Dial;
  /** Whether a proxy forwards the requests one by one. */
  readonly #isPassedOn: boolean;
  #agent: HttpAgent | HttpsAgent;
  /** The client certificate of its connections. */
  #certificate: ClientCertificate | undefined;

  /** @throws Error for a server that is not an HTTP or HTTPS URL */
  constructor(options: KubeconfigClientOptions) {
    this.#options = options;
    const { target, dial } = options;
    this.#url = serverUrl(target.server);
    const { proxy, ca, isInsecure } = target;
    this.#isPassedOn = proxy !== undefined && proxy.protocol !== 'socks5:' && this.#url.protocol === 'http:';
    const way = proxy && { proxy, dial, ca, isInsecure };
    this.#dial = way === undefined ? dial : this.#isPassedOn ? proxyDial(way) : proxiedDial(way);
    this.#certificate = target.clientCertificate();
    this.#agent = this.#newAgent();
  }

  #newAgent(): HttpAgent | HttpsAgent {
    const kept = {
      keepAlive: true,
      maxFreeSockets: limits.webhookIdleConnections,
      maxSockets: limits.webhookConnections,
    };
    const open = () => this.#connect();
    return this.#url.protocol === 'http:'
      ? new (class extends HttpAgent {
          override createConnection() {
            return open();
          }
        })(kept)
      : new (class extends HttpsAgent {
          override createConnection() {
            return open();
          }
        })(kept);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Resolves once the server has accepted it. Rejects for any unsuccessful response, and on a timeout. */
  async post(json: string, timeoutMs: number): Promise<void> {
    await this.#post(json, timeoutMs);
  }

  /**
   * Resolves with the object in the response.
   * @throws CallRefused for an unsuccessful response or a timeout; AnswerError if it is not an object
   */
  async ask(json: string, timeoutMs: number): Promise<JsonObject> {
    return objectIn(await this.#post(json, timeoutMs));
  }

  async #post(json: string, timeoutMs: number): Promise<Answer> {
    const deadline = new AbortController();
    const timer = this.#options.clock.after(timeoutMs, () => deadline.abort());
    const path = `${this.#url.pathname}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
    let answer: Answer;
    try {
      answer = await this.#sendPatiently(path, json, deadline.signal);
    } catch (error) {
      const isTimeout = deadline.signal.aborted;
      const hasEnded = (error as Error).message === HUNG_UP;
      const why = isTimeout ? 'context deadline exceeded' : hasEnded ? 'EOF' : (error as Error).message;
      throw new CallRefused(`Post "${this.#url.origin}${path}": ${why}`, {
        ...{ status: undefined, isTimeout, asksToRetry: false, cause: error },
        isReset: !isTimeout && !hasEnded && (error as NodeJS.ErrnoException).code === 'ECONNRESET',
      });
    } finally {
      timer.cancel();
    }
    const { status } = answer;
    const asksToRetry = answer.retryAfterSeconds !== undefined;
    if (status >= 200 && status <= 206) return answer;
    throw new CallRefused(answerFault(answer), { status, asksToRetry, isTimeout: false, isReset: false });
  }

  /** Retries as the server's Retry-After says, like Go clients, within the timeout of the first request. */
  async #sendPatiently(path: string, json: string, signal: AbortSignal): Promise<Answer> {
    for (let retries = 0; ; retries++) {
      const answer = await this.#sendObserved(path, json, signal);
      const { retryAfterSeconds } = answer;
      if (retryAfterSeconds === undefined || retries === MAX_RETRIES) return answer;
      await this.#pause(retryAfterSeconds * 1_000, signal);
    }
  }

  async #sendObserved(path: string, json: string, signal: AbortSignal): Promise<Answer> {
    const { clock, observeCall } = this.#options;
    const startMs = clock.now();
    let answer: Answer | undefined;
    try {
      answer = await this.#send(path, json, signal);
      return answer;
    } finally {
      observeCall?.({
        ...{ method: 'POST', host: this.#url.host, status: answer?.status },
        requestBytes: Buffer.byteLength(json),
        responseBytes: answer === undefined ? 0 : Buffer.byteLength(answer.body),
        durationMs: clock.now() - startMs,
      });
    }
  }

  #pause(durationMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#options.clock.after(durationMs, () => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
      const abort = () => {
        timer.cancel();
        reject(signal.reason);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  async #send(path: string, json: string, signal: AbortSignal): Promise<Answer> {
    const { target } = this.#options;
    const shown = await shownCredentials(target);
    this.#showCertificate(shown.clientCertificate);
    const passedOn = this.#isPassedOn ? proxyAuthorization(target.proxy as URL) : {};
    const answer = await this.#sendAs({ ...shown.headers, ...passedOn }, { path, json, signal });
    noteAnswer(target, shown, answer.status);
    return answer;
  }

  /** Connections with another client certificate are closed. */
  #showCertificate(certificate: ClientCertificate | undefined): void {
    if (certificate?.cert === this.#certificate?.cert) return;
    this.#certificate = certificate;
    this.#agent.destroy();
    this.#agent = this.#newAgent();
  }

  #sendAs(shown: OutgoingHttpHeaders, { path, json, signal }: Sending): Promise<Answer> {
    const headers: OutgoingHttpHeaders = {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(json)),
      'user-agent': 'keelson',
    };
    const request = this.#url.protocol === 'http:' ? requestPlain : requestSecure;
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent: this.#agent,
        method: 'POST',
        host: hostOf(this.#url),
        port: portOf(this.#url),
        path: this.#isPassedOn ? this.#url.origin + path : path,
        headers: { host: this.#url.host, ...headers, ...shown },
        signal,
      });
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => void readAnswer(answer).then(resolve, reject));
      rejectUnaskedUpgrade(outgoing, reject);
      outgoing.end(json);
    });
  }

  #connect(): Duplex {
    const { target } = this.#options;
    const host = hostOf(this.#url);
    const plain = this.#dial({ host, port: portOf(this.#url), globalOnly: false });
    if (this.#url.protocol === 'http:') return plain;
    const name = target.tlsServerName ?? host;
    const secure = connectTls({
      socket: plain,
      host: name,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(target.ca === undefined ? {} : { ca: target.ca, allowPartialTrustChain: true }),
      ...this.#certificate,
      rejectUnauthorized: !target.isInsecure,
      ALPNProtocols: ['http/1.1'],
    });
    plain.once('error', (error: Error) => secure.destroy(error));
    return secure;
  }
}

interface Sending {
  readonly path: string;
  readonly json: string;
  readonly signal: AbortSignal;
}

interface CallFault {
  /** Of the response; undefined if there was none. */
  readonly status: number | undefined;
  readonly isTimeout: boolean;
  /** Whether the response had a Retry-After. */
  readonly asksToRetry: boolean;
  readonly isReset: boolean;
  readonly cause?: unknown;
}

/** An unexpected response of a server. */
export class CallRefused extends Error {
  override name = 'CallRefused';
  readonly status: number | undefined;
  readonly isTimeout: boolean;
  readonly asksToRetry: boolean;
  readonly isReset: boolean;

  constructor(message: string, { status, isTimeout, asksToRetry, isReset, cause }: CallFault) {
    super(message, { cause });
    this.status = status;
    this.isTimeout = isTimeout;
    this.asksToRetry = asksToRetry;
    this.isReset = isReset;
  }
}

function serverUrl(server: string): URL {
  // A server without a scheme is reached without TLS.
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (url === null || (!server.includes('://') && url.pathname !== '/')) {
    throw new Error(`host must be a URL or a host:port pair: ${goQuote(server)}`);
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new Error(`invalid configuration: the server ${goQuote(server)} is not a URL of HTTP or HTTPS`);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'http:' ? 80 : 443);
}
