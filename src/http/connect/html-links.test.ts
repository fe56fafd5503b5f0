import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { limits } from '../../base/limits.ts';
import { pageEncoding, withLinks } from './html-links.ts';

const encoding = { characters: 'utf8', isGzip: false } as const;
const rewrite = (link: string) => (link.startsWith('/') ? `/mount${link}` : link);

function rewritten(...pieces: string[]): Promise<string> {
  return text(withLinks({ body: Readable.from(pieces.map((piece) => Buffer.from(piece))), encoding, rewrite }));
}

test('links in HTML elements are rewritten, and their start tags are normalized', async () => {
  const cases: [string, string][] = [
    ['<a href="/x">x</a>', '<a href="/mount/x">x</a>'],
    ["<IMG SRC='/i.png' alt=x />", '<img src="/mount/i.png" alt="x"/>'],
    ['<a href=/x?a=1&amp;b=2>', '<a href="/mount/x?a=1&amp;b=2">'],
    ['<p title="it\'s &quot;q&quot;" hidden>', '<p title="it&#39;s &#34;q&#34;" hidden="">'],
    ['<a href="x">', '<a href="x">'],
    ['<div data-href="/x">', '<div data-href="/x">'],
    ['<svg><a xlink:href="/x" href="/x"/></svg>', '<svg><a xlink:href="/x" href="/mount/x"/></svg>'],
  ];
  for (const [page, expected] of cases) assert.equal(await rewritten(page), expected);
});

test('HTML other than elements with links is passed on unchanged', async () => {
  for (const page of [
    '<!DOCTYPE html >\r\n',
    '<!-- <a href="/x"> -->',
    '<script>if (a < b) x = "<a href=\'/x\'>"</script>',
    '<textarea><a href="/x"></textarea>',
    '</A >',
    'a < b &nbsp; \0 é 😀',
    '<a href="/x',
  ]) {
    assert.equal(await rewritten(page), page);
  }
});

test('an HTML page is rewritten alike in pieces of any size', async () => {
  const page = 'é<a href="/a">😀</a><script><a href="/no"></script><!-- - --><img src="/b">';
  const expected = await rewritten(page);
  const bytes = Buffer.from(page);
  for (let size = 1; size < 8; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    assert.equal(await text(withLinks({ body: Readable.from(pieces), encoding, rewrite })), expected);
  }
});

test('a page of another charset keeps its bytes', async () => {
  const body = Readable.from([Buffer.from('<a href="/\xe9" title="&euro;">caf\xe9</a>', 'latin1')]);
  const characters = pageEncoding('text/html; charset=ISO-8859-1', '');
  assert.deepEqual(characters, { characters: 'latin1', isGzip: false });
  const pieces = await withLinks({ body, encoding: characters!, rewrite }).toArray();
  assert.equal(
    Buffer.concat(pieces as Buffer[]).toString('latin1'),
    '<a href="/mount/\xe9" title="&#8364;">caf\xe9</a>',
  );
});

test('a gzip page is rewritten and compressed again, and one that cannot be decompressed is an error', async () => {
  const gzip = { characters: 'utf8', isGzip: true } as const;
  const packed = withLinks({ body: Readable.from([gzipSync('<a href="/x">')]), encoding: gzip, rewrite });
  assert.equal(gunzipSync(Buffer.concat((await packed.toArray()) as Buffer[])).toString(), '<a href="/mount/x">');
  await assert.rejects(withLinks({ body: Readable.from([Buffer.from('x')]), encoding: gzip, rewrite }).toArray());
  assert.equal(pageEncoding('text/html', 'br'), undefined);
  assert.equal(pageEncoding('text/plain', ''), undefined);
});

test('a tag without an end is buffered up to a limit, and links after it are not rewritten', async () => {
  const open = `<!--${'x'.repeat(limits.htmlTokenCharacters)}`;
  assert.equal(await rewritten(open, '--><a href="/x">'), `${open}--><a href="/x">`);
});
