import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { Feed } from './feed.ts';
import { type Rpc, RpcError, type RpcStream, type StreamHandlers } from './rpc.ts';

interface Said {
  readonly revision?: number;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly compactRevision?: number;
  readonly fragment?: boolean;
  readonly events?: readonly (readonly [key: string, revision: number])[];
}

/** An answer of etcd's watch. */
function answer({ revision = 0, created, canceled, compactRevision = 0, fragment, events = [] }: Said): Uint8Array {
  const out = new ProtobufWriter();
  const field = (number: number, write: () => void) => {
    const before = out.size;
    write();
    out.uint(out.size - before);
    out.uint((number << 3) | 2);
  };
  const int = (number: number, value: number) => {
    out.int(value);
    out.uint(number << 3);
  };
  for (const [key, modRevision] of events.toReversed()) {
    field(11, () =>
      field(2, () => {
        field(5, () => out.raw(Buffer.from('v')));
        int(3, modRevision);
        field(1, () => out.raw(Buffer.from(key)));
      }),
    );
  }
  if (fragment === true) int(7, 1);
  int(5, compactRevision);
  if (canceled === true) int(4, 1);
  if (created === true) int(3, 1);
  field(1, () => int(3, revision));
  return out.bytes();
}

/** @param slow keys whose events are ready when the test says so */
function started(after = 10, slow: Record<string, Promise<void>> = {}) {
  const streams: StreamHandlers[] = [];
  const clock = new ManualClock();
  const rpc: Rpc = {
    call: () => Promise.reject(new RpcError('refused', 'not in this test')),
    stream: (_, handlers): RpcStream => {
      streams.push(handlers);
      return { send: () => {}, close: () => {}, pause: () => {}, resume: () => {} };
    },
    close: () => {},
  };
  const seen: string[] = [];
  const gaps: number[] = [];
  const feed = new Feed({
    ...{ rpc, clock, log: silentLog, after, prefix: '/registry/', tellsProgress: true },
    read: ({ key, modRevision: revision }) => {
      const event = { key, revision, value: undefined, previous: undefined };
      return slow[key]?.then(() => event) ?? event;
    },
    onEvent: ({ key, revision }) => seen.push(`${key}@${revision}`),
    onGap: (compacted) => gaps.push(compacted),
  });
  const say = (said: Said) => streams.at(-1)?.onMessage(answer(said));
  const broken = () => {
    streams.at(-1)?.onEnd(new RpcError('unavailable', 'broken'));
    clock.advance(2_000);
    say({ created: true });
  };
  say({ created: true });
  return { feed, say, seen, gaps, broken, streams };
}

test('events of an etcd watch arrive in order, with all of one revision', () => {
  const { feed, say, seen } = started();
  say({ events: [['a', 11]] });
  say({
    events: [
      ['b', 12],
      ['c', 12],
    ],
  });
  assert.deepEqual(seen, ['a@11', 'b@12', 'c@12']);
  assert.equal(feed.revision, 12);
});

test('a fragmented response of an etcd watch counts when its last fragment arrives', () => {
  const { feed, say, seen, broken } = started();
  say({ fragment: true, events: [['a', 11]] });
  assert.deepEqual(seen, []);
  broken();
  say({ fragment: true, events: [['a', 11]] });
  say({ events: [['b', 11]] });
  assert.deepEqual(seen, ['a@11', 'b@11']);
  assert.equal(feed.revision, 11);
});

test('an etcd watch repeats no event after a broken connection', () => {
  const { say, seen, broken, streams } = started();
  say({ events: [['a', 11]] });
  broken();
  say({
    events: [
      ['a', 11],
      ['b', 12],
    ],
  });
  assert.deepEqual(seen, ['a@11', 'b@12']);
  assert.equal(streams.length, 2);
});

test('an event of an etcd watch whose decryption takes time delays later events, and no earlier ones', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { feed, say, seen } = started(10, { slow: promise });
  const reached = feed.reach(13, 1_000);
  say({ events: [['a', 11]] });
  say({ events: [['slow', 12]] });
  say({ events: [['b', 13]] });
  assert.deepEqual([seen, feed.revision], [['a@11'], 11]);
  resolve();
  assert.equal(await reached, true);
  assert.deepEqual([seen, feed.revision], [['a@11', 'slow@12', 'b@13'], 13]);
});

test('an event that is being decrypted when the connection breaks is delivered once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { feed, say, seen, broken } = started(10, { slow: promise });
  say({ events: [['slow', 11]] });
  broken();
  say({ events: [['slow', 11]] });
  const reached = feed.reach(11, 1_000);
  resolve();
  await reached;
  await promise;
  assert.deepEqual(seen, ['slow@11']);
});

test('a wait for a revision ends with an event of etcd or a progress notification', async () => {
  const { feed, say } = started();
  const event = feed.reach(11, 1_000);
  say({ events: [['a', 11]] });
  assert.equal(await event, true);
  const progress = feed.reach(20, 1_000);
  say({ revision: 25 });
  assert.equal(await progress, true);
  assert.equal(feed.revision, 25);
  assert.equal(feed.reach(25, 1_000), true);
});

test('a compaction during an etcd watch is reported, and the watch goes on after it', () => {
  const { feed, say, gaps, seen } = started();
  say({ canceled: true, compactRevision: 40 });
  assert.deepEqual(gaps, [40]);
  assert.equal(feed.revision, 40);
  say({ events: [['x', 39]] });
  assert.deepEqual(seen, []);
});
