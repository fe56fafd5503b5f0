// Every order in which the two threads of a mailbox can meet. Each side runs the real code; each of its steps on the
// shared memory is one move of the search, so that a thread may be held up between any two.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CommitMailbox, type MailboxAtomics } from './commit-mailbox.ts';

const COMMITS = 3;

/** One thread: what its steps so far answered, by which it can be brought back to where it stands. */
interface Side {
  readonly answers: readonly unknown[];
  /** The word that it sleeps on. */
  readonly asleep: number | undefined;
  readonly finished: boolean;
  readonly output: readonly number[];
}

interface State {
  readonly memory: readonly number[];
  readonly sides: readonly [Side, Side];
}

type Body = (mailbox: CommitMailbox, output: number[]) => void | Promise<void>;

/** Sends commits, their lengths 1, 2, 3, each when the one before is done. */
const sender: Body = async (mailbox, output) => {
  for (let number = 1; number <= COMMITS; number++) {
    mailbox.sendCommit(number);
    while (!mailbox.allDone) await mailbox.doneAfter(number - 1);
    output.push(number);
  }
};

/** Takes commits for ever, and notes the length of each. */
const taker: Body = (mailbox, output) => {
  for (;;) {
    output.push(mailbox.take().content.length);
    mailbox.finish();
  }
};

const bodies = [sender, taker] as const;

/** Holds a side up behind its step. */
class HeldUp extends Error {}

const ASLEEP = Symbol('asleep');

/** Brings a side to where it stands and lets it take one step; an answer of ASLEEP is not an answer yet. */
async function step(state: State, which: 0 | 1): Promise<State> {
  const memory = [...state.memory];
  const answers = [...state.sides[which].answers];
  const output: number[] = [];
  let other: Side = state.sides[1 - which]!;
  let asleep: number | undefined;
  let stepped = false;
  let next = 0;
  const move = (work: () => unknown): unknown => {
    if (next < answers.length) return answers[next++];
    if (stepped) throw new HeldUp();
    stepped = true;
    const answer = work();
    if (answer === ASLEEP) throw new HeldUp();
    answers.push(answer);
    next += 1;
    return answer;
  };
  const sleep = (word: number, expected: number): unknown => {
    if (memory[word] !== expected) return 'not-equal';
    asleep = word;
    return ASLEEP;
  };
  const atomics = {
    load: (_: unknown, word: number) => move(() => memory[word]),
    store: (_: unknown, word: number, value: number) =>
      move(() => {
        memory[word] = value;
        return value;
      }),
    notify: (_: unknown, word: number) =>
      move(() => {
        if (other.asleep !== word) return 0;
        other = { ...other, asleep: undefined, answers: [...other.answers, 'ok'] };
        return 1;
      }),
    wait: (_: unknown, word: number, expected: number) => move(() => sleep(word, expected)),
    waitAsync: (_: unknown, word: number, expected: number) => ({ value: move(() => sleep(word, expected)) }),
  };
  let finished = false;
  try {
    await bodies[which](new CommitMailbox(undefined, atomics as unknown as MailboxAtomics), output);
    finished = true;
  } catch (error) {
    if (!(error instanceof HeldUp)) throw error;
  }
  const side: Side = { answers, asleep, finished, output };
  return { memory, sides: which === 0 ? [side, other] : [other, side] };
}

it('the commit mailbox delivers each commit once and wakes its sender, in any order of two threads', async () => {
  const fresh: Side = { answers: [], asleep: undefined, finished: false, output: [] };
  const open: State[] = [{ memory: new Array(8).fill(0), sides: [fresh, fresh] }];
  const seen = new Set<string>();
  let ends = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const name = JSON.stringify(state);
    if (seen.has(name)) continue;
    seen.add(name);
    const [sending, taking] = state.sides;
    const expected = [1, 2, 3].slice(0, taking.output.length);
    assert.deepEqual(taking.output, expected, `taken twice or never: ${name}`);
    const runnable = ([0, 1] as const).filter((which) => {
      const { asleep, finished } = state.sides[which];
      return asleep === undefined && !finished;
    });
    for (const which of runnable) open.push(await step(state, which));
    if (runnable.length > 0) continue;
    ends += 1;
    assert.deepEqual([sending.finished, taking.output], [true, [1, 2, 3]], `a lost wake-up: ${name}`);
  }
  assert.ok(ends > 0);
  assert.ok(seen.size > 500, `${seen.size} states`);
});
