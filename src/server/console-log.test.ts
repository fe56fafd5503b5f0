import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { consoleLog } from './console-log.ts';
import { LogLevels } from './log-levels.ts';

function record(verbosity = 0) {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  return { lines, log: consoleLog({ write, clock, levels: new LogLevels({ verbosity, vmodule: '' }) }) };
}

test('a log entry is one line with time, level, message and fields', () => {
  const { lines, log } = record();
  log.info('listening', { url: 'https://127.0.0.1:6443', port: 6443, ready: true, none: undefined });
  log.warn('slow');
  assert.deepEqual(lines, [
    '2026-01-02T03:04:05.006Z INFO  listening url=https://127.0.0.1:6443 port=6443 ready=true\n',
    '2026-01-02T03:04:05.006Z WARN  slow\n',
  ]);
});

test('no logged text breaks the line of its entry', () => {
  const { lines, log } = record();
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const error = new Error('outer', { cause: new Error('inner\nline') });
  log.error('two\nlines', { text: 'a b"c\nd', error, cycle, big: 10n, object: { a: 1n }, list: [1, 'x\n'] });
  assert.equal(lines.length, 1);
  assert.equal(lines[0]!.indexOf('\n'), lines[0]!.length - 1);
  assert.match(
    lines[0]!,
    / ERROR "two\\nlines" text="a b\\"c\\nd" error="Error: outer\\n.*caused by Error: inner\\nline/,
  );
  assert.match(lines[0]!, / cycle="\[object Object\]" big=10 object="\[object Object\]" list=\[1,"x\\n"\]\n$/);
});

test('debug entries are logged up to the verbosity', () => {
  const { lines, log } = record(2);
  log.debug({ file: 'console-log.test', level: 2 }, 'told');
  log.debug({ file: 'console-log.test', level: 3 }, 'not told');
  assert.deepEqual(lines, ['2026-01-02T03:04:05.006Z DEBUG told\n']);
});

test('long texts in a log entry, which may come from clients, are truncated', () => {
  const { lines, log } = record();
  const long = 'x'.repeat(900_000);
  log.info(long, { path: long, error: new Error(long), list: [long, long], object: { long } });
  assert.ok(lines[0]!.length < 6 * limits.logTextCharacters, `${lines[0]!.length} characters`);
  assert.match(lines[0]!, / path="x+… \(900000 characters\)" error="Error: x/);
});
