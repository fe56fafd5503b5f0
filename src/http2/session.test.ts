import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import {
  block,
  type Field,
  frame,
  frames,
  preface,
  requestFields,
  uploadFields,
  words,
} from '../../test/http2-client.ts';
import { HeldBody, Serving } from '../../test/http2-session.ts';
import { ConnectionError, FLAG, FRAME, SETTING } from './protocol.ts';

const END = FLAG.endStream;
const WHOLE = FLAG.endHeaders | FLAG.endStream;
const get = block(requestFields);
const oddPadding = Buffer.concat([Buffer.from([200]), get]);

/** What a client may not do; each costs the connection. */
const breaches: readonly (readonly [what: string, sent: Buffer[], last: number, code: string])[] = [
  ['DATA on stream 0', [frames.data(0, 'x')], 0, 'protocol'],
  ['HEADERS on stream 0', [frames.get(0)], 0, 'protocol'],
  ['HEADERS on an even stream', [frames.get(2)], 0, 'protocol'],
  ['PRIORITY on stream 0', [frame(FRAME.priority, 0, 0, Buffer.alloc(5))], 0, 'protocol'],
  ['RST_STREAM on stream 0', [frames.reset(0)], 0, 'protocol'],
  ['RST_STREAM on a stream that was not opened', [frames.reset(1)], 0, 'protocol'],
  ['RST_STREAM of 3 bytes', [frames.get(1), frame(FRAME.reset, 0, 1, 'abc')], 1, 'frameSize'],
  ['SETTINGS on a stream', [frame(FRAME.settings, 0, 1)], 0, 'protocol'],
  ['SETTINGS of 5 bytes', [frame(FRAME.settings, 0, 0, 'abcde')], 0, 'frameSize'],
  ['an acknowledgement of SETTINGS with a payload', [frame(FRAME.settings, 1, 0, 'abcdef')], 0, 'frameSize'],
  ['a wrong ENABLE_PUSH', [frames.settings([SETTING.enablePush, 2])], 0, 'protocol'],
  ['a window that is too large', [frames.settings([SETTING.initialWindowBytes, 2 ** 31])], 0, 'flowControl'],
  ['frames that are too small', [frames.settings([SETTING.maxFrameBytes, 16_383])], 0, 'protocol'],
  ['frames that are too large', [frames.settings([SETTING.maxFrameBytes, 2 ** 24])], 0, 'protocol'],
  ['a push', [frame(FRAME.pushPromise, 4, 1, 'abcdef')], 0, 'protocol'],
  ['PING on a stream', [frame(FRAME.ping, 0, 1, 'pingpong')], 0, 'protocol'],
  ['PING of 7 bytes', [frames.ping('pingpon')], 0, 'frameSize'],
  ['GOAWAY on a stream', [frame(FRAME.goAway, 0, 1, Buffer.alloc(8))], 0, 'protocol'],
  ['GOAWAY of 7 bytes', [frame(FRAME.goAway, 0, 0, Buffer.alloc(7))], 0, 'frameSize'],
  ['WINDOW_UPDATE of 3 bytes', [frame(FRAME.windowUpdate, 0, 0, 'abc')], 0, 'frameSize'],
  ['WINDOW_UPDATE by 0 of the connection', [frames.window(0, 0)], 0, 'protocol'],
  ['WINDOW_UPDATE of a stream that was not opened', [frames.window(1, 1)], 0, 'protocol'],
  ['a window of the connection that is too large', [frames.window(0, 2 ** 31 - 1)], 0, 'flowControl'],
  [
    'a window of a stream that is too large by SETTINGS',
    [frames.get(1), frames.window(1, 2 ** 31 - 1 - 65_535), frames.settings([SETTING.initialWindowBytes, 65_536])],
    1,
    'flowControl',
  ],
  ['CONTINUATION of nothing', [frame(FRAME.continuation, 4, 1, get)], 0, 'protocol'],
  ['CONTINUATION after the end of a header block', [frames.get(1), frame(FRAME.continuation, 4, 1)], 1, 'protocol'],
  ['another frame in a header block', [frame(FRAME.headers, END, 1, get), frames.ping()], 0, 'protocol'],
  ['an unknown frame in a header block', [frame(FRAME.headers, END, 1, get), frame(0x42, 0, 1)], 0, 'protocol'],
  [
    'CONTINUATION of another stream',
    [frame(FRAME.headers, END, 1, get), frame(FRAME.continuation, 4, 3)],
    0,
    'protocol',
  ],
  ['padding longer than DATA', [frames.post(1), frame(FRAME.data, FLAG.padded, 1, '\x03ab')], 1, 'protocol'],
  ['padding longer than HEADERS', [frame(FRAME.headers, WHOLE | FLAG.padded, 1, oddPadding)], 0, 'protocol'],
  ['padded DATA without a length', [frames.post(1), frame(FRAME.data, FLAG.padded, 1)], 1, 'frameSize'],
  ['HEADERS shorter than their priority', [frame(FRAME.headers, WHOLE | FLAG.priority, 1, 'abcd')], 0, 'frameSize'],
  [
    'HEADERS of a stream that depends on itself',
    [frame(FRAME.headers, WHOLE | FLAG.priority, 1, Buffer.concat([Buffer.from([0, 0, 0, 1, 9]), get]))],
    0,
    'protocol',
  ],
  ['DATA on a stream that was not opened', [frames.data(1, 'x')], 0, 'protocol'],
  ['DATA after the end', [frames.get(1), frames.data(1, 'x')], 1, 'streamClosed'],
  ['HEADERS after the end', [frames.get(1), frames.get(1)], 1, 'streamClosed'],
  ['HEADERS on an older stream', [frames.get(5), frames.get(3)], 5, 'streamClosed'],
  ['a frame of 16385 bytes', [frames.post(1), frames.data(1, Buffer.alloc(16_385))], 1, 'frameSize'],
  ['an invalid header block', [frame(FRAME.headers, WHOLE, 1, Buffer.from([0x80]))], 0, 'compression'],
];

for (const [what, sent, last, code] of breaches) {
  test(`an HTTP/2 client loses its connection for ${what}`, async () => {
    await using serving = await Serving.start();
    serving.client.send(...sent);
    assert.equal((await serving.client.rest()).at(-1), `goAway ${last} ${code}`);
    assert.ok(serving.failures[0] instanceof ConnectionError);
    assert.equal(serving.failures.length, 1);
  });
}

/** What costs a stream and leaves the connection as it was. */
const mistakes: readonly (readonly [what: string, sent: Buffer[], answer: string])[] = [
  ['a request without a path', [frames.get(1, requestFields.slice(0, 2))], 'reset 1 protocol'],
  ['WINDOW_UPDATE by 0', [frames.get(1), frames.window(1, 0)], 'reset 1 protocol'],
  ['a window that is too large', [frames.get(1), frames.window(1, 2 ** 31 - 1)], 'reset 1 flowControl'],
  ['PRIORITY of 4 bytes', [frames.get(1), frame(FRAME.priority, 0, 1, 'abcd')], 'reset 1 frameSize'],
  [
    'PRIORITY that names itself',
    [frames.get(1), frame(FRAME.priority, 0, 1, Buffer.from([0x80, 0, 0, 1, 0]))],
    'reset 1 protocol',
  ],
  [
    'a body longer than its Content-Length',
    [frames.post(1, ['content-length', '2']), frames.data(1, 'abc')],
    'reset 1 protocol',
  ],
  [
    'a body shorter than its Content-Length',
    [frames.post(1, ['content-length', '4']), frames.lastData(1, 'abc')],
    'reset 1 protocol',
  ],
  [
    'a missing body with a Content-Length',
    [frames.get(1, [...uploadFields, ['content-length', '4']])],
    'reset 1 protocol',
  ],
  [
    'trailers that end a body too early',
    [frames.post(1, ['content-length', '4']), frame(FRAME.headers, WHOLE, 1, block([['a', 'b']]))],
    'reset 1 protocol',
  ],
  ['trailers that do not end', [frames.post(1), frame(FRAME.headers, 4, 1, block([['a', 'b']]))], 'reset 1 protocol'],
  ['pseudo-headers after the body', [frames.post(1), frame(FRAME.headers, WHOLE, 1, get)], 'reset 1 protocol'],
  [
    'too many header fields',
    [frames.get(1, [...requestFields, ...Array.from({ length: 97 }, (): Field => ['a', 'b'])])],
    'reset 1 enhanceYourCalm',
  ],
  [
    'too many bytes of header fields',
    [frames.get(1, [...requestFields, ['a', 'b'.repeat(16_200)]])],
    'reset 1 enhanceYourCalm',
  ],
];

for (const [what, sent, answer] of mistakes) {
  test(`an HTTP/2 client loses only the stream for ${what}`, async () => {
    const closed: number[] = [];
    await using serving = await Serving.start({
      onStream: (stream) => stream.on('close', () => closed.push(stream.id)),
    });
    serving.client.send(...sent);
    assert.deepEqual(await serving.client.settled(), [answer]);
    serving.client.send(frames.get(3));
    const next = await serving.stream();
    assert.equal(next.id, 3, 'the connection goes on');
    assert.ok(closed.length <= 1);
    next.sendHead(204, {}, true);
    await serving.client.until((one) => words(one) === 'headers 3 end');
  });
}

test('the first HTTP/2 frame of a client is SETTINGS', async () => {
  for (const first of [frames.ping(), frames.get(1), frame(0x42, 0, 0)]) {
    await using serving = await Serving.silent();
    serving.client.send(preface, first);
    const said = await serving.client.rest();
    assert.deepEqual(said, ['settings', 'windowUpdate 0 134465', 'goAway 0 protocol']);
  }
});

test('an acknowledgement does not count as the first SETTINGS', async () => {
  await using serving = await Serving.silent();
  serving.client.send(preface, frame(FRAME.settings, FLAG.ack, 0), frames.ping());
  assert.equal((await serving.client.rest()).at(-1), 'goAway 0 protocol');
});

test('a wrong HTTP/2 preface ends the connection', async () => {
  await using serving = await Serving.silent();
  serving.client.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  assert.equal((await serving.client.rest()).at(-1), 'goAway 0 protocol');
});

test('SETTINGS and PING are acknowledged, acknowledgements and unknown frames are not', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.settings([0x99, 7], [SETTING.maxConcurrentStreams, 0]));
  client.send(frame(FRAME.settings, FLAG.ack, 0), frame(FRAME.ping, FLAG.ack, 0, 'pingpong'), frame(0x42, 255, 7, 'x'));
  client.send(frame(FRAME.goAway, 0, 0, Buffer.alloc(20)), frame(FRAME.priority, 0, 9, Buffer.alloc(5)));
  assert.deepEqual(await client.settled(), ['settings ack']);
  client.send(frames.ping('12345678'));
  assert.equal((await client.next())?.payload.toString(), '12345678');
});

test('frames for a closed stream are ignored if they may have crossed its end', async () => {
  await using serving = await Serving.start();
  serving.client.send(frames.get(1));
  (await serving.stream()).sendHead(204, {}, true);
  serving.client.send(frames.window(1, 5), frames.reset(1), frame(FRAME.priority, 0, 1, Buffer.alloc(5)));
  assert.deepEqual(await serving.client.settled(), ['headers 1 end']);
});

test('padding and priorities do not affect a request', async () => {
  await using serving = await Serving.start();
  const padded = Buffer.concat([Buffer.from([3, 0x80, 0, 0, 0, 9]), block(uploadFields), Buffer.alloc(3)]);
  serving.client.send(frame(FRAME.headers, 4 | FLAG.padded | FLAG.priority, 1, padded));
  serving.client.send(frame(FRAME.data, FLAG.padded | END, 1, '\x02body??'));
  const body = new HeldBody();
  const stream = await serving.stream();
  stream.read(body);
  await serving.client.settled();
  assert.equal(Buffer.concat(body.pieces).toString(), 'body');
  assert.deepEqual(body.events, ['end']);
  assert.equal(stream.head.method, 'POST');
});

test('trailers end an HTTP/2 body', async () => {
  await using serving = await Serving.start();
  serving.client.send(frames.post(1, ['content-length', '3']), frames.data(1, 'abc'));
  serving.client.send(frame(FRAME.headers, WHOLE, 1, block([['x-sum', '1']])));
  const stream = await serving.stream();
  await serving.client.settled();
  const body = new HeldBody();
  stream.read(body);
  assert.deepEqual([String(body.pieces), body.events], ['abc', ['end']]);
});

test('an HTTP/2 header block may be split anywhere', async () => {
  await using serving = await Serving.start();
  const large = block([...requestFields, ['x-large', 'x'.repeat(300)]]);
  for (const [index, cut] of [0, 1, 17, large.length].entries()) {
    const id = 2 * index + 1;
    serving.client.send(
      frame(FRAME.headers, END, id, large.subarray(0, cut)),
      frame(FRAME.continuation, 0, id),
      frame(FRAME.continuation, FLAG.endHeaders, id, large.subarray(cut)),
    );
    const stream = await serving.stream();
    assert.equal(stream.head.headers['x-large']?.length, 300);
    assert.equal(stream.remoteEnded, true);
  }
});

test('an HTTP/2 header block without an end ends the connection, by its bytes or by its frames', async () => {
  for (const [bytes, count] of [
    [16_384, 3],
    [1, 70],
    [0, 70],
  ] as const) {
    await using serving = await Serving.start();
    const more = Array.from({ length: count }, () => frame(FRAME.continuation, 0, 1, Buffer.alloc(bytes)));
    serving.client.send(frame(FRAME.headers, END, 1, Buffer.alloc(bytes)), ...more);
    assert.equal((await serving.client.rest()).at(-1), 'goAway 0 enhanceYourCalm');
  }
});

test('a short header block that expands to a long one resets its stream, and the table stays consistent', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  const remembered = block([['x-bomb', 'x'.repeat(3000)]]);
  remembered[0] = 0x40;
  client.send(frame(FRAME.headers, WHOLE, 1, Buffer.concat([get, remembered, Buffer.alloc(300, 0xbe)])));
  assert.deepEqual(await client.settled(), ['reset 1 enhanceYourCalm']);
  client.send(frame(FRAME.headers, WHOLE, 3, Buffer.concat([get, Buffer.from([0xbe])])));
  assert.equal((await serving.stream()).head.headers['x-bomb']?.length, 3000);
  client.send(frame(FRAME.headers, WHOLE, 5, Buffer.concat([get, Buffer.alloc(10_000, 0xbe)])));
  assert.equal((await client.rest()).at(-1), 'goAway 3 enhanceYourCalm');
});

test('streams beyond the limit are refused until one has ended', async () => {
  await using serving = await Serving.start({ limits: { streams: 2 } });
  const { client, streams } = serving;
  client.send(frames.get(1), frames.get(3), frames.get(5));
  assert.deepEqual(await client.settled(), ['reset 5 refusedStream']);
  streams[0]!.sendHead(200, {}, true);
  client.send(frames.get(7));
  assert.deepEqual((await client.settled()).sort(), ['headers 1 end']);
  assert.deepEqual(
    streams.map(({ id }) => id),
    [1, 3, 7],
  );
});

test('an HTTP/2 client that resets streams faster than allowed loses its connection', async () => {
  let nowMs = 0;
  await using serving = await Serving.start({ now: () => nowMs });
  const { client } = serving;
  let id = -1;
  const resets = (count: number) =>
    Array.from({ length: count }, () => [frames.get((id += 2)), frames.reset(id)]).flat();
  client.send(...resets(20));
  assert.deepEqual(await client.settled(), []);
  nowMs += 3_000;
  client.send(...resets(3));
  assert.deepEqual(await client.settled(), []);
  client.send(...resets(1));
  assert.deepEqual(await client.rest(), [`goAway ${id} enhanceYourCalm`]);
});

test('an HTTP/2 client that makes the server reset streams faster than allowed loses its connection', async () => {
  const provocations: readonly ((id: number) => Buffer[])[] = [
    (id) => [frames.get(id), frames.window(id, 0)],
    (id) => [frames.get(id), frames.window(id, 2 ** 31 - 1)],
    (id) => [frames.get(id), frame(FRAME.priority, 0, id, 'abcd')],
    (id) => [frame(FRAME.priority, 0, id, 'abcd')],
    (id) => [frames.post(id, ['content-length', '1']), frames.data(id, 'ab')],
    (id) => [frames.post(id), frame(FRAME.headers, 4, id, block([['a', 'b']]))],
    (id) => [frames.get(id, [])],
  ];
  for (const provoke of provocations) {
    await using serving = await Serving.start();
    serving.client.send(...Array.from({ length: 21 }, (_, index) => provoke(2 * index + 1)).flat());
    assert.match((await serving.client.rest()).at(-1) ?? '', /^goAway \d+ enhanceYourCalm$/);
  }
});

test('an HTTP/2 client that resizes windows without end loses its connection', async () => {
  await using serving = await Serving.start();
  serving.client.send(frames.get(1));
  await serving.stream();
  const resizes = Array.from({ length: 40 }, (_, index) => frames.settings([SETTING.initialWindowBytes, index]));
  serving.client.send(...resizes);
  assert.equal((await serving.client.rest()).at(-1), 'goAway 1 enhanceYourCalm');
});

test('a change of the initial window counts for each open stream', async () => {
  await using serving = await Serving.start();
  const resize = (bytes: number) => frames.settings([SETTING.initialWindowBytes, bytes]);
  serving.client.send(...[1, 3, 5, 7, 9, 11, 13, 15, 17].map((id) => frames.get(id)), resize(1));
  assert.deepEqual(await serving.client.settled(), ['settings ack']);
  serving.client.send(resize(2), resize(3));
  assert.equal((await serving.client.rest()).at(-1), 'goAway 17 enhanceYourCalm');
});

test('HTTP/2 frames of any kind that advance no request are limited', async () => {
  const floods: Readonly<Record<string, (index: number) => Buffer>> = {
    settings: () => frames.settings([4, 1]),
    'acknowledged settings': () => frame(FRAME.settings, FLAG.ack, 0),
    ping: () => frames.ping(),
    'acknowledged ping': () => frame(FRAME.ping, FLAG.ack, 0, 'pingpong'),
    priority: () => frame(FRAME.priority, 0, 1, Buffer.from([0, 0, 0, 3, 1])),
    'window of the connection': () => frames.window(0, 1),
    'window of a stream': () => frames.window(1, 1),
    'reset of a stream that is over': () => frames.reset(3),
    'empty data': () => frames.data(1, ''),
    'nothing but padding': () => frame(FRAME.data, FLAG.padded, 1, Buffer.from([2, 0, 0])),
    'data of a stream that is over': () => frames.data(3, 'x'),
    'an unknown type': () => frame(0x42, 0, 1, 'x'),
  };
  for (const [name, flood] of Object.entries(floods)) {
    await using serving = await Serving.start({
      limits: { idleFramesBurst: 500, connectionWindowBytes: 1_000_000 },
      onStream: (stream) => stream.id === 1 && stream.read({ piece() {}, end() {}, cut() {} }),
    });
    const { client } = serving;
    client.send(frames.post(1), frames.post(3));
    const other = await serving.stream();
    serving.streams[1]!.sendHead(200, {}, true);
    await client.settled();
    assert.equal(other.destroyed, false);
    client.send(...Array.from({ length: 400 }, (_, index) => flood(index)));
    await client.settled();
    client.send(...Array.from({ length: 400 }, (_, index) => flood(index)));
    assert.equal((await client.rest()).at(-1), 'goAway 3 enhanceYourCalm', name);
  }
});

test('requests, and responses that a client reads, allow the frames that belong to them', async () => {
  await using serving = await Serving.start({
    limits: { idleFramesBurst: 20 },
    settings: [[SETTING.initialWindowBytes, 1_000_000]],
    onStream: (stream) => {
      stream.sendHead(200, {}, false);
      stream.end(Buffer.alloc(3_000));
    },
  });
  const { client } = serving;
  for (let id = 1; id < 400; id += 2) {
    client.send(frames.get(id), frames.window(0, 1_000), frames.window(0, 1_000), frames.window(0, 1_000));
    await client.until((frame) => frame.type === FRAME.data && frame.stream === id);
  }
  assert.equal(serving.failures.length, 0);
});

test('one SETTINGS frame resizes windows once, to its last value', async () => {
  await using serving = await Serving.start();
  serving.client.send(frames.get(1));
  const stream = await serving.stream();
  const values = Array.from({ length: 1000 }, (_, index): [number, number] => [SETTING.initialWindowBytes, index]);
  serving.client.send(frames.settings(...values));
  assert.deepEqual(await serving.client.settled(), ['settings ack']);
  assert.equal(stream.sendWindowBytes, 999);
});

test('an HTTP/2 client that does not read is not read from until it does', async () => {
  await using serving = await Serving.start({ limits: { idleFramesBurst: Number.POSITIVE_INFINITY } });
  const { client, socket } = serving;
  client.socket.pause();
  const flood = Buffer.concat(Array.from({ length: 1000 }, () => frames.ping()));
  let sent = 0;
  // Kernels hold some megabytes on the way.
  while (!socket.isPaused()) {
    sent += 1000;
    client.send(flood);
    await new Promise(setImmediate);
    assert.ok(sent < 10_000_000, 'the flood is held back');
  }
  assert.ok(socket.writableLength < 300_000, `${socket.writableLength} bytes wait`);
  client.socket.resume();
  for (let answered = 0; answered < sent; answered++) await client.next();
  client.send(frames.get(1));
  assert.equal((await serving.stream()).id, 1);
  assert.equal(socket.isPaused(), false);
});

test('a graceful close sends GOAWAY with the last stream, waits for open ones, and ends the connection', async () => {
  await using serving = await Serving.start();
  const { client, session } = serving;
  client.send(frames.post(1));
  const stream = await serving.stream();
  session.close();
  session.close();
  client.send(frames.post(3), frames.data(3, 'ignored'), frames.window(3, 9), frames.reset(3));
  client.send(frames.lastData(1, 'body'));
  assert.deepEqual(await client.settled(), ['goAway 1 none']);
  assert.equal(serving.streams.length, 1);
  const body = new HeldBody();
  stream.read(body);
  assert.deepEqual([String(body.pieces), body.events], ['body', ['end']]);
  stream.sendHead(200, {}, false);
  stream.end(Buffer.from('answer'));
  assert.deepEqual(await client.rest(), ['headers 1', 'data 1 6 end']);
});

test('an idle HTTP/2 connection that is closed ends at once', async () => {
  await using serving = await Serving.start();
  serving.session.close();
  assert.deepEqual(await serving.client.rest(), ['goAway 0 none']);
});

test('frames of a client after GOAWAY do not abort the response in progress', async () => {
  await using serving = await Serving.start({ settings: [[SETTING.initialWindowBytes, 50_000_000]] });
  const { client, session, socket } = serving;
  client.send(frames.window(0, 100_000_000), frames.get(1));
  const stream = await serving.stream();
  stream.sendHead(200, {}, false);
  session.close();
  stream.end(Buffer.alloc(10_000_000));
  let bytes = 0;
  for (let next = await client.next(); next !== undefined; next = await client.next()) {
    if (next.type === FRAME.data) bytes += next.payload.length;
    if (socket.writableEnded || bytes % 1_000_000 < 16_384) client.send(frames.ping());
  }
  assert.equal(bytes, 10_000_000);
});

test('an HTTP/2 connection that is destroyed closes each of its streams once', async () => {
  for (const way of ['destroy', 'reset', 'end', 'breach'] as const) {
    const events: string[] = [];
    await using serving = await Serving.start();
    const { client, session, socket } = serving;
    client.send(frames.post(1), frames.get(3));
    await client.settled();
    const body = new HeldBody();
    const [upload, watch] = serving.streams;
    upload!.read(body);
    upload!.on('close', () => events.push('close 1'));
    watch!.on('close', () => events.push('close 3'));
    watch!.sendHead(200, {}, false);
    watch!.write(Buffer.alloc(200_000));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (way === 'destroy') session.destroy();
    else if (way === 'reset') client.socket.resetAndDestroy();
    else if (way === 'end') client.socket.end();
    else client.send(frames.window(0, 0));
    await closed;
    assert.deepEqual(events, ['close 1', 'close 3'], way);
    assert.deepEqual(body.events, ['cut'], way);
    assert.equal(watch!.write(Buffer.alloc(1)), false);
    watch!.end(Buffer.alloc(1));
    upload!.sendHead(200, {}, false);
    upload!.done(5);
    session.close();
    session.destroy();
    assert.deepEqual(events, ['close 1', 'close 3'], way);
  }
});

test('an internal error ends the HTTP/2 connection with a GOAWAY', async () => {
  await using serving = await Serving.start({
    onStream: (stream) =>
      stream.read({
        piece() {
          throw new TypeError('a fault');
        },
        end() {},
        cut() {},
      }),
  });
  serving.client.send(frames.post(1));
  await serving.stream();
  serving.client.send(frames.data(1, 'x'));
  assert.deepEqual(await serving.client.rest(), ['goAway 1 internal']);
  assert.ok(serving.failures[0] instanceof TypeError);
});
