// The test interface: what JavaScript tests do with a test server, over HTTP for tests in any language. It has a port of
// its own, on 127.0.0.1, so that it answers while the server is being rewound, and its requests are not those of clients.

import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject } from '../../api/is-object.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { TestServer } from '../test-server.ts';
import type { Answer } from './call.ts';
import { HandedOut } from './handed-out.ts';
import { operations } from './operations.ts';
import { Refusal } from './refusal.ts';

const PREFIX = '/keelson/test/v1/';

interface TestApi extends AsyncDisposable {
  /** Without a slash at the end: http://127.0.0.1:41235/keelson/test/v1 */
  readonly url: string;
}

/** Serves the interface of a server, for whoever has the token of its administrator. */
export async function serveTestApi(server: TestServer): Promise<TestApi> {
  const handedOut = new HandedOut();
  const http = createServer((request, response) => void answer(request, response, { server, handedOut }));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${PREFIX.slice(0, -1)}`, [Symbol.asyncDispose]: () => close(http) };
}

async function close(http: Server): Promise<void> {
  const closed = new Promise((resolve) => http.close(resolve));
  http.closeAllConnections();
  await closed;
}

interface Served {
  readonly server: TestServer;
  readonly handedOut: HandedOut;
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  let given: Answer;
  try {
    given = await answerOf(request, served);
  } catch (error) {
    // What the server itself refuses is in the request, too.
    const status = error instanceof Refusal ? error.status : 400;
    given = { status, members: { message: (error as Error).message } };
  }
  try {
    await send(response, given);
  } catch {
    response.destroy();
  }
}

async function answerOf(request: IncomingMessage, { server, handedOut }: Served): Promise<Answer> {
  if (!isAuthorized(request.headers.authorization, server.token)) {
    throw new Refusal(401, "the bearer token of the server's administrator is needed");
  }
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : '';
  const [kind = '', id = '', ...more] = path.split('/');
  const method = request.method ?? '';
  const ofOne = id !== '' && more.length === 0 ? operations.get(`${method} ${kind}/*`) : undefined;
  const operation = operations.get(`${method} ${path}`) ?? ofOne;
  if (operation === undefined) throw new Refusal(404, `there is no ${method} ${pathname}`);
  return operation({ server, handedOut, id, query, body: await bodyOf(request) });
}

function isAuthorized(header = '', token: string): boolean {
  const [given, expected] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** An empty body is an empty object. @throws Refusal */
async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > limits.testApiBodyBytes) throw new Refusal(413, `a body has at most ${limits.testApiBodyBytes} bytes`);
    pieces.push(piece);
  }
  if (bytes === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    // Reported below.
  }
  if (isObject(body)) return body as JsonObject;
  throw new Refusal(400, 'the body must be a JSON object');
}

/** How many members of a list are written in one turn. */
const AT_ONCE = 50;

async function send(response: ServerResponse, { status = 200, members = {}, list }: Answer): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' });
  const first = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  if (list === undefined) return void response.end(`{${first.join()}}\n`);
  response.write(`{${[...first, `${JSON.stringify(list.name)}:[`].join()}`);
  for (let at = 0; at < list.items.length; at += AT_ONCE) {
    const items = list.items.slice(at, at + AT_ONCE).map((item) => JSON.stringify(item));
    response.write(`${at === 0 ? '' : ','}${items.join()}`);
    await nextTurn();
  }
  response.end(']}\n');
}
