import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { block, type Field, frame, frames, requestFields, words } from '../../test/http2-client.ts';
import { HeldBody, Serving } from '../../test/http2-session.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { ERROR, FLAG, FRAME, SETTING } from './protocol.ts';

const MOST = 2 ** 31 - 1 - 65_535;

/** Text that says where in it one is. */
function text(bytes: number): Buffer {
  return Buffer.from(
    Array.from({ length: Math.ceil(bytes / 8) }, (_, index) => String(index).padStart(8)).join(''),
  ).subarray(0, bytes);
}

/** So many bytes of a body, in frames that are taken. */
function upload(stream: number, bytes: number): Buffer[] {
  const sizes = Array.from({ length: Math.ceil(bytes / 10_000) }, (_, index) =>
    Math.min(10_000, bytes - index * 10_000),
  );
  return sizes.map((size) => frames.data(stream, Buffer.alloc(size)));
}

test('an HTTP/2 response waits for the windows of its stream and of the connection', async () => {
  await using serving = await Serving.start({ settings: [[SETTING.initialWindowBytes, 10]] });
  const { client } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  stream.sendHead(200, {}, false);
  stream.end(text(70_000));
  assert.deepEqual(await client.settled(), ['headers 1', 'data 1 10']);
  client.send(frames.window(1, 3));
  assert.deepEqual(await client.settled(), ['data 1 3']);
  client.send(frames.window(1, MOST - 70_000));
  const filled = await client.settled();
  assert.equal(filled.length, 4);
  assert.equal(stream.writableLength, 70_000 - 65_535, 'the connection takes no more');
  client.send(frames.window(0, 4464));
  assert.deepEqual(await client.settled(), ['data 1 4464']);
  client.send(frames.window(0, 10));
  assert.deepEqual(await client.settled(), ['data 1 1 end']);
});

test('SETTINGS change the windows of open streams, even below zero', async () => {
  await using serving = await Serving.start({ settings: [[SETTING.initialWindowBytes, 100]] });
  const { client } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  stream.sendHead(200, {}, false);
  stream.end(text(300));
  assert.deepEqual(await client.settled(), ['headers 1', 'data 1 100']);
  client.send(frames.settings([SETTING.initialWindowBytes, 150]));
  assert.deepEqual((await client.settled()).sort(), ['data 1 50', 'settings ack']);
  client.send(frames.settings([SETTING.initialWindowBytes, 20]));
  assert.deepEqual(await client.settled(), ['settings ack']);
  assert.equal(stream.sendWindowBytes, -130);
  client.send(frames.window(1, 130));
  assert.deepEqual(await client.settled(), [], 'that made up for what was too much');
  client.send(frames.window(1, 1));
  assert.deepEqual(await client.settled(), ['data 1 1']);
  client.send(frames.settings([SETTING.initialWindowBytes, 1000]));
  assert.deepEqual((await client.settled()).sort(), ['data 1 149 end', 'settings ack']);
});

test('an HTTP/2 response that is larger than all windows arrives whole', async () => {
  await using serving = await Serving.start({ settings: [[SETTING.initialWindowBytes, 1000]] });
  const { client } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  const whole = text(300_000);
  stream.sendHead(200, {}, false);
  stream.end(whole);
  const pieces: Buffer[] = [];
  for (let isLast = false; !isLast; ) {
    const next = await client.next();
    if (next?.type !== FRAME.data) continue;
    pieces.push(next.payload);
    isLast = (next.flags & FLAG.endStream) !== 0;
    if (!isLast) client.send(frames.window(0, next.payload.length), frames.window(1, next.payload.length));
  }
  assert.ok(Buffer.concat(pieces).equals(whole));
});

test('HTTP/2 streams with data to send take turns', async () => {
  await using serving = await Serving.start();
  const { client, streams } = serving;
  client.send(frames.get(1), frames.get(3), frames.get(5));
  await client.settled();
  for (const stream of streams) {
    stream.sendHead(200, {}, false);
    stream.write(text(65_535));
  }
  await client.settled();
  client.send(frames.window(0, 100_000));
  const turns = (await client.settled()).map((said) => said.split(' ')[1]);
  assert.ok(turns.length > 4);
  turns.forEach((id, index) => {
    assert.equal(id, index % 2 === 0 ? '3' : '5', turns.join());
  });
});

test('a writer is notified once, when everything it wrote has been sent', async () => {
  await using serving = await Serving.start({ settings: [[SETTING.initialWindowBytes, 10]] });
  const { client } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  let drained = 0;
  stream.on('drain', () => drained++);
  stream.sendHead(200, {}, false);
  assert.equal(stream.write(text(10)), true, 'there is room');
  assert.equal(stream.write(text(10)), false);
  assert.equal(stream.write(text(5)), false);
  client.send(frames.window(1, 12));
  await client.settled();
  assert.deepEqual([drained, stream.writableLength], [0, 3]);
  client.send(frames.window(1, 3));
  await client.settled();
  assert.deepEqual([drained, stream.writableNeedDrain], [1, false]);
  stream.end();
  assert.deepEqual(await client.settled(), ['data 1 0 end']);
});

test('a writer is not notified if more was written meanwhile', async () => {
  await using serving = await Serving.start({
    settings: [[SETTING.initialWindowBytes, 10]],
    onStream: (stream) => {
      if (stream.id === 3) serving.streams[0]!.write(text(7));
    },
  });
  const { client, streams } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  const lengths: number[] = [];
  stream.on('drain', () => lengths.push(stream.writableLength));
  stream.sendHead(200, {}, false);
  stream.write(text(15));
  client.send(Buffer.concat([frames.window(1, 5), frames.get(3)]));
  await client.settled();
  assert.equal(streams.length, 2);
  client.send(frames.window(1, 10));
  await client.settled();
  assert.deepEqual([...new Set(lengths)], [0]);
});

test('HTTP/2 responses to HEAD and to statuses without a body end with the headers', async () => {
  await using serving = await Serving.start();
  serving.client.send(frames.get(1));
  const stream = await serving.stream();
  stream.sendHead(304, { etag: 'x' }, true);
  assert.equal(stream.write(text(1)), false);
  stream.end(text(1));
  assert.deepEqual(await serving.client.settled(), ['headers 1 end']);
  assert.equal(stream.destroyed, true);
});

test('headers larger than a frame are sent in CONTINUATION frames, with nothing between them', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.get(1));
  const stream = await serving.stream();
  const headers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, `${index}`.repeat(600)]));
  stream.sendHead(200, { ...headers, 'set-cookie': ['a', 'b'] }, false);
  stream.end(text(10));
  const seen = await client.until((one) => one.type === FRAME.data);
  assert.deepEqual(seen.map(words), ['headers 1', 'continuation 1', 'continuation 1', 'data 1 10 end']);
  assert.deepEqual(
    seen.map(({ flags }) => flags),
    [0, 0, FLAG.endHeaders, FLAG.endStream],
  );
  const block = Buffer.concat(seen.slice(0, 3).map(({ payload }) => payload));
  const { fields } = new HeaderDecoder({ bytes: 100_000, fields: 100 }).decode(block);
  const sent = [[':status', '200'], ...Object.entries(headers), ['set-cookie', 'a'], ['set-cookie', 'b']];
  assert.deepEqual(
    fields.map(({ name, value }) => [name, value]),
    sent,
  );
});

test('an HTTP/2 client may send more as its body is read, and not before', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), ...upload(1, 100_000));
  const stream = await serving.stream();
  assert.deepEqual(await client.settled(), []);
  const body = new HeldBody();
  stream.read(body);
  assert.deepEqual(await client.settled(), [], 'what was handed out is not done with');
  stream.done(49_999);
  assert.deepEqual(await client.settled(), []);
  stream.done(1);
  assert.deepEqual(await client.settled(), ['windowUpdate 1 50000']);
  stream.done(50_000);
  assert.deepEqual(await client.settled(), ['windowUpdate 0 100000', 'windowUpdate 1 50000']);
});

test('padding is credited to the window at once', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  const padded = Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]);
  client.send(frames.post(1), ...Array.from({ length: 200 }, () => frame(FRAME.data, FLAG.padded, 1, padded)));
  assert.deepEqual(await client.settled(), ['windowUpdate 1 50176']);
});

test('a client that exceeds the window of a stream loses the stream', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), ...upload(1, 100_000), frames.data(1, 'x'));
  assert.deepEqual(await client.settled(), ['reset 1 flowControl', 'windowUpdate 0 100001']);
});

test('a client that exceeds the window of the connection loses the connection', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), frames.post(3), frames.post(5));
  client.send(...upload(1, 100_000), ...upload(3, 100_000), frames.data(5, 'x'));
  assert.equal((await client.rest())[0], 'goAway 5 flowControl');
});

/** How a stream may end whose body nobody was done with. */
const endings: Record<string, (serving: Serving, id: number) => void> = {
  'the client resets it': ({ client }, id) => client.send(frames.reset(id)),
  'it is answered early': ({ streams }) => streams.at(-1)!.sendHead(413, {}, true),
  'we reset it': ({ streams }) => streams.at(-1)!.reset(ERROR.internal),
  'its body is longer than told': ({ client }, id) => client.send(frames.data(id, text(10_001))),
  'its window is passed': ({ client }, id) => client.send(...upload(id, 110_000)),
};

for (const [way, end] of Object.entries(endings)) {
  test(`the connection's window is restored when ${way}`, async () => {
    await using serving = await Serving.start({ limits: { resetsBurst: 1000 } });
    const { client } = serving;
    // Three times as much as the connection takes.
    for (let id = 1; id < 24; id += 2) {
      const told = way.includes('longer') ? '60000' : '1000000';
      client.send(frames.post(id, ['content-length', told]), ...upload(id, 50_000));
      const stream = await serving.stream();
      if (id % 4 === 1) stream.read(new HeldBody());
      end(serving, id);
      const said = await client.settled();
      assert.ok(said.some((one) => one.startsWith(`reset ${id}`)) || way.includes('client'), said.join());
    }
  });
}

test('the rest of a body after an early response is ignored, and credited to the connection', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), ...upload(1, 20_000));
  const stream = await serving.stream();
  stream.sendHead(403, {}, false);
  stream.end(text(3));
  assert.deepEqual(await client.settled(), ['headers 1', 'data 1 3 end', 'reset 1 none']);
  client.send(...upload(1, 80_000));
  assert.deepEqual(await client.settled(), ['windowUpdate 0 100000']);
  client.send(frame(FRAME.headers, 5, 1, block([['x-sum', '1']])));
  assert.deepEqual(await client.settled(), []);
  client.send(frames.data(1, 'x'));
  assert.deepEqual(await client.rest(), ['goAway 1 streamClosed'], 'its end has come');
});

test('a request whose body ends after its response began ends with the response', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1));
  const stream = await serving.stream();
  stream.sendHead(200, {}, false);
  stream.write(text(3));
  client.send(frames.lastData(1, 'x'));
  assert.deepEqual(await client.settled(), ['headers 1', 'data 1 3']);
  stream.end();
  assert.deepEqual(await client.settled(), ['data 1 0 end']);
  assert.equal(stream.destroyed, true);
});

test('a reader is notified of the end of a body once, and of nothing after a reset', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), frames.data(1, 'ab'));
  const stream = await serving.stream();
  const body = new HeldBody();
  const { piece } = body;
  body.piece = (bytes) => {
    piece.call(body, bytes);
    if (body.pieces.length === 2) stream.reset(ERROR.cancel);
  };
  stream.read(body);
  client.send(frames.lastData(1, 'cd'));
  assert.deepEqual(await client.settled(), ['reset 1 cancel']);
  assert.deepEqual([String(body.pieces), body.events], ['ab,cd', ['cut']]);
  const late = new HeldBody();
  stream.read(late);
  assert.deepEqual(late.events, ['cut']);
});

test('nothing waits for a closed stream, even if nothing can be sent', async () => {
  await using serving = await Serving.start();
  const { client, streams } = serving;
  client.send(frames.get(1), frames.get(3), frames.get(5));
  await client.settled();
  for (const stream of streams) {
    stream.sendHead(200, {}, false);
    stream.write(text(70_000));
  }
  assert.equal(streams[1]!.isWaiting, true);
  client.send(frames.reset(3));
  await client.settled();
  assert.deepEqual(
    streams.map(({ isWaiting }) => isWaiting),
    [true, false, true],
  );
  client.send(frames.window(0, 200_000), frames.window(1, 100_000), frames.window(5, 100_000));
  await client.settled();
  assert.deepEqual(
    streams.map(({ writableLength, destroyed }) => destroyed || writableLength),
    [0, true, 0],
  );
});

test('a header with a name that JavaScript objects inherit is a header like any other', async () => {
  await using serving = await Serving.start();
  const odd: Field[] = [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['tostring', 'c'],
  ];
  serving.client.send(frames.get(1, [...requestFields, ...odd]));
  const { headers } = (await serving.stream()).head;
  assert.deepEqual(
    odd.map(([name]) => headers[name]),
    ['a', 'b', 'c'],
  );
  assert.equal(headers['valueOf'], undefined);
});
