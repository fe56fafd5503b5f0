import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regexLiterals } from './regex-literals.ts';

const table: [text: string, patterns: string[]][] = [
  ['const a = /x+/g;', ['/x+/g']],
  ['const a = b / c / d;', []],
  ['f(x) / 2 + y[0] / 3', []],
  ['return /[/]\\/"/.test(text)', ['/[/]\\/"/']],
  ['\'/a/\' + "/b/" + `/c/$' + '{/d/.test(`$' + '{/e/}`)} /f/`', ['/d/', '/e/']],
  ['// /a/\n/* /b/ */ x = /c/', ['/c/']],
  ['`$' + '{{ a: 1 }} /x/` / 2', []],
  ['[/a/, /b/u].map((each) => /c/y)', ['/a/', '/b/u', '/c/y']],
  ['!/a/.test(b) && /c/.test(d) ? /e/ : /f/', ['/a/', '/c/', '/e/', '/f/']],
];
for (const [text, patterns] of table) {
  test(`the regular expression literals of ${text} are found`, () => {
    assert.deepEqual(
      regexLiterals(text).map(({ source, flags }) => `/${source}/${flags}`),
      patterns,
    );
  });
}

test('a pattern is told with its line', () => {
  assert.equal(regexLiterals('a\n\nb = /c/')[0]?.line, 3);
});
