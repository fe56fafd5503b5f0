// Forwarding of a request to a backend and of its response: bodies are streamed in both directions, and after a
// protocol switch the bytes of both connections are joined. Hop-by-hop headers (RFC 9110, 7.6.1) and the client's
// credentials are not forwarded.

import type { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import type { CallTrace } from '../../api/call-trace.ts';
import { errors } from '../../api/errors.ts';
import { AddressNotAllowedError } from '../../base/global-unicast.ts';
import { hostAndPort } from '../../base/host-port.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import { BodyAbortedError, clientGone, type HttpExchange, type ResponseHeaders } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { isBearerProtocol } from '../response/websocket.ts';
import { rawPairs, unzipped } from './backend-headers.ts';
import type { BackendResponse, Backends } from './backends.ts';
import { ByteThrottle } from './byte-throttle.ts';
import { type Mount, mountedLink } from './proxied-links.ts';
import type { Tunnel } from './stream-tunnel.ts';

export interface Forwarding {
  readonly location: BackendLocation;
  /** Requests that make no sense without an upgrade: exec, attach, port forwarding. */
  readonly upgradeRequired: boolean;
  /**
   * The path under which the client sees the backend's root, for rewriting links; undefined if links are not rewritten.
   */
  readonly mountedAt: string | undefined;
  /** Creates the error for an unreachable backend; `why` may be shown to the client. */
  readonly unreachable: (why: string) => Error;
  /** Identity headers, which the backend trusts because of this server's certificate. */
  readonly identity?: Readonly<Record<string, string | string[]>>;
  /** The span of this call; undefined without tracing. */
  readonly trace?: CallTrace | undefined;
  /** Aborts the request in addition to its client and this server. */
  readonly deadline?: AbortSignal;
  /** Whether --max-connection-bytes-per-sec applies after the upgrade. */
  readonly isThrottled?: boolean;
  /** Speaks another protocol with the backend than with the client. */
  readonly tunnel?: Tunnel | undefined;
  /** Whether redirects are withheld from the client. */
  readonly refusesRedirects?: boolean;
  /** Connects to the backend; by default like all others. */
  readonly backends?: Backends;
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const REDIRECT_REFUSED = 'the backend attempted to redirect this request, which is not permitted';

/** @throws ApiError 400 if an upgrade is missing, and `unreachable` */
export async function forward(context: RequestContext, forwarding: Forwarding): Promise<void> {
  const { exchange, services } = context;
  const upgrades = wantsUpgrade(exchange);
  if (forwarding.upgradeRequired && !upgrades) throw errors.badRequest('Upgrade request required');
  const body = upgrades ? undefined : exchange.bodyStream();
  const { deadline } = forwarding;
  const signal = AbortSignal.any([exchange.signal, services.draining, ...(deadline === undefined ? [] : [deadline])]);
  const forwarded = requestHeaders(context, forwarding, upgrades);
  let answer: BackendResponse;
  try {
    answer = await (forwarding.backends ?? services.backends).call({
      ...forwarding.location,
      method: forwarding.tunnel?.method ?? exchange.method,
      target: backendTarget(exchange, forwarding.location),
      headers: forwarding.tunnel?.headersFor(forwarded) ?? forwarded,
      body,
      bodyBytes: exchange.headers[FRAMING],
      signal,
    });
  } catch (error) {
    body?.resume();
    forwarding.trace?.over(undefined);
    if (exchange.signal.aborted) throw clientGone();
    const { cause } = error as Error;
    if (cause instanceof AddressNotAllowedError) throw errors.badRequest(cause.message);
    throw forwarding.unreachable(deadline?.aborted === true ? DEADLINE : (error as Error).message);
  }
  forwarding.trace?.over(answer.status);
  if (forwarding.refusesRedirects === true && isRedirect(answer)) {
    answer.body.destroy();
    return context.respond(502, context.headers(PLAIN_TEXT), REDIRECT_REFUSED);
  }
  if (answer.upgraded !== undefined) {
    const { isThrottled = false, tunnel } = forwarding;
    const backend = { ...answer.upgraded, isThrottled };
    if (tunnel === undefined) return joinUpgraded(context, answer, backend);
    return joinTunnel(context, answer, { ...backend, tunnel });
  }
  if (upgrades) return relayRefusal(context, answer);
  answer = unzipped(exchange, answer);
  const mount = mountOf(exchange, forwarding);
  try {
    const headers = responseHeaders(context, answer, { ...forwarding, mount });
    const { body: passed, isRewritten } = await bodyOf(answer, mount);
    if (isRewritten) delete headers['content-length'];
    await passBack(context, { status: answer.status, body: passed }, headers);
  } finally {
    answer.body.destroy();
  }
}

function mountOf(exchange: HttpExchange, { mountedAt, location }: Forwarding): Mount | undefined {
  if (mountedAt === undefined) return undefined;
  return { path: mountedAt, backend: hostAndPort(location), client: clientHost(exchange) };
}

const DEADLINE = 'context deadline exceeded';

function isRedirect({ status, rawHeaders }: BackendResponse): boolean {
  return status >= 300 && status <= 399 && rawPairs(rawHeaders).some(([name]) => name.toLowerCase() === 'location');
}

/** Whether a client requests an upgrade, on a connection that supports it. */
export function wantsUpgrade({ headers, upgrade }: HttpExchange): boolean {
  return upgrade !== undefined && headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

/** Sends the head and the body of a backend's response. */
export async function passBack(
  context: RequestContext,
  { status, body }: { status: number; body: Readable },
  headers: ResponseHeaders,
): Promise<void> {
  const writer = context.stream(status, headers);
  try {
    for await (const piece of body as AsyncIterable<Buffer>) if (!writer.write(piece)) await writer.drained();
    writer.end();
  } catch (error) {
    writer.destroy();
    // The head has been sent, so the only possible error is to abort the body.
    if (error instanceof BodyAbortedError) return;
    context.services.log.info('the backend closed the connection', { path: context.info.path, error });
  } finally {
    body.destroy();
  }
}

function backendTarget({ target }: HttpExchange, { path, query }: BackendLocation): string {
  const question = target.indexOf('?');
  const own = question < 0 ? '' : target.slice(question + 1);
  const asked = query ?? own;
  return `${path === '' ? '/' : path}${asked === '' ? '' : `?${asked}`}`;
}

/** Hop-by-hop headers; pseudo headers of HTTP/2 begin with a colon. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);
/** Set by the connection to the backend: a client could remove this header by naming it in Connection. */
const FRAMING = 'content-length';
/** Credentials and other headers for this server only. */
const OURS = /^(?:authorization$|impersonate-|x-remote-|expect$|:)/;
/** Headers with lists, which backends expect as separate headers. */
const REPEATED = new Set(['x-stream-protocol-version']);

function requestHeaders(
  { exchange, auditId }: RequestContext,
  { location, mountedAt, identity, trace }: Forwarding,
  upgrades: boolean,
): Record<string, string | string[]> {
  const { headers, remoteAddress, target } = exchange;
  const own = new Set(listed((headers.connection ?? '').toLowerCase()));
  const out = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || name === FRAMING || own.has(name) || OURS.test(name)) {
      continue;
    }
    const values = REPEATED.has(name) ? listed(value) : (exchange.headerValues?.(name) ?? [value]);
    out[name] = values.length > 1 ? [...values] : (values[0] ?? value);
  }
  const host = clientHost(exchange) || hostAndPort(location);
  out['host'] = identity === undefined ? host : hostAndPort(location);
  if (listed(headers['te'] ?? '').includes('trailers')) out['te'] = 'trailers';
  const before = headers['x-forwarded-for'];
  out['x-forwarded-for'] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`;
  if (mountedAt !== undefined || identity !== undefined) {
    out['x-forwarded-uri'] = cleanPath(target.split('?', 1)[0]!);
  }
  if (identity !== undefined) {
    out['x-forwarded-host'] = out['host'];
    out['x-forwarded-proto'] = 'https';
  }
  if (identity !== undefined) out['audit-id'] = auditId;
  Object.assign(out, identity, trace?.headers);
  if (upgrades) {
    Object.assign(out, { connection: 'Upgrade', upgrade: headers.upgrade });
    const protocols = listed(headers['sec-websocket-protocol'] ?? '');
    const passed = protocols.filter((each) => !isBearerProtocol(each));
    if (passed.length > 0) out['sec-websocket-protocol'] = passed.join(', ');
    else delete out['sec-websocket-protocol'];
  }
  return out;
}

function responseHeaders(
  context: RequestContext,
  { rawHeaders }: BackendResponse,
  { location, mount, identity }: Linking,
): Record<string, string | string[]> {
  const out = Object.create(null) as Record<string, string | string[]>;
  const own = context.headers(undefined) as Record<string, string | string[]>;
  const given = rawPairs(rawHeaders);
  const named = given.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value.toLowerCase());
  const neighbours = new Set(listed(named.join()));
  // Only this server decides which origins may use the API.
  const passed = given.filter(([name]) => !name.toLowerCase().startsWith('access-control-allow-'));
  for (const [name, value] of [...Object.entries(own), ...passed]) {
    const key = name.toLowerCase();
    if (HOP_BY_HOP.has(key) || neighbours.has(key)) continue;
    const values = key === 'location' ? linkOf(String(value), { location, mount, identity }) : value;
    addTo(out, key, values);
  }
  return out;
}

/** Adds to the values of a header, in time in proportion to what is added. */
function addTo(headers: Record<string, string | string[]>, name: string, values: string | string[]): void {
  const before = headers[name];
  if (before === undefined) headers[name] = typeof values === 'string' ? values : [...values];
  else if (typeof before === 'string') headers[name] = [before].concat(values);
  else before.push(...(typeof values === 'string' ? [values] : values));
}

/** Splits a header into its list items, in linear time. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A path with Go's escapes, so that an escaped slash is one, and without `.`, `..` and empty segments. */
export function cleanPath(path: string): string {
  return posix.normalize(goPath(path));
}

/** A path as Go encodes it after parsing: only bytes that are not allowed in a path are escaped. */
export function goPath(path: string): string {
  const unescaped = path.replace(/%([0-9A-Fa-f]{2})/g, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return IN_PATH.test(character) ? character : escaped.toUpperCase();
  });
  return unescaped.replace(NOT_IN_PATH, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

const IN_PATH = /[\w\-.~$&+,/:;=@]/;
const NOT_IN_PATH = /[^\w\-.~$&+,/:;=@%]/g;

interface Linking extends Pick<Forwarding, 'location' | 'identity'> {
  readonly mount: Mount | undefined;
}

/** A link of a backend for the client: links of another API server point to that server's mount. */
function linkOf(text: string, { location, mount, identity }: Linking): string {
  if (mount !== undefined && text !== '') {
    const link = mountedLink(text, mount);
    if (typeof link === 'string') return link;
    throw errors.internal(`error trying to parse Location header: ${link.message}`);
  }
  if (identity === undefined || !text.startsWith('/') || text.startsWith('//')) return text;
  return `https://${hostAndPort(location)}${text}`;
}

/** An HTML page with its links rewritten, if they would bypass the proxy; otherwise the unchanged body. */
async function bodyOf({ rawHeaders, body }: BackendResponse, mount: Mount | undefined): Promise<PassedBody> {
  const header = (name: string) => rawPairs(rawHeaders).find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  if (mount === undefined || header('location') !== '' || !header('content-type').startsWith('text/html')) {
    return { body, isRewritten: false };
  }
  const { pageEncoding, withLinks } = await import('./html-links.ts');
  const encoding = pageEncoding(header('content-type'), header('content-encoding'));
  if (encoding === undefined) return { body, isRewritten: false };
  const rewrite = (link: string) => {
    const mounted = mountedLink(link, mount);
    return typeof mounted === 'string' ? mounted : link;
  };
  return { body: withLinks({ body, encoding, rewrite }), isRewritten: true };
}

interface PassedBody {
  readonly body: Readable;
  /** The length then differs from the backend's. */
  readonly isRewritten: boolean;
}

/** The host that the client requested; '' if none. */
function clientHost({ headers }: HttpExchange): string {
  return headers.host ?? '';
}

interface UpgradedBackend {
  readonly socket: Duplex;
  /** Bytes that arrived with the head. */
  readonly head: Buffer;
  readonly isThrottled: boolean;
}

/** An upgrade that the backend refuses: the client is sent the response as it came, and the connection ends. */
async function relayRefusal(
  context: RequestContext,
  { status, statusText, rawHeaders, body }: BackendResponse,
): Promise<void> {
  const { socket } = context.exchange.upgrade!();
  context.begins(status);
  // The body comes without its chunks, and ends with the connection.
  const kept = rawPairs(rawHeaders).filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  socket.write(
    `HTTP/1.1 ${status} ${statusText}\r\n${kept.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  await carry(body, socket, undefined);
}

/** After the upgrade of both connections: bytes pass unchanged until one side closes. */
function joinUpgraded(
  context: RequestContext,
  { status, statusText, rawHeaders }: BackendResponse,
  { socket: backend, head: early, isThrottled }: UpgradedBackend,
): Promise<void> {
  const { socket: client, head } = context.exchange.upgrade!();
  context.begins(status);
  const lines = rawPairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`HTTP/1.1 ${status} ${statusText}\r\n${lines.join('')}\r\n`);
  if (early.length > 0) client.write(early);
  if (head.length > 0) backend.write(head);
  return join(client, backend, throttles(context, isThrottled));
}

/** Creates the throttle of one direction; undefined without --max-connection-bytes-per-sec. */
export function throttles({ services }: RequestContext, isThrottled: boolean): () => ByteThrottle | undefined {
  const { maxConnectionBytesPerSec: rate } = services.settings;
  return () => (isThrottled && rate > 0 ? new ByteThrottle(services.clock, rate) : undefined);
}

/** The same for a client that speaks another protocol. */
async function joinTunnel(
  context: RequestContext,
  { rawHeaders }: BackendResponse,
  { socket: backend, head: early, isThrottled, tunnel }: UpgradedBackend & { readonly tunnel: Tunnel },
): Promise<void> {
  const response = new Map(rawPairs(rawHeaders).map(([name, value]) => [name.toLowerCase(), value]));
  const fault = tunnel.faultOf(response);
  if (fault !== undefined) {
    backend.destroy();
    return context.respond(500, { ...context.headers(PLAIN_TEXT), 'x-content-type-options': 'nosniff' }, `${fault}\n`);
  }
  const client = await tunnel.open(context, response, backend);
  if (early.length > 0) client.write(early);
  await join(client, backend, throttles(context, isThrottled));
}

/** Resolves when both have closed. Each direction has its own throttle. */
async function join(one: Duplex, other: Duplex, throttle: () => ByteThrottle | undefined): Promise<void> {
  await Promise.all([carry(one, other, throttle()), carry(other, one, throttle())]);
}

function carry(source: Readable, to: Duplex, throttle: ByteThrottle | undefined): Promise<void> {
  const from = throttle ?? source;
  if (throttle !== undefined) putBetween(source, throttle, to);
  from.pipe(to);
  from.on('error', () => {});
  return new Promise((resolve) => {
    const done = () => {
      // Buffered data is still written before the other side is closed.
      if (to.writableFinished || to.destroyed) to.destroy();
      else to.end(() => to.destroy());
      resolve();
    };
    if (from.destroyed) done();
    else from.once('close', done);
  });
}

/** Buffered data of the source is still delivered after it has closed, but not after the destination has. */
function putBetween(source: Readable, throttle: ByteThrottle, to: Duplex): void {
  source.on('error', () => {});
  source.pipe(throttle);
  if (source.destroyed) throttle.end();
  else source.once('close', () => throttle.end());
  if (to.destroyed) throttle.destroy();
  else to.once('close', () => throttle.destroy());
}
