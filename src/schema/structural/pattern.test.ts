import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { CompiledPatterns, compilePattern, PatternError } from './pattern.ts';

test('a pattern matches anywhere in a text unless it is anchored', () => {
  assert.equal(compilePattern('b').test('abc'), true);
  assert.equal(compilePattern('^b').test('abc'), false);
  assert.equal(compilePattern('^\\pL+[[:digit:]]$').test('größe1'), true);
  assert.equal(compilePattern('(?i)^ABC\\z').test('abc'), true);
});

test('a pattern that RE2 does not know is rejected in the words of RE2', () => {
  const refused = (pattern: string, message: string) =>
    assert.throws(() => compilePattern(pattern), new PatternError(message));
  refused('(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`');
  refused('[a', 'error parsing regexp: missing closing ]: `[a`');
  refused('a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`');
});

test('a pattern is matched in linear time', () => {
  // An engine that goes back would try this text 2^1000 times.
  assert.equal(compilePattern('^(a+)+$').test(`${'a'.repeat(1_000)}b`), false);
});

test('recently compiled patterns are kept up to a limit and not compiled again', () => {
  const patterns = new CompiledPatterns();
  const [first, second] = ['^0$', '^1$'].map((pattern) => patterns.of(pattern));
  for (let index = 2; index < limits.rememberedRegexes; index++) patterns.of(`^${index}$`);
  assert.equal(patterns.of('^0$'), first);
  patterns.of('one more');
  assert.equal(patterns.of('^0$'), first);
  assert.notEqual(patterns.of('^1$'), second);
  assert.notEqual(new CompiledPatterns().of('^0$'), first);
});
