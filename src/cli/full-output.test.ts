import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/keelson.js', import.meta.url));
/** A device that is always full. */
const FULL = '/dev/full';
const skip = existsSync(FULL) ? false : `there is no ${FULL}`;

test('a server continues while standard error is on a full disk, and stops on a signal', { skip }, async () => {
  const child = spawn(process.execPath, [program, 'serve', '--store=memory', '--secure-port=0', '-v=4'], {
    stdio: ['ignore', 'pipe', openSync(FULL, 'w')],
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const text of child.stdout!.setEncoding('utf8')) {
    said += text;
    if (/listens on/.test(text)) child.kill('SIGTERM');
  }
  assert.match(said, /Draining/);
  assert.deepEqual(await ended, [0, null]);
});

test('a command whose output is on a full disk reports it and fails', { skip }, async () => {
  const child = spawn(process.execPath, [program, 'version'], { stdio: ['ignore', openSync(FULL, 'w'), 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const text of child.stderr!.setEncoding('utf8')) said += text;
  assert.match(said, /^keelson: the output could not be written: ENOSPC.*\n$/);
  assert.deepEqual(await ended, [1, null]);
});
