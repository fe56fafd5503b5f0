import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Output, terminalRecording } from './terminal-recording.ts';

const options = { title: 'A recording', columns: 10, rows: 2, lengthMs: 1000 };

/** What is printed, as lines of `x,y text`. */
function texts(svg: string): string[] {
  return [...svg.matchAll(/<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)<\/text>/g)].map(
    ([, x, y, text]) => `${x},${y} ${text}`,
  );
}

test('a recording places each text after what is there already', () => {
  const outputs: Output[] = [
    { atMs: 0, text: '$ ' },
    { atMs: 100, text: 'ls', typed: true },
    { atMs: 200, text: '\na\nb' },
  ];
  assert.deepEqual(texts(terminalRecording(outputs, options)), ['0.0,14 $ ', '15.6,14 ls', '0.0,33 a', '0.0,52 b']);
});

test('a line that is longer than the terminal goes on in the next row', () => {
  assert.deepEqual(texts(terminalRecording([{ atMs: 0, text: '0123456789abc' }], options)), [
    '0.0,14 0123456789',
    '0.0,33 abc',
  ]);
});

test('text appears at its moment', () => {
  const svg = terminalRecording([{ atMs: 250, text: 'a' }], options);
  assert.match(svg, /@keyframes m0\{0%\{visibility:hidden\}25\.000%\{visibility:visible\}\}/);
  assert.match(svg, /<text [^>]*style="animation-name:m0">a</);
});

test('the screen moves up when a line below its last row appears, and shows the last rows without motion', () => {
  const svg = terminalRecording(
    [
      { atMs: 0, text: 'a\nb' },
      { atMs: 500, text: '\nc' },
    ],
    options,
  );
  assert.match(svg, /@keyframes scroll\{0%\{transform:none\}50\.000%\{transform:translateY\(-19px\)\}\}/);
  assert.match(svg, /#lines\{transform:translateY\(-19px\)/);
});

test('markup in what is printed is text', () => {
  const svg = terminalRecording([{ atMs: 0, text: '<none> & ' }], options);
  assert.match(svg, />&#60;none&#62; &#38; <\/text>/);
});
