import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastAnnotations } from './annotations-member.ts';

test('an audit event has the annotations of its own time, whatever was logged before', () => {
  const last = new LastAnnotations();
  const allowed = new Map([
    ['reason', '<a>'],
    ['decision', 'allow'],
  ]);
  const member = ',"annotations":{"decision":"allow","reason":"\\u003ca\\u003e"}';
  assert.deepEqual([last.member(undefined), last.member(allowed), last.member(new Map(allowed))], ['', member, member]);
  allowed.set('reason', 'b');
  assert.equal(last.member(allowed), ',"annotations":{"decision":"allow","reason":"b"}');
  assert.equal(last.member(new Map([['decision', 'allow']])), ',"annotations":{"decision":"allow"}');
  assert.equal(
    last.member(
      new Map([
        ['decision', 'allow'],
        ['other', 'b'],
      ]),
    ),
    ',"annotations":{"decision":"allow","other":"b"}',
  );
  assert.equal(last.member(new Map()), '');
});
