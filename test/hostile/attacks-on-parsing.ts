// Attacks by what one request contains: names, selectors and headers that take long to read, bodies in the smallest
// pieces, and objects that take long to validate. Each is sent over HTTP/1.1 and over HTTP/2.

import { Buffer } from 'node:buffer';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { FLAG, FRAME } from '../../src/http2/protocol.ts';
import { block, type Field, frame, frames, preface } from '../http2-client.ts';
import { type Attack, hold, pause } from './attacks.ts';
import { http1, type Target } from './target.ts';

/** Below what the server reads of a head. */
const HEAD_BYTES = 900_000;
const FRAME_BYTES = 16_384;
/** How many requests of one attack are under way. */
const CONNECTIONS = 2;

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly Field[];
  readonly body?: Buffer;
  /** Whether the client has no credentials. */
  readonly isStranger?: boolean;
}

const filled = (text: string) => text.repeat(Math.floor(HEAD_BYTES / text.length));
const many = (count: number, of: (index: number) => Field) => Array.from({ length: count }, (_, index) => of(index));

const NAMESPACES = '/api/v1/namespaces';
const BY_NAME = `${NAMESPACES}?fieldSelector=metadata.name=x&labelSelector=`;

/** Requests that are refused; all of them together cost a client the bytes that it sends. */
const heads: Readonly<Record<string, readonly Sent[]>> = {
  'selectors of strangers': [
    ...['a,', 'a=b,', '!', '+', '('].map((text) => ({ path: `${BY_NAME}${filled(text)}` })),
    { path: `${BY_NAME}a+in+(${filled('b,')}c)` },
    { path: `${NAMESPACES}?limit=1&continue=${filled('A')}` },
    { path: `${NAMESPACES}?fieldSelector=metadata.name=x&limit=${filled('9')}` },
  ],
  'paths and queries of strangers': [
    { path: filled('/a') },
    { path: `/${filled('%ffa')}` },
    { path: `/version?a=${filled('%ffa')}` },
    { path: `/version?${filled('a=b&')}` },
    { path: `/version?timeout=${filled('1h')}` },
  ],
  'headers of strangers': [
    { path: '/version', headers: many(4_900, (index) => [`impersonate-extra-k${index}`, 'g']) },
    {
      path: '/version',
      headers: [['impersonate-user', 'u'], ...many(4_900, () => ['impersonate-group', 'g'] as const)],
    },
    { path: '/apis', headers: [['accept', `application/json${filled(';a=b')}`]] },
    { path: '/openapi/v2', headers: [['accept', filled('a/b;q=0.1,')]] },
    { path: '/version', headers: [['authorization', `Bearer ${filled('.')}`]] },
    { path: '/version', headers: [['authorization', `Bearer e30.${filled('W1tb')}.AA`]] },
  ].map((sent) => sent as Sent),
  'names that objects inherit': ['constructor', '__proto__', 'toString'].flatMap((name) => [
    { path: `/debug/api_priority_and_fairness/${name}`, isStranger: false },
    { path: `/debug/pprof/${name}`, isStranger: false },
    { path: `/livez/${name}` },
  ]),
};

const items = (count: number, of: (index: number) => unknown) => Array.from({ length: count }, (_, index) => of(index));
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const container = (index: number) => ({ name: `c${index}`, image: 'i' });

function definition(schema: unknown): Buffer {
  const openAPIV3Schema = { type: 'object', properties: { spec: schema } };
  return json({
    metadata: { name: 'longs.hostile.example' },
    spec: {
      group: 'hostile.example',
      scope: 'Namespaced',
      names: { plural: 'longs', kind: 'Long' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
}

function posted(path: string, body: Buffer, type = 'application/json'): Sent {
  return { method: 'POST', path: `${path}?dryRun=All`, headers: [['content-type', type]], body };
}

const DEFAULT = 'namespaces/default';
const MAPS = `/api/v1/${DEFAULT}/configmaps`;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Objects whose validation is long. */
const objects: Readonly<Record<string, () => readonly Sent[]>> = {
  'lists of many items': () => [
    posted(
      `/apis/discovery.k8s.io/v1/${DEFAULT}/endpointslices`,
      json({
        metadata: { name: 'a' },
        addressType: 'IPv4',
        endpoints: items(1_000, (one) => ({
          addresses: items(100, (other) => `10.${one >> 8}.${one & 255}.${other}`),
        })),
      }),
    ),
    posted(
      `/api/v1/${DEFAULT}/pods`,
      json({ metadata: { name: 'a' }, spec: { containers: items(10_000, container) } }),
    ),
    posted(
      `/apis/networking.k8s.io/v1/${DEFAULT}/networkpolicies`,
      json({
        metadata: { name: 'a' },
        spec: { podSelector: {}, ingress: [{ from: items(20_000, () => ({ ipBlock: { cidr: '10.0.0.0/8' } })) }] },
      }),
    ),
    posted(
      `/apis/apps/v1/${DEFAULT}/deployments`,
      json({
        metadata: { name: 'a' },
        spec: {
          selector: {
            matchExpressions: items(20_000, (index) => ({ key: `k${index}`, operator: 'In', values: ['a'] })),
          },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container(0)] } },
        },
      }),
    ),
    posted(
      `/api/v1/${DEFAULT}/services`,
      json({
        metadata: { name: 'a' },
        spec: { ports: [{ port: 1 }], externalIPs: items(20_000, (index) => `10.1.${index >> 8}.${index & 255}`) },
      }),
    ),
  ],
  'YAML texts over many lines': () =>
    ['', '|', '>', '"x', "'x"].map((begin) => {
      const end = begin.length === 2 ? begin[0] : '';
      const text = `metadata: {name: y}\ndata:\n a: ${begin}\n${'  b\n'.repeat(500_000)}  ${end}\n`;
      return posted(MAPS, Buffer.from(text), 'application/yaml');
    }),
  'schemas with many parts': () => [
    posted(
      DEFINITIONS,
      definition({
        type: 'object',
        properties: Object.fromEntries(
          items(1_500, (index) => [
            `p${index}`,
            { type: 'string', pattern: `^([a-z]{1,${((index as number) % 900) + 1}})$` },
          ]) as [string, unknown][],
        ),
      }),
    ),
    posted(DEFINITIONS, definition({ type: 'object', anyOf: items(40_000, (index) => ({ required: [`a${index}`] })) })),
  ],
};

/** A request in HTTP/1.1, after which the connection is closed. */
function http1Bytes({ method = 'GET', path, headers = [], body }: Sent, isTiny: boolean): Buffer {
  const framing = body === undefined ? [] : [isTiny ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`];
  const fields = [...headers.map(([name, value]) => `${name}: ${value}`), ...framing, 'Connection: close'];
  const head = Buffer.from(`${[`${method} ${path} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`);
  if (body === undefined) return head;
  return Buffer.concat(isTiny ? [head, ...tinyChunks(body), Buffer.from('0\r\n\r\n')] : [head, body]);
}

function tinyChunks(body: Buffer): Buffer[] {
  return [Buffer.from(Array.from(body.toString('latin1'), (byte) => `1\r\n${byte}\r\n`).join(''), 'latin1')];
}

/** A request in HTTP/2, on the first stream of its connection. */
function http2Bytes({ method = 'GET', path, headers = [], body }: Sent, isTiny: boolean): Buffer {
  const pseudo: Field[] = [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'x'],
  ];
  const head = block([...pseudo, ...headers]);
  const parts: Buffer[] = [preface, frames.settings()];
  for (let at = 0; at < head.length; at += FRAME_BYTES) {
    const isLast = at + FRAME_BYTES >= head.length;
    const flags = (isLast ? FLAG.endHeaders : 0) | (at === 0 && body === undefined ? FLAG.endStream : 0);
    parts.push(frame(at === 0 ? FRAME.headers : FRAME.continuation, flags, 1, head.subarray(at, at + FRAME_BYTES)));
  }
  if (body === undefined) return Buffer.concat(parts);
  // The window of a stream has a megabyte; the rest of a longer body would have to wait.
  const step = isTiny ? 1 : FRAME_BYTES;
  for (let at = 0; at < body.length; at += step) parts.push(frames.data(1, body.subarray(at, at + step)));
  return Buffer.concat([...parts, frames.lastData(1)]);
}

/** Sends the requests one after the other, each on a connection of its own, until it is answered. */
function sending(
  make: () => readonly Sent[],
  protocol: 'http/1.1' | 'h2',
  { isTiny = false, isStranger = false } = {},
): Attack {
  return async (target, signal) => {
    const bytes = make().map((sent) => ({
      isStranger: sent.isStranger ?? isStranger,
      bytes: (protocol === 'h2' ? http2Bytes : http1Bytes)(sent, isTiny),
    }));
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, lane) => {
        for (let round = lane; !signal.aborted; round++) {
          const next = bytes[round % bytes.length] as (typeof bytes)[number];
          await answered(target, signal, { ...next, protocol });
          await pause(signal, 5);
        }
      }),
    );
  };
}

interface Bytes {
  readonly bytes: Buffer;
  readonly isStranger: boolean;
  readonly protocol: string;
}

/** Resolves at the first bytes of an answer besides the frames that begin a connection, or when it is over. */
function answered(target: Target, signal: AbortSignal, { bytes, isStranger, protocol }: Bytes): Promise<void> {
  return new Promise((resolve) => {
    const socket: TLSSocket = protocol === 'h2' ? http2Socket(target, isStranger) : http1(target, isStranger);
    const done = () => {
      socket.destroy();
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    let got = 0;
    socket.on('error', done).on('close', done);
    socket.on('data', (piece: Buffer) => {
      got += piece.length;
      if (protocol !== 'h2' || got > BEGINNING_BYTES) done();
    });
    socket.write(bytes);
  });
}

/** Settings, their acknowledgement, and window updates of the server. */
const BEGINNING_BYTES = 100;

function http2Socket({ port, credentials: { cert, key } }: Target, isStranger: boolean): TLSSocket {
  const own = isStranger ? {} : { cert, key };
  return connectTls({ port, rejectUnauthorized: false, ALPNProtocols: ['h2'], ...own }).on('error', () => {});
}

/** Streams that stay open, and then frames that concern all of them, without end. */
function onOpenStreams(flood: (round: number) => Buffer): Attack {
  return (target, signal) =>
    hold(signal, CONNECTIONS, () => {
      const socket = http2Socket(target, false);
      socket.resume();
      const path = `${MAPS}?watch=1`;
      const fields: readonly Field[] = [
        [':method', 'GET'],
        [':scheme', 'https'],
        [':path', path],
        [':authority', 'x'],
      ];
      socket.write(Buffer.concat([preface, frames.settings([4, 0])]));
      socket.write(Buffer.concat(items(300, (index) => frames.get(2 * (index as number) + 1, fields)) as Buffer[]));
      let round = 0;
      const go = () => {
        while (!socket.destroyed && !signal.aborted && socket.write(flood(round++)));
      };
      socket.on('drain', () => setTimeout(go, 5));
      setTimeout(go, 200);
      return socket;
    });
}

const tinyBody: readonly Sent[] = [
  posted(MAPS, Buffer.from(`{"metadata":{"name":"a"},"data":{"a":"${'x'.repeat(300_000)}"}}`)),
];

function overBoth(name: string, make: () => readonly Sent[], how: { isTiny?: boolean; isStranger?: boolean } = {}) {
  return [
    [`${name}, over HTTP/1.1`, sending(make, 'http/1.1', how)],
    [`${name}, over HTTP/2`, sending(make, 'h2', how)],
  ] as const;
}

/** By name. */
export const attacksOnParsing: Readonly<Record<string, Attack>> = Object.fromEntries([
  ...Object.entries(heads).flatMap(([name, sent]) => overBoth(name, () => sent, { isStranger: true })),
  ...overBoth('bodies in pieces of one byte', () => tinyBody, { isTiny: true }),
  ...Object.entries(objects).flatMap(([name, make]) => overBoth(name, make)),
  ['windows of all streams that change', onOpenStreams((round) => frames.settings([4, round % 2]))],
  [
    'windows that grow byte by byte',
    onOpenStreams((round) => Buffer.concat([frames.window(0, 1), frames.window(2 * (round % 300) + 1, 1)])),
  ],
]);
