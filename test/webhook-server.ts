// A webhook for tests: an HTTPS server on 127.0.0.1 that responds to reviews as chosen by the test, and records
// requests.

import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import type { JsonObject } from '../src/api/object.ts';
import { makeCertificates } from '../src/server/pki.ts';
import { realClock } from './listening.ts';

export interface SeenReview {
  /** Path and query. */
  readonly url: string;
  readonly review: JsonObject & { readonly request: JsonObject };
  /** The caller's credentials: the Authorization header, and the name in its certificate. */
  readonly authorization?: string | undefined;
  readonly clientName?: string | undefined;
  /** The trace context of the caller, from the W3C header. */
  readonly traceparent?: string | string[] | undefined;
  /** Identifies the connection. */
  readonly clientPort: number;
}

/** The response: a whole body, or a status with any body. */
export type WebhookAnswer =
  | JsonObject
  | { readonly status: number; readonly text: string; readonly headers?: Record<string, string> };

export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Its CA certificate as used in configurations: PEM in base64. */
  readonly caBundle: string;
  readonly seen: SeenReview[];
  /** Closes idle connections. */
  closeIdle(): void;
}

const { caCertPem, servingCertPem, servingKeyPem } = await makeCertificates({
  clock: realClock,
  hosts: ['127.0.0.1', 'hooks.default.svc'],
});

const ASKING = { cert: servingCertPem, key: servingKeyPem, requestCert: true, rejectUnauthorized: false };

/** Starts one. A response that never comes leaves its caller waiting. */
export async function startWebhook(
  answer: (seen: SeenReview) => WebhookAnswer | Promise<WebhookAnswer>,
): Promise<WebhookServer> {
  const seen: SeenReview[] = [];
  const server = createServer(ASKING, async (request, response) => {
    const review = (await json(request)) as SeenReview['review'];
    const shown = (request.socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
    const one = {
      ...{ url: request.url ?? '', review, clientPort: request.socket.remotePort ?? 0 },
      ...{ authorization: request.headers.authorization, clientName: shown?.CN },
      traceparent: request.headers['traceparent'],
    };
    seen.push(one);
    const answered = await answer(one);
    if (typeof answered['text'] === 'string') {
      const headers = answered['headers'] as Record<string, string> | undefined;
      response.writeHead(Number(answered['status']), headers).end(answered['text']);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(caCertPem).toString('base64'),
    seen,
    closeIdle: () => server.closeIdleConnections(),
    async [Symbol.asyncDispose]() {
      server.close();
      // Connections with an unfinished handshake are not known to the server.
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Returns a review with a response to its request. */
export function respond({ review }: SeenReview, response: JsonObject): JsonObject {
  const { apiVersion, kind, request } = review;
  return { apiVersion, kind, response: { uid: request['uid'], ...response } } as JsonObject;
}

/** Allows the request, and changes the object by a JSON patch. */
export function patching(seen: SeenReview, ...operations: readonly JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return respond(seen, { allowed: true, patchType: 'JSONPatch', patch });
}
