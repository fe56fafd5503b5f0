import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CommitMailbox } from './commit-mailbox.ts';
import { type Commit, commitLength, readCommit, writeCommit } from './log-rows.ts';

/** The two ends of one mailbox, here in one thread. */
function ends(): { sender: CommitMailbox; taker: CommitMailbox } {
  const sender = new CommitMailbox();
  return { sender, taker: new CommitMailbox(sender.memory) };
}

function post(sender: CommitMailbox, commit: Commit): Promise<void> {
  const length = commitLength(commit);
  writeCommit(sender.space(length), commit);
  sender.sendCommit(length);
  return sender.doneAfter(0);
}

describe('the commit mailbox', () => {
  it('the commit mailbox delivers a commit unchanged', async () => {
    const { sender, taker } = ends();
    const value = Buffer.from('{"a":"ä"}');
    const writes = [
      { revision: 2 ** 40, timeMs: 1, key: '/registry/ä', value },
      { revision: 2 ** 40 + 1, timeMs: 1, key: '/registry/b', value: undefined },
    ];
    const done = post(sender, { writes, released: [7, 2 ** 40 - 1], compacted: 100 });
    const { kind, content } = taker.take();
    const { rows, released, compacted } = readCommit(content);
    const read = [...rows].map((row) => ({
      ...row,
      key: Buffer.from(row.key).toString(),
      value: row.value && Buffer.from(row.value),
    }));
    assert.deepEqual(
      { kind, read, released, compacted },
      { kind: 'commit', read: writes, released: [7, 2 ** 40 - 1], compacted: 100 },
    );
    taker.finish();
    await done;
  });

  it('the commit mailbox does not resolve before the commit is done', async () => {
    const { sender, taker } = ends();
    let resolved = false;
    const done = post(sender, { writes: [], released: [], compacted: 1 }).then(() => {
      resolved = true;
    });
    taker.take();
    await new Promise(setImmediate);
    assert.deepEqual([resolved, sender.allDone, sender.done], [false, false, 0]);
    taker.finish();
    assert.deepEqual([sender.allDone, sender.done], [true, 1]);
    await done;
  });

  it('the commit mailbox grows with its content, on both sides', () => {
    const { sender, taker } = ends();
    for (const size of [10, 1_000_000, 100, 3_000_000]) {
      const value = Buffer.alloc(size, size % 251);
      void post(sender, { writes: [{ revision: 1, timeMs: 1, key: 'k', value }], released: [], compacted: 1 });
      const [row] = readCommit(taker.take().content).rows;
      assert.ok(row?.value !== undefined && Buffer.from(row.value).equals(value));
    }
  });

  it('the commit mailbox ignores a wake-up that comes late', async (t) => {
    const path = JSON.stringify(new URL('./commit-mailbox.ts', import.meta.url).href);
    const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      import { CommitMailbox } from ${path};
      const mailbox = new CommitMailbox(workerData);
      const taken = [];
      for (let next = mailbox.take(); next.kind !== 'close'; next = mailbox.take()) {
        taken.push(next.content.length);
        mailbox.finish();
      }
      parentPort.postMessage(taken);
    `;
    const sender = new CommitMailbox();
    const head = new Int32Array(sender.memory);
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: sender.memory,
    });
    const taken = new Promise<number[]>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    t.after(() => worker.terminate());
    const lengths = Array.from({ length: 200 }, (_, index) => index + 1);
    for (const length of lengths) {
      sender.sendCommit(length);
      while (!sender.allDone);
      // The taker had seen the commit before its sender, held up, came to wake it: it sleeps again by then.
      while (Atomics.notify(head, 0) === 0);
    }
    sender.send('close');
    assert.deepEqual(await taken, lengths);
  });

  it('the commit mailbox reuses the number of a failed commit', async () => {
    const { sender, taker } = ends();
    sender.sendCommit(1);
    taker.take();
    sender.forgetCommit();
    assert.ok(sender.allDone);
    sender.sendCommit(2);
    assert.equal(sender.allDone, false);
    taker.take();
    taker.finish();
    assert.deepEqual([sender.allDone, sender.done], [true, 1]);
  });

  it('the commit mailbox distinguishes kinds of requests', () => {
    const { sender, taker } = ends();
    for (const kind of ['read', 'close'] as const) {
      sender.send(kind);
      assert.equal(taker.take().kind, kind);
    }
  });
});
