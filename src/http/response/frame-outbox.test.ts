import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { FrameOutbox, type Outlet } from './frame-outbox.ts';

class Recorder implements Outlet {
  readonly sent: Buffer[] = [];
  readonly joins: boolean;
  #frames: Buffer[] = [];

  constructor(joins = true) {
    this.joins = joins;
  }

  give(outbox: FrameOutbox, ...frames: Buffer[]): void {
    if (this.#frames.length === 0) outbox.add(this);
    this.#frames.push(...frames);
  }

  takeFrames(): Buffer[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  send(bytes: Buffer): void {
    this.sent.push(bytes);
  }
}

const [one, two] = [Buffer.from('one\n'), Buffer.from('two\n')] as const;

test('watch frames of one turn are sent in one piece, shared by streams with the same frames', async () => {
  const outbox = new FrameOutbox(1000);
  const [first, second, other] = [new Recorder(), new Recorder(), new Recorder()];
  first.give(outbox, one, two);
  second.give(outbox, one, two);
  other.give(outbox, two);
  assert.deepEqual(first.sent, []);
  await Promise.resolve();
  assert.equal(String(first.sent[0]), 'one\ntwo\n');
  assert.equal(first.sent[0], second.sent[0]);
  assert.equal(other.sent[0], two);
  first.give(outbox, two);
  await Promise.resolve();
  assert.deepEqual(first.sent.map(String), ['one\ntwo\n', 'two\n']);
});

test('a watch stream that keeps frames apart gets them one by one', async () => {
  const outbox = new FrameOutbox(1000);
  const apart = new Recorder(false);
  apart.give(outbox, one, two);
  await Promise.resolve();
  assert.deepEqual(apart.sent, [one, two]);
});

test('watch frames that were delivered at once are not sent again', async () => {
  const outbox = new FrameOutbox(1000);
  const recorder = new Recorder();
  recorder.give(outbox, one);
  outbox.deliver(recorder);
  await Promise.resolve();
  assert.deepEqual(recorder.sent, [one]);
});
