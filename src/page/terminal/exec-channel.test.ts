import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf, messageTo, readMessage, resizeMessage, wordsOf } from './exec-channel.ts';

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));

test('an exec message is the number of its channel and its data', () => {
  assert.deepEqual([...messageTo('stdin', 'ls')], [0, 108, 115]);
  assert.equal(new TextDecoder().decode(resizeMessage(80, 24).subarray(1)), '{"Width":80,"Height":24}');
  const { channel, bytes: data } = readMessage(Uint8Array.of(2, 104, 105).buffer);
  assert.deepEqual([channel, new TextDecoder().decode(data)], ['stderr', 'hi']);
  assert.equal(readMessage(Uint8Array.of(255, 0).buffer).channel, undefined);
});

test('the last exec message has the exit status', () => {
  assert.equal(endOf(bytes({ status: 'Success' })), 'exit code 0');
  const causes = [{ reason: 'ExitCode', message: '127' }];
  assert.equal(endOf(bytes({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes } })), 'exit code 127');
  assert.equal(endOf(bytes({ status: 'Failure', message: 'container not found' })), 'container not found');
});

test('an exec command is split at spaces, except in quotes', () => {
  assert.deepEqual(wordsOf('sh -c "echo a  b"  \'x y\' z'), ['sh', '-c', 'echo a  b', 'x y', 'z']);
  assert.deepEqual(wordsOf('  '), []);
});
