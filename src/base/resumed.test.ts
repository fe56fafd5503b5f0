import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { allPass, eachOf, inParts, overItems, part, remembering, resumed } from './resumed.ts';
import { atOnce, type Steps } from './steps.ts';

/** A computation that takes a millisecond for each item of lists within a list. */
function counted(rows: number, columns: number) {
  let nowMs = 0;
  let computed = 0;
  const list = (length: number) => Array.from({ length }, (_, index) => index);
  const cell = (row: number, column: number) => {
    nowMs += 1;
    computed++;
    return [`${row}.${column}`];
  };
  const compute = () => overItems(list(rows), (row) => overItems(list(columns), (column) => cell(row, column)));
  return { compute, now: () => nowMs, counts: () => computed };
}

function stepsOf<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { result: step.value, count };
  }
}

test('a sliced computation has the result of one at once, and repeats only the part that was interrupted', () => {
  for (const [rows, columns] of [
    [0, 0],
    [3, 3],
    [100, 1],
    [1, 100],
    [50, 70],
  ] as const) {
    const whole = counted(rows, columns);
    const sliced = counted(rows, columns);
    const { result, count } = stepsOf(resumed(sliced.compute, sliced.now));
    assert.deepEqual(result, whole.compute());
    assert.ok(count >= Math.floor((rows * columns) / 100), `${count} steps for ${rows} times ${columns}`);
    assert.ok(sliced.counts() <= 1.5 * rows * columns, `${sliced.counts()} for ${rows * columns}`);
  }
});

test('a part outside of a sliced computation is computed, and a nested computation has its own parts', () => {
  assert.equal(
    part(() => 7),
    7,
  );
  const { compute, now } = counted(100, 1);
  const { result } = stepsOf(resumed(() => part(() => atOnce(resumed(compute, now)).length) + part(() => 1), now));
  assert.equal(result, 101);
});

test('resuming a sliced computation takes no more time than continuing', () => {
  let nowMs = 0;
  let begun = 0;
  const compute = () => {
    begun++;
    // What is not in parts is computed each time.
    nowMs += 10 * limits.turnMs;
    return overItems(
      Array.from({ length: 10_000 }, (_, index) => index),
      (index) => {
        nowMs += 0.1;
        return [index];
      },
    );
  };
  const { result } = stepsOf(resumed(compute, () => nowMs));
  assert.equal(result.length, 10_000);
  assert.ok(nowMs <= 2.2 * (10_000 * 0.1 + 10 * limits.turnMs), `${nowMs} ms, ${begun} times`);
});

test('an error in a sliced computation is its error', () => {
  const compute = () =>
    overItems(
      Array.from({ length: 100 }, (_, index) => index),
      (index) => {
        if (index === 50) throw new Error('why');
        return [index];
      },
    );
  assert.throws(() => atOnce(resumed(compute, () => 0)), /why/);
});

test('a sliced computation that remembers earlier items has the result of one that is not sliced', () => {
  for (const length of [3, 100, 1_000]) {
    let nowMs = 0;
    const items = Array.from({ length }, (_, index) => index % (length - 2));
    const repeated = () =>
      remembering(
        () => new Set<number>(),
        (seen) =>
          overItems(items, (item, index) => {
            nowMs += 1;
            if (seen.has(item)) return [index];
            seen.add(item);
            // Nothing is broken off in between.
            return overItems(items.slice(0, 20), () => []);
          }),
      );
    const compute = () => [
      ...repeated(),
      ...overItems(items, () => {
        nowMs += 1;
        return [];
      }),
      ...repeated(),
    ];
    const { result, count } = stepsOf(resumed(compute, () => nowMs));
    assert.deepEqual(result, [length - 2, length - 1, length - 2, length - 1]);
    assert.ok(count >= length / 100, `${count} steps for ${length}`);
  }
});

test('a part that fails is not computed again, and later parts keep their places', () => {
  let nowMs = 0;
  let failures = 0;
  const list = Array.from({ length: 320 }, (_, index) => index);
  const compute = () => {
    try {
      part(() => {
        failures++;
        throw new Error('why');
      });
    } catch (error) {
      assert.equal((error as Error).message, 'why');
    }
    return overItems(list, (index) => {
      nowMs += 1;
      return overItems(list.slice(0, 8), () => (index === 7 ? [index] : []));
    });
  };
  const { result, count } = stepsOf(resumed(compute, () => nowMs));
  assert.equal(result.length, 8);
  assert.ok(count > 10 && nowMs <= 1.5 * list.length, `${count} steps, ${nowMs} ms`);
  assert.equal(failures, 1);
});

test('a sliced computation whose beginning takes longer than a slice makes progress and ends', () => {
  let nowMs = 0;
  const compute = () =>
    part(() => {
      nowMs += 10 * limits.turnMs;
      return overItems(Array.from({ length: 100 }), () => {
        nowMs += 1;
        return ['done'];
      });
    });
  const steps = resumed(compute, () => nowMs);
  let slices = 1;
  let step = steps.next();
  for (; step.done !== true && slices < 1_000; slices++) step = steps.next();
  assert.equal(step.done, true);
  assert.ok(slices < 20, `${slices} slices`);
});

test('steps within a sliced computation are parts, and are taken once', () => {
  let nowMs = 0;
  const taken: number[] = [];
  function* counting(): Steps<string> {
    for (let index = 0; index < 50; index++) {
      nowMs += 1;
      taken.push(index);
      yield;
    }
    return 'end';
  }
  const { result, count } = stepsOf(
    resumed(
      () => `${inParts(counting)} ${inParts(counting)}`,
      () => nowMs,
    ),
  );
  assert.equal(result, 'end end');
  assert.ok(count > 10, `${count} slices`);
  assert.equal(taken.length, 100);
  assert.equal(
    inParts(function* () {
      yield;
      return 7;
    }),
    7,
  );
});

test('each item has its result and is computed once, in a sliced computation and outside of one', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const counted: number[] = [];
  let nowMs = 0;
  const double = (item: number, index: number) => {
    nowMs += 1;
    counted.push(index);
    return 2 * item;
  };
  const { result, count } = stepsOf(
    resumed(
      () => eachOf(items, double),
      () => nowMs,
    ),
  );
  assert.deepEqual(
    result,
    items.map((item) => 2 * item),
  );
  assert.deepEqual(counted, items);
  assert.ok(count > 3, `${count} slices`);
  assert.deepEqual(eachOf(items, double), result);
});

test('a sliced check of all items ends with the first one that fails', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  for (const wrong of [0, 15, 16, 99, 100]) {
    const seen: number[] = [];
    const check = (item: number) => {
      seen.push(item);
      return item !== wrong;
    };
    const { result } = stepsOf(
      resumed(
        () => allPass(items, check),
        () => 0,
      ),
    );
    assert.equal(result, wrong === 100);
    assert.equal(seen.length, Math.min(wrong + 1, 100));
  }
});

test('deeply nested parts are computed with the part around them', () => {
  const nest = (depth: number): number => (depth === 0 ? 0 : 1 + part(() => nest(depth - 1)));
  assert.equal(
    stepsOf(
      resumed(
        () => nest(300),
        () => 0,
      ),
    ).result,
    300,
  );
});

test('a list that is extended after its part has ended is not extended again on resumption', () => {
  let nowMs = 0;
  const slow = (name: string) =>
    part(() => {
      nowMs += 2 * limits.turnMs;
      return [name];
    });
  const compute = () => {
    const found = slow('a');
    found.push('b');
    const more = remembering(
      () => new Set(['c']),
      (names) => part(() => [...names]),
    );
    more.push('d');
    return [...found, ...more, ...slow('e'), ...slow('f')];
  };
  const { result, count } = stepsOf(resumed(compute, () => nowMs));
  assert.deepEqual(result, ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.ok(count > 0);
});
