// A cluster as seen by the console: requests with the credentials of one context, which never leave this process.

import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpAgent, request as requestPlain } from 'node:http';
import { Agent as HttpsAgent, request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
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
    const { target, exec } = this.#access;
    const plugin = await exec?.();
    const authorization = plugin?.token === undefined ? target.authorization() : `Bearer ${plugin.token}`;
    const agent = this.#agentWith(plugin?.clientCertificate ?? target.clientCertificate());
    const send = this.#url.protocol === 'http:' ? requestPlain : requestSecure;
    return new Promise((resolve, reject) => {
      const outgoing = send({
        ...{ agent, method, signal },
        host: this.#url.hostname.replace(/^\[|\]$/g, ''),
        port: Number(this.#url.port) || (this.#url.protocol === 'http:' ? 80 : 443),
        path: `${this.#url.pathname.replace(/\/$/, '')}${path}`,
        headers: {
          ...headers,
          ...framing(body !== undefined, bodyBytes),
          host: this.#url.host,
          ...(authorization !== undefined && { authorization }),
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', resolve);
      if (body === undefined) outgoing.end();
      else body.pipe(outgoing);
    });
  }

  close(): void {
    this.#agent?.destroy();
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
