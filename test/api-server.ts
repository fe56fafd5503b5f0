// Another API server for tests: HTTPS on this machine, with responses chosen by the test and a record of requests.

import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { JsonObject } from '../src/api/object.ts';
import { makeCertificates } from '../src/server/pki.ts';
import { realClock } from './listening.ts';
import { until } from './until.ts';

export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as received. */
  readonly rawHeaders: readonly string[];
  /** Of the client certificate; '' if none was presented. */
  readonly shownName: string;
}

export type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

export interface OtherApiServer extends AsyncDisposable {
  readonly port: number;
  /** In the form APIServices use: PEM in base64. */
  readonly caBundle: string;
  readonly asked: Asked[];
  /** Sets the handler for requests, except upgrades. */
  answer: Answer;
  /** Sets the handler for upgraded connections. */
  upgrade: (asked: Asked, socket: Duplex) => void;
}

/** The service that its certificate is issued for, and the name of API servers among each other. */
const HOSTS = ['other.default.svc', 'kubernetes.default.svc'];
const { caCertPem, servingCertPem, servingKeyPem } = await makeCertificates({ clock: realClock, hosts: HOSTS });

export async function startOtherApiServer(answer: Answer): Promise<OtherApiServer> {
  const asked: Asked[] = [];
  const tls = { cert: servingCertPem, key: servingKeyPem, requestCert: true, rejectUnauthorized: false };
  const note = (request: IncomingMessage): Asked => {
    const { method = '', url = '', headers, rawHeaders } = request;
    const subject = (request.socket as TLSSocket).getPeerCertificate().subject;
    const one = { method, url, headers, rawHeaders, shownName: String(subject?.CN ?? '') };
    asked.push(one);
    return one;
  };
  const server = createServer(tls, (request, response) => other.answer(note(request), response, request));
  server.on('upgrade', (request, socket) => other.upgrade(note(request), socket));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other: OtherApiServer = {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(caCertPem).toString('base64'),
    asked,
    answer,
    upgrade: (_, socket) => socket.destroy(),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return other;
}

/** Responds with a value as JSON. */
export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

interface Client {
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

/** Registers the other server, as service `other` with its port, and the APIService `v1.x.io` or the one in `spec`. */
export async function register(
  client: Client,
  { port, caBundle }: Pick<OtherApiServer, 'port' | 'caBundle'>,
  spec: JsonObject = {},
): Promise<void> {
  const service = { metadata: { name: 'other' }, spec: { type: 'ExternalName', externalName: 'localhost' } };
  await client.request('POST', '/api/v1/namespaces/default/services', service);
  const full = {
    ...{ group: 'x.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, caBundle },
    service: { name: 'other', namespace: 'default', port },
    ...spec,
  };
  const metadata = { name: `${full.version}.${full.group}` };
  const { status, body } = await client.request('POST', API_SERVICES, { metadata, spec: full });
  if (status !== 201) throw new Error(JSON.stringify(body));
}

/** Waits until the APIService has the condition; returns its message. */
export async function untilSays(client: Client, reason: string, name = 'v1.x.io'): Promise<string> {
  let found: { reason: string; message: string } | undefined;
  await until(`${name} says ${reason}`, async () => {
    const { body } = await client.request('GET', `${API_SERVICES}/${name}`);
    found = (body as { status?: { conditions?: (typeof found)[] } }).status?.conditions?.[0];
    return found?.reason === reason;
  });
  return found!.message;
}
