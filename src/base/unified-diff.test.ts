import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { unifiedDiff } from './unified-diff.ts';

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `l${from + index}`);

test('the difference of two texts has three lines around each change', () => {
  const old = lines(1, 20);
  const next = old.with(9, 'x').toSpliced(1, 1);
  assert.equal(
    unifiedDiff(old.join('\n'), next.join('\n')),
    '@@ -1,5 +1,4 @@\n l1\n-l2\n l3\n l4\n l5\n@@ -7,7 +6,7 @@\n l7\n l8\n l9\n-l10\n+x\n l11\n l12\n l13\n',
  );
});

test('changes that are near each other are one part of a difference', () => {
  const old = lines(1, 8);
  const next = old.with(0, 'a').with(7, 'b');
  assert.equal(
    unifiedDiff(old.join('\n'), next.join('\n')),
    ['@@ -1,8 +1,8 @@\n-l1\n+a\n l2\n l3\n l4\n l5\n l6\n l7\n-l8\n+b\n'].join(''),
  );
});

test('equal texts have no difference, and one of all lines begins in front of the first', () => {
  assert.equal(unifiedDiff('a\nb', 'a\nb'), '');
  assert.equal(unifiedDiff('a', 'b'), '@@ -1 +1 @@\n-a\n+b\n');
});

test('frequent lines of a long text begin no run of unchanged lines', () => {
  const filled = ['y', ...Array.from({ length: 200 }, () => 'same')];
  assert.match(unifiedDiff('x\nsame', filled.join('\n')), /^@@ -1,2 \+1,201 @@\n-x\n-same\n\+y\n\+same\n/);
  assert.match(unifiedDiff('x\nsame', filled.slice(0, 9).join('\n')), /\n-x\n\+y\n same\n\+same\n/);
});

test('texts of too many lines are not compared', () => {
  const long = lines(1, limits.diffedLines + 1).join('\n');
  assert.equal(unifiedDiff(long, `${long}x`), '');
});
