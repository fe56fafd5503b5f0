// The console's process: serves the page on 127.0.0.1, and forwards the page's requests to the cluster with credentials
// that the page never sees.

import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer } from 'ws';
import type { ConsoleSession } from '../api/console-answers.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { type Asset, readAssets } from './assets.ts';
import { Cluster } from './cluster.ts';
import type { Contexts } from './contexts.ts';
import { execPathOf, tunnelExec } from './exec-tunnel.ts';
import { forwardsRequest } from './forwards-request.ts';
import { Guard, type Refusal } from './guard.ts';
import { PortForwards } from './port-forwards.ts';
import { changesNothing } from './read-only.ts';
import { serveWatches } from './watch-streams.ts';

interface ConsoleOptions {
  readonly contexts: Contexts;
  /** The initial context. */
  readonly context: string;
  /** Whether to reject every request that changes something. */
  readonly readOnly: boolean;
  /** 0 for any free port. */
  readonly port: number;
  readonly clock: Clock;
}

export interface ConsoleServer extends AsyncDisposable {
  /** Opens the page in a browser, once. */
  readonly link: string;
  close(): Promise<void>;
}

/** Starts a console; resolves when it is listening. @throws Error if the context cannot be used or the port is taken */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  const server = new RunningConsole(options);
  await server.listen(options.port);
  return server;
}

/**
 * The Content-Security-Policy: the page's own scripts only, no other hosts, no framing.
 * @param nonce that allows its editor to add styles
 */
const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** /r/GROUP/VERSION/RESOURCE/NAMESPACE/NAME */
const OBJECT_ADDRESS = /^\/r(\/[^/?]+){5}(\?|$)/;
/** The tabs of an object's view with the editor. */
const EDITOR_TABS: ReadonlySet<string> = new Set(['yaml', 'apply', 'fields', 'history']);

function hasEditor(path: string): boolean {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  return OBJECT_ADDRESS.test(path) && EDITOR_TABS.has(query.get('tab') ?? '');
}

/** Placeholder in the document for the nonce of each response. */
const NONCE_PLACE = 'NONCE';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The headers that the page may send to the cluster. It may not set credentials or impersonation. */
const HEADERS_UP = ['accept', 'content-type', 'if-match', 'if-none-match', 'user-agent'];
const HEADERS_DOWN = ['etag', 'warning', 'audit-id', 'retry-after', 'cache-control', 'last-modified'];
/** Media types that browsers neither execute nor render as a page. */
const DATA = [
  'application/json',
  'application/yaml',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
];

class RunningConsole implements ConsoleServer {
  readonly #options: ConsoleOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: limits.consoleLineCharacters });
  /** Upgraded connections with a command in a pod. */
  readonly #terminals = new Set<Duplex>();
  readonly #assets: ReadonlyMap<string, Asset> = readAssets();
  readonly #forwards: PortForwards;
  #context: string;
  #cluster: Cluster;
  #guard = new Guard(0);

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#cluster = new Cluster(options.contexts.access(options.context));
    this.#forwards = new PortForwards(() => this.#cluster, options.clock);
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      const refusal = this.#guard.foreign(guarded(request)) ?? this.#guard.stranger(request.headers);
      if (refusal !== undefined) return void socket.destroy();
      if (execPathOf(request.url ?? '') !== undefined && !options.readOnly) {
        this.#terminals.add(socket);
        socket.on('close', () => this.#terminals.delete(socket));
        return void tunnelExec(this.#cluster, request, socket);
      }
      if (request.url !== '/console/watches') return void socket.destroy();
      this.#sockets.handleUpgrade(request, socket, head, (page) => serveWatches(page, () => this.#cluster));
    });
  }

  get link(): string {
    return this.#guard.link;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    this.#guard = new Guard((this.#server.address() as AddressInfo).port);
  }

  async close(): Promise<void> {
    for (const page of this.#sockets.clients) page.terminate();
    for (const terminal of this.#terminals) terminal.destroy();
    this.#forwards.close();
    this.#server.closeAllConnections();
    this.#cluster.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(EVERYWHERE)) response.setHeader(name, value);
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const { code, message } = error as NodeJS.ErrnoException;
      const where = code === undefined ? '' : `${this.#cluster.server} does not answer: `;
      respondStatus(response, { status: 502, message: `${where}${message}` });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const foreign = this.#guard.foreign(guarded(request));
    if (foreign !== undefined) return respondStatus(response, foreign);
    if (path.startsWith('/open?key=')) return this.#open(path.slice('/open?key='.length), response);
    const stranger = this.#guard.stranger(request.headers);
    if (stranger !== undefined) return respondText(response, stranger);
    if (path.startsWith('/k8s/')) return this.#forward(request, response, path.slice('/k8s'.length));
    if (path === '/console/session') return respondJson(response, this.#session());
    if (path === '/console/context' && request.method === 'PUT') return this.#switch(request, response);
    if (path.startsWith('/console/forwards')) return this.#forwardPorts(request, response);
    if (path.startsWith('/assets/'))
      return respondAsset(response, this.#assets.get(path.slice('/assets/'.length)), request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return respondText(response, { status: 405, message: 'the page is only read' });
    }
    return respondPage(response, this.#assets.get('index.html')!, path);
  }

  /** A page that redirects itself: the cookie is not sent with a link from another site. */
  #open(key: string, response: ServerResponse): void {
    const cookie = this.#guard.open(key);
    if (cookie === undefined) {
      const message = 'this link was used before; keelson console prints a new one';
      respondText(response, { status: 401, message });
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'set-cookie': cookie,
    });
    response.end('<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Keelson</title>');
  }

  async #switch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { context } = JSON.parse(await bodyText(request)) as { context?: unknown };
    const name = String(context);
    const next = new Cluster(this.#options.contexts.access(name));
    this.#cluster.close();
    for (const page of this.#sockets.clients) page.close(1012, 'another context was chosen');
    for (const terminal of this.#terminals) terminal.destroy();
    this.#forwards.close();
    this.#cluster = next;
    this.#context = name;
    respondJson(response, this.#session());
  }

  /** Lists, opens and closes ports that lead to pods. */
  async #forwardPorts(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '' } = request;
    if (this.#options.readOnly && method !== 'GET') {
      return respondStatus(response, { status: 403, message: 'this console is read-only' });
    }
    const body = method === 'POST' ? await bodyText(request) : '';
    const answer = await forwardsRequest(this.#forwards, { method, path, body });
    if ('message' in answer) return respondStatus(response, answer);
    respondJson(response, answer);
  }

  #session(): ConsoleSession {
    const { contexts, readOnly } = this.#options;
    return { contexts: contexts.names, context: this.#context, server: this.#cluster.server, readOnly };
  }

  async #forward(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { method = 'GET', headers } = request;
    if (headers['sec-fetch-mode'] === 'navigate') {
      return respondStatus(response, { status: 403, message: 'responses of the cluster are not shown as pages' });
    }
    if (this.#options.readOnly && !changesNothing(method, path)) {
      return respondStatus(response, { status: 403, message: 'this console is read-only' });
    }
    const aborted = new AbortController();
    response.on('close', () => aborted.abort());
    const answer = await this.#cluster.ask({
      ...{ method, path, signal: aborted.signal },
      headers: picked(headers, HEADERS_UP),
      body: method === 'GET' || method === 'HEAD' ? undefined : request,
      bodyBytes: headers['content-length'],
    });
    const type = answer.headers['content-type'] ?? '';
    response.writeHead(answer.statusCode ?? 502, {
      ...picked(answer.headers, HEADERS_DOWN),
      'content-type': isData(type) ? type : 'application/octet-stream',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    await pipeline(answer, response);
  }
}

function isData(type: string): boolean {
  const [media = ''] = type.split(';', 1);
  return DATA.includes(media.trim()) || media.trim().endsWith('+json');
}

function guarded({ method = 'GET', headers }: IncomingMessage) {
  return { method, headers };
}

function picked(headers: IncomingMessage['headers'], names: readonly string[]): Record<string, string | string[]> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function respondJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}

/** In the same format as errors of the cluster. */
function respondStatus(response: ServerResponse, { status, message }: { status: number; message: string }): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, message }));
}

function respondText(response: ServerResponse, { status, message }: Refusal | { status: 405; message: string }): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${message}\n`);
}

function respondAsset(response: ServerResponse, asset: Asset | undefined, request: IncomingMessage): void {
  if (asset === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) {
    respondStatus(response, { status: 404, message: 'not found' });
    return;
  }
  const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const bytes = gzip ? asset.gzipped : asset.bytes;
  response.writeHead(200, {
    'content-type': asset.type,
    'content-length': bytes.length,
    ...(gzip && { 'content-encoding': 'gzip' }),
    'cache-control': 'no-cache',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/**
 * Returns the document. For the URL of an object, the chunks of its page are preloaded too, before the script requests
 * them, and those of the editor for its views.
 */
function respondPage(response: ServerResponse, { type, bytes }: Asset, path: string): void {
  const text = Buffer.from(bytes).toString();
  const wanted = [...(OBJECT_ADDRESS.test(path) ? ['rel="object"'] : []), ...(hasEditor(path) ? ['rel="editor"'] : [])];
  const document = wanted.reduce((all, rel) => all.replaceAll(rel, 'rel="modulepreload"'), text);
  const nonce = randomBytes(16).toString('base64url');
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': pagePolicy(nonce),
    'cache-control': 'no-store',
  });
  response.end(document.replaceAll(NONCE_PLACE, nonce));
}

async function bodyText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request as AsyncIterable<string>) {
    text += piece;
    if (text.length > limits.consoleLineCharacters) throw new Error('the body is too long');
  }
  return text;
}
