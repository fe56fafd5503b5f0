// A cluster as seen by the console: requests with the credentials of one context, which never leave this process.

import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpAgent, request as requestPlain } from 'node:http';
import { Agent as HttpsAgent, request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { limits } from '../base/limits.ts';
import { framing } from '../outbound/framing.ts';
import type { ClusterAccess } from './contexts.ts';

interface ClusterRequest {
  readonly method: string;
  /** Path and query, sent to the server unchanged. */
  readonly path: string;
  /** Without Content-Length and Transfer-Encoding. */
  readonly headers: OutgoingHttpHeaders;
  /** Undefined for a request without a body. */
  readonly body: Readable | undefined;
  /** The body's Content-Length; undefined: it is sent in chunks. */
  readonly bodyBytes?: string | undefined;
  readonly signal: AbortSignal;
}

interface Upgraded {
  readonly answer: IncomingMessage;
  /** Undefined if the server did not agree. */
  readonly connection: Duplex | undefined;
}

export class Cluster {
  readonly #access: ClusterAccess;
  readonly #url: URL;
  #agent: HttpAgent | HttpsAgent | undefined;
  #certificate: string | undefined;

  /** @throws Error for a server that is not an HTTP or HTTPS URL */
  constructor(access: ClusterAccess) {
    const { server } = access.target;
    const url = URL.parse(/^[a-z]+:\/\//i.test(server) ? server : `https://${server}`);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      throw new Error(`the server ${JSON.stringify(server)} is not a URL of HTTP or HTTPS`);
    }
    this.#access = access;
    this.#url = url;
  }

  /** The address of the cluster: `https://127.0.0.1:6443`. */
  get server(): string {
    return this.#url.origin;
  }

  /** Resolves with the response as soon as its headers have arrived. Rejects with the error of the connection. */
  async ask({ method, path, headers, body, bodyBytes, signal }: ClusterRequest): Promise<IncomingMessage> {
    const framed = { ...headers, ...framing(body !== undefined, bodyBytes) };
    const outgoing = await this.#request({ method, path, headers: framed, signal });
    return new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', resolve);
      if (body === undefined) outgoing.end();
      else body.pipe(outgoing);
    });
  }

  /**
   * Asks for another protocol on the connection. Resolves with what the server answered, and with the connection if it
   * agreed.
   */
  async upgrade(path: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<Upgraded> {
    const outgoing = await this.#request({ method: 'GET', path, headers, signal });
    return new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => resolve({ answer, connection: undefined }));
      outgoing.on('upgrade', (answer, connection, head) => {
        if (head.length > 0) connection.unshift(head);
        resolve({ answer, connection });
      });
      outgoing.end();
    });
  }

  close(): void {
    this.#agent?.destroy();
  }

  async #request({
    method,
    path,
    headers,
    signal,
  }: Omit<ClusterRequest, 'body' | 'bodyBytes'>): Promise<ClientRequest> {
    const { target, exec } = this.#access;
    const plugin = await exec?.();
    const authorization = plugin?.token === undefined ? target.authorization() : `Bearer ${plugin.token}`;
    const agent = this.#agentWith(plugin?.clientCertificate ?? target.clientCertificate());
    const send = this.#url.protocol === 'http:' ? requestPlain : requestSecure;
    return send({
      ...{ agent, method, signal },
      host: this.#url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(this.#url.port) || (this.#url.protocol === 'http:' ? 80 : 443),
      path: `${this.#url.pathname.replace(/\/$/, '')}${path}`,
      headers: { ...headers, host: this.#url.host, ...(authorization !== undefined && { authorization }) },
    });
  }

  /** Connections are reused as long as the client certificate does not change. */
  #agentWith(certificate: { readonly cert: string; readonly key: string } | undefined): HttpAgent | HttpsAgent {
    if (this.#agent !== undefined && this.#certificate === certificate?.cert) return this.#agent;
    this.#agent?.destroy();
    this.#certificate = certificate?.cert;
    const { target } = this.#access;
    const name = target.tlsServerName ?? this.#url.hostname.replace(/^\[|\]$/g, '');
    const kept = { keepAlive: true, maxSockets: limits.consoleConnections };
    this.#agent =
      this.#url.protocol === 'http:'
        ? new HttpAgent(kept)
        : new HttpsAgent({
            ...kept,
            ...(isIP(name) === 0 && { servername: name }),
            ...(target.ca !== undefined && { ca: target.ca }),
            ...certificate,
            rejectUnauthorized: !target.isInsecure,
          });
    return this.#agent;
  }
}
