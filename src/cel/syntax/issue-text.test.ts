import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesText } from './issue-text.ts';

const DESCRIPTION = '<input>';

test('the text of a CEL issue has the position, the message, the line and a mark', () => {
  const source = { text: 'self.x + y', description: DESCRIPTION };
  assert.equal(
    issuesText(source, [{ message: 'wrong', offset: 9 }]),
    'ERROR: <input>:1:10: wrong\n | self.x + y\n | .........^',
  );
});

test('the text of a CEL issue counts lines, tabs and wide characters', () => {
  const source = { text: 'a\n\tb + \u{1f600}c\nd', description: DESCRIPTION };
  assert.equal(issuesText(source, [{ message: 'm', offset: 2 }]), 'ERROR: <input>:2:1: m\n |  b + \u{1f600}c\n | ^');
  assert.equal(
    issuesText(source, [{ message: 'm', offset: 7 }]),
    'ERROR: <input>:2:6: m\n |  b + \u{1f600}c\n | .....\uff3e',
  );
  assert.equal(
    issuesText(source, [{ message: 'm', offset: 8 }]),
    'ERROR: <input>:2:7: m\n |  b + \u{1f600}c\n | .....\uff0e^',
  );
  assert.equal(issuesText(source, [{ message: 'm', offset: 10 }]), 'ERROR: <input>:3:1: m\n | d\n | ^');
});

test('the text of a CEL issue has no source line without a position, or if the line is very long', () => {
  assert.equal(issuesText({ text: 'a', description: 'x' }, [{ message: 'm', offset: undefined }]), 'ERROR: x:-1:0: m');
  const long = { text: 'a'.repeat(16_385), description: 'x' };
  assert.equal(issuesText(long, [{ message: 'm', offset: 3 }]), 'ERROR: x:1:4: m');
});

test('CEL issues are listed by position, and a hundred at most', () => {
  const source = { text: 'ab', description: 'x' };
  const issues = [
    { message: 'second', offset: 1 },
    { message: 'first', offset: 0 },
    { message: 'nowhere', offset: undefined },
  ];
  assert.deepEqual(issuesText(source, issues).match(/nowhere|first|second/g), ['nowhere', 'first', 'second']);
  const many = Array.from({ length: 103 }, () => ({ message: 'm', offset: 0 }));
  const text = issuesText(source, many);
  assert.equal(text.match(/ERROR/g)?.length, 100);
  assert.ok(text.endsWith('\n3 more errors were truncated'));
});
