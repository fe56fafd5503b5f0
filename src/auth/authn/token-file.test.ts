import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/log.ts';
import { loadTokenFile, parseTokenFile } from './token-file.ts';

function parsed(text: string) {
  const warnings: string[] = [];
  return { tokens: parseTokenFile(text, (warning) => warnings.push(warning)), warnings };
}

test('each line of a token file is a token with its user, UID and groups', () => {
  const { tokens, warnings } = parsed('t1,alice,uid-a,"dev,qa"\nt2,bob,uid-b\nt3,cleo,,\n');
  assert.deepEqual(tokens.authenticateToken('t1'), { name: 'alice', uid: 'uid-a', groups: ['dev', 'qa'], extra: {} });
  assert.deepEqual(tokens.authenticateToken('t2'), { name: 'bob', uid: 'uid-b', groups: [], extra: {} });
  assert.deepEqual(tokens.authenticateToken('t3'), { name: 'cleo', uid: '', groups: [], extra: {} });
  assert.equal(tokens.authenticateToken('T1'), undefined);
  assert.equal(tokens.authenticateToken(''), undefined);
  assert.deepEqual(warnings, []);
});

test('an empty token in a token file is skipped and a repeated one replaces the earlier, with warnings that do not contain it', () => {
  const { tokens, warnings } = parsed(',ann,u\nsecret,alice,u\nsecret,bob,u\n');
  assert.equal(tokens.authenticateToken(''), undefined);
  assert.equal(tokens.authenticateToken('secret')?.name, 'bob');
  assert.deepEqual(warnings, [
    'line 1 has an empty token and is skipped',
    'line 3 repeats a token and replaces its earlier line',
  ]);
});

test('a line of a token file with too few columns is an error that does not contain the token', () => {
  assert.throws(
    () => parsed('a,b,c\nsecret,alice'),
    (error: Error) => /at least 3 columns .* found 2/.test(error.message) && !error.message.includes('secret'),
  );
});

test('an error in a token file names the file', () => {
  const file = (text: string) => loadTokenFile({ path: '/tokens.csv', text, log: silentLog });
  assert.equal(file('t1,alice,uid-a\n').authenticateToken('t1')?.name, 'alice');
  assert.throws(() => file('t1\n'), {
    message: "token file '/tokens.csv' must have at least 3 columns (token, user name, user uid), found 1",
  });
});
