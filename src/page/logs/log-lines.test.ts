import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogLine, matching, merged, piecesOf, readLine } from './log-lines.ts';

const line = (container: string, second: number): LogLine => ({
  container,
  time: `2026-01-05T08:00:0${second}Z`,
  text: '',
});
const shown = (lines: readonly LogLine[]) =>
  lines.map(({ container, time }) => `${container}${time.slice(18, 19)}`).join(' ');

test('a log line is parsed into timestamp and text without terminal colours', () => {
  assert.deepEqual(readLine('web', '2026-01-05T08:00:00.123456789Z \u001b[31mfailed\u001b[0m: x\r'), {
    container: 'web',
    time: '2026-01-05T08:00:00.123456789Z',
    text: 'failed: x',
  });
  assert.deepEqual(readLine('web', '2026-01-05T08:00:00Z'), {
    container: 'web',
    time: '2026-01-05T08:00:00Z',
    text: '',
  });
  assert.deepEqual(readLine('web', 'no time'), { container: 'web', time: '', text: 'no time' });
});

test('log lines of several containers are sorted by time', () => {
  const first = merged({ lines: [], dropped: 0 }, [line('a', 1), line('a', 4)], 10);
  const both = merged(first, [line('b', 2), line('b', 4), line('b', 5)], 10);
  assert.equal(shown(both.lines), 'a1 b2 a4 b4 b5');
});

test('the oldest of too many log lines are dropped and counted', () => {
  const { lines, dropped } = merged(
    { lines: [line('a', 1), line('a', 2)], dropped: 3 },
    [line('a', 3), line('a', 4)],
    3,
  );
  assert.equal(shown(lines), 'a2 a3 a4');
  assert.equal(dropped, 4);
});

test('a log search ignores case, and marks matches', () => {
  const lines = ['Error: x', 'fine', 'no error'].map((text) => ({ container: 'a', time: '', text }));
  assert.deepEqual(
    matching(lines, 'ERROR').map(({ text }) => text),
    ['Error: x', 'no error'],
  );
  assert.deepEqual(piecesOf('no error, Error', 'error'), [
    { text: 'no ', isFound: false },
    { text: 'error', isFound: true },
    { text: ', ', isFound: false },
    { text: 'Error', isFound: true },
  ]);
  assert.deepEqual(piecesOf('fine', ''), [{ text: 'fine', isFound: false }]);
});
