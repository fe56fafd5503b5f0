import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { jsonLog } from './json-log.ts';
import { LogLevels } from './log-levels.ts';

function logInto(verbosity: number) {
  const [errors, others]: [string[], string[]] = [[], []];
  const write = (line: string) => void errors.push(line);
  const writeInfo = (line: string) => void others.push(line);
  return {
    errors,
    others,
    log: jsonLog({ write, writeInfo, clock: new ManualClock(5), levels: new LogLevels({ verbosity, vmodule: '' }) }),
  };
}

test('a JSON log entry is one object, and entries other than errors may go to another stream', () => {
  const { errors, others, log } = logInto(2);
  log.info('it starts', { port: 6443 });
  log.warn('nearly', { error: 'full' });
  log.debug({ file: 'json-log.test', level: 2 }, 'detail');
  log.debug({ file: 'json-log.test', level: 3 }, 'too much');
  log.error('it "fails"\n', { error: new Error('why'), path: '/' });
  assert.deepEqual(
    others.map((line) => JSON.parse(line)),
    [
      { ts: 5, msg: 'it starts', v: 0, port: 6443 },
      { ts: 5, msg: 'nearly', v: 0, err: 'full' },
      { ts: 5, msg: 'detail', v: 2 },
    ],
  );
  assert.equal(errors.length, 1);
  const { err, ...rest } = JSON.parse(errors[0]!) as { err: string };
  assert.deepEqual(rest, { ts: 5, msg: 'it "fails"\n', path: '/' });
  assert.match(err, /^Error: why\n/);
});

test('values without a JSON form are logged as text in JSON', () => {
  const { others, log } = logInto(0);
  const loop: Record<string, unknown> = {};
  loop['itself'] = loop;
  log.info('odd', { loop, size: 2n });
  assert.deepEqual(JSON.parse(others[0]!), { ts: 5, msg: 'odd', v: 0, loop: '[object Object]', size: '2' });
});

test('long texts in a JSON log entry, which may come from clients, are truncated', () => {
  const { others, log } = logInto(0);
  const long = 'x'.repeat(900_000);
  log.info('cut', { path: long, error: new Error(long) });
  log.info('many', { list: Array.from({ length: 1_000 }, () => long) });
  for (const line of others) assert.ok(line.length < 4 * limits.logTextCharacters, `${line.length} characters`);
  assert.match((JSON.parse(others[0]!) as { path: string }).path, /^x+… \(900000 characters\)$/);
});
