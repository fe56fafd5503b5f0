import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../base/clock.ts';
import { annotationsMember } from './annotations-member.ts';
import { BatchingSink, type BatchOptions } from './batching-sink.ts';
import type { AuditSink, EventWriter } from './sink.ts';
import { StagedEvent } from './staged-event.ts';
import { TruncatingSink } from './truncating-sink.ts';
import { UnionSink } from './union-sink.ts';
import { WebhookWriter } from './webhook-writer.ts';
import { WritingSink } from './writing-sink.ts';

interface EventOptions {
  readonly level?: string;
  readonly bodies?: string;
  readonly annotations?: ReadonlyMap<string, string>;
}

const STAGE = {
  stage: 'ResponseComplete',
  impersonatedUser: undefined,
  code: 200,
  ...{ head: '', bodies: '', times: '', tail: '', annotations: undefined },
} as const;

function event(auditId: string, { level = 'Request', bodies = '', annotations }: EventOptions = {}): StagedEvent {
  const facts = {
    level: level as 'Request',
    auditId,
    requestUri: '/api?a=<b>',
    verb: 'get',
    user: { name: 'alice', uid: '', groups: ['dev', 'qa'], extra: {} },
    sourceIps: ['10.0.0.1'],
    userAgent: 'test',
    namespace: '',
    receivedAt: '2026-01-01T00:00:00.120000Z',
  };
  const head = `"auditID":"${auditId}","requestURI":"/api?a=<b>"`;
  return new StagedEvent(facts, { ...STAGE, tail: annotationsMember(annotations), annotations, head, bodies });
}

/** A writer that notes what it is given, and takes as long as the test likes. */
class Notes implements EventWriter {
  readonly batches: string[][] = [];
  readonly #pending: (() => void)[] = [];
  readonly #waits: boolean;

  constructor(waits = false) {
    this.#waits = waits;
  }

  write(events: readonly StagedEvent[]): Promise<void> {
    this.batches.push(events.map(({ facts }) => facts.auditId));
    return this.#waits ? new Promise((resolve) => this.#pending.push(resolve)) : Promise.resolve();
  }

  release(): void {
    for (const each of this.#pending.splice(0)) each();
  }

  async close(): Promise<void> {}
}

const lost: string[] = [];
const report = (plugin: string, events: readonly StagedEvent[]) => {
  for (const { facts } of events) lost.push(`${plugin} ${facts.auditId}`);
};

function batching(writer: EventWriter, clock: ManualClock, more: Partial<BatchOptions> = {}): BatchingSink {
  const options = {
    ...{ bufferSize: 2, maxBatchSize: 3, maxBatchWaitMs: 1_000, throttle: undefined },
    ...{ maxWrites: 1, maxCharacters: 1_000 },
  };
  return new BatchingSink({ ...options, ...more, writer, clock, report });
}

suite('batches of audit events', () => {
  test('a batch of audit events is sent when it is full, and after its time', async () => {
    const [notes, clock] = [new Notes(), new ManualClock()];
    const sink = batching(notes, clock, { bufferSize: 10 });
    for (const id of ['a', 'b', 'c', 'd']) sink.take(event(id));
    await turn();
    assert.deepEqual(notes.batches, [['a', 'b', 'c']]);
    clock.advance(1_000);
    await turn();
    assert.deepEqual(notes.batches, [['a', 'b', 'c'], ['d']]);
  });

  test('the throttle limits the rate of batches of audit events', async () => {
    const [notes, clock] = [new Notes(), new ManualClock()];
    const sink = batching(notes, clock, { bufferSize: 10, maxBatchSize: 1, throttle: { qps: 2, burst: 2 } });
    for (const id of ['a', 'b', 'c', 'd']) {
      sink.take(event(id));
      await turn();
    }
    assert.equal(notes.batches.length, 2);
    clock.advance(500);
    await turn();
    assert.equal(notes.batches.length, 3);
    clock.advance(500);
    await turn();
    assert.equal(notes.batches.length, 4);
  });

  test('batches of audit events drop events when the buffer is full, without blocking', async () => {
    lost.length = 0;
    const [notes, clock] = [new Notes(true), new ManualClock()];
    const sink = batching(notes, clock);
    const done: boolean[] = [];
    for (const id of 'abcdefghijk') sink.take(event(id), (stored) => done.push(stored));
    // Three are on their way, three are gathered, two wait.
    assert.deepEqual(lost, ['buffered i', 'buffered j', 'buffered k']);
    assert.deepEqual(done, new Array(11).fill(true));
  });

  test('a sink writes its audit events before it closes', async () => {
    const [notes, clock] = [new Notes(), new ManualClock()];
    const sink = batching(notes, clock, { throttle: { qps: 0.001, burst: 1 } });
    sink.take(event('a'));
    await sink.close();
    assert.deepEqual(notes.batches, [['a']]);
  });
});

function writing(writer: EventWriter, isStrict = false, maxEvents = 100, maxWrites = 1): WritingSink {
  const bounds = { maxEvents, maxWrites, maxCharacters: 1_000 };
  return new WritingSink({ writer, plugin: 'log', isStrict, ...bounds, defer: setImmediate, report });
}

suite('blocking audit writes', () => {
  test('blocking audit writes hold the events of a turn, which are then reported as stored', async () => {
    const notes = new Notes(true);
    const sink = writing(notes);
    const done: string[] = [];
    for (const id of ['a', 'b']) sink.take(event(id), () => done.push(id));
    await turn();
    assert.deepEqual(notes.batches, [['a', 'b']]);
    assert.deepEqual(done, []);
    sink.take(event('c'));
    await turn();
    assert.equal(notes.batches.length, 1, 'one write at a time');
    notes.release();
    await turn();
    assert.deepEqual(done, ['a', 'b']);
    await turn();
    assert.deepEqual(notes.batches[1], ['c']);
  });

  test('concurrent writes contain no two audit events of one request', async () => {
    const notes = new Notes(true);
    const sink = writing(notes, false, 100, 3);
    const first = event('a');
    sink.take(first);
    await turn();
    sink.take(new StagedEvent(first.facts, { ...STAGE, stage: 'ResponseComplete' }));
    sink.take(event('a'));
    sink.take(event('b'));
    await turn();
    assert.deepEqual(notes.batches, [['a'], ['a', 'b']], 'another request may have the same id');
    notes.release();
    await turn();
    await turn();
    assert.deepEqual(notes.batches[2], ['a']);
    notes.release();
    await sink.close();
  });

  test('blocking audit writes report a failure', async () => {
    const sink = writing({ write: () => Promise.reject(new Error('full')), close: async () => {} });
    const stored = await new Promise((resolve) => sink.take(event('a'), resolve));
    assert.equal(stored, false);
  });

  test('blocking audit writes wait for all sinks of a union, and fail for strict ones only', async () => {
    const failing = { write: () => Promise.reject(new Error('full')), close: async () => {} };
    const ask = (sink: AuditSink) => new Promise((resolve) => sink.take(event('a'), resolve));
    assert.equal(await ask(new UnionSink([writing(new Notes()), writing(failing)])), true);
    assert.equal(await ask(new UnionSink([writing(new Notes()), writing(failing, true)])), false);
  });
});

suite('truncation of audit events', () => {
  const bodies = `,"requestObject":"${'x'.repeat(200)}"`;

  test('truncation of audit events removes the bodies of events that are too large, with an annotation', () => {
    const seen: StagedEvent[] = [];
    const next: AuditSink = {
      holdsRequests: false,
      isStrict: false,
      isBlocking: true,
      take: (each) => seen.push(each),
      close: async () => {},
    };
    const sink = new TruncatingSink({ next, maxEventSize: 250, report });
    sink.take(event('small'));
    sink.take(event('large', { bodies }));
    assert.doesNotMatch(seen[0]!.line(), /truncated/);
    assert.match(seen[1]!.line(), /^\{"kind":"Event".*"annotations":\{"audit\.k8s\.io\/truncated":"true"\}\}\n$/);
    assert.doesNotMatch(seen[1]!.line(), /requestObject/);
  });

  test('truncation of audit events drops events that are too large without bodies, and the request continues', () => {
    lost.length = 0;
    const next: AuditSink = {
      holdsRequests: true,
      isStrict: true,
      isBlocking: true,
      take: () => assert.fail('taken'),
      close: async () => {},
    };
    const sink = new TruncatingSink({ next, maxEventSize: 10, report });
    let stored: boolean | undefined;
    sink.take(event('a', { bodies }), (given) => {
      stored = given;
    });
    assert.deepEqual([lost, stored], [['truncate a'], true]);
  });
});

test('an audit webhook is sent a batch five times with growing delays before events are dropped', async () => {
  lost.length = 0;
  const clock = new ManualClock();
  const sent: string[] = [];
  const writer = new WebhookWriter({
    ...{ clock, report, initialBackoffMs: 100, close: () => {}, random: { uuid: () => '', below: () => 0 } },
    send: (list) => {
      sent.push(list);
      return Promise.reject(new Error('no'));
    },
  });
  const writing = assert.rejects(writer.write([event('a')]));
  for (const pauseMs of [100, 150, 225, 337.5]) {
    await turn();
    clock.advance(pauseMs - 1);
    const before = sent.length;
    await turn();
    assert.equal(sent.length, before);
    clock.advance(1);
  }
  await writing;
  assert.equal(sent.length, 5);
  assert.deepEqual(lost, ['webhook a']);
  const list = JSON.parse(sent[0]!);
  assert.deepEqual(
    [list.kind, list.apiVersion, list.metadata, Object.keys(list.items[0])],
    ['EventList', 'audit.k8s.io/v1', {}, ['auditID', 'requestURI']],
  );
});

test('the legacy audit format is a line of quoted values', () => {
  assert.equal(
    event('id').legacyText(),
    '2026-01-01T00:00:00.12Z AUDIT: id="id" stage="ResponseComplete" ip="10.0.0.1" method="get" user="alice" ' +
      'groups="\\"dev\\",\\"qa\\"" as="<self>" asgroups="<lookup>" user-agent="test" namespace="<none>" ' +
      'uri="/api?a=<b>" response="200"',
  );
});

test('the size of an audit event includes all its parts, whatever has been encoded before', () => {
  const annotations = new Map([['a/b', 'x'.repeat(100)]]);
  const one = event('a', { bodies: ',"requestObject":{}', annotations });
  const { length } = one.members();
  assert.equal(one.characters, length);
  one.line();
  assert.equal(one.characters, length);
  const small = one.withoutBodies();
  assert.equal(small.characters, small.members().length);
});
