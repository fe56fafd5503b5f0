import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import MiniSearch from 'minisearch';
import { brokenLinks, buildSite, groupOf, pageOf, pagesOf } from './site.ts';
import { options, type Section } from './site-search-options.ts';

const root = join(import.meta.dirname, '..');

test('the site has every page, and every link within it leads to a file and a heading', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-site-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const pages = buildSite(root, folder);
  assert.ok(pages.some(({ path }) => path === 'how-to/add-a-field.html'));
  for (const { path } of pages) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, href = ''] of text.matchAll(/(?:href|src)="([^":]+)"/g)) {
      const file = href.split('#')[0] || path.split('/').at(-1)!;
      const isOutside = !/\.(html|css|png|js)$/.test(file);
      assert.ok(isOutside || existsSync(join(folder, dirname(path), file)), `${path}: ${href}`);
    }
  }
});

test('links to pages that are not there, and to headings that are not on them, are found', () => {
  const a = pageOf(
    'docs/a.md',
    '# A `page`\n\n## One\n\n[b](b.md#two) [gone](c.md) [web](https://x.example) [one](#one)\n',
  );
  const b = pageOf('docs/deep/b.md', '# B\n\n[a](../a.md#none) [front](../../README.md)\n');
  assert.equal(a.title, 'A page');
  assert.deepEqual([...a.anchors], ['a-page', 'one']);
  assert.deepEqual(b.links, ['a.html#none', 'index.html']);
  assert.match(b.html, /href="\.\.\/a\.html#none"/);
  assert.deepEqual(brokenLinks([a, b]), [
    'docs/a.md: b.html#two',
    'docs/a.md: c.html',
    'docs/deep/b.md: a.html#none',
    'docs/deep/b.md: index.html',
  ]);
});

test('headings of the same text have anchors of their own, and markup in a page is text', () => {
  const page = pageOf('docs/a.md', '# A\n\n## B\n\n## B\n\n<script>x</script>\n');
  assert.deepEqual([...page.anchors], ['a', 'b', 'b-1']);
  assert.doesNotMatch(page.html, /<script>/);
});

test('pages for users are apart from those for who changes Keelson', () => {
  const groups = [
    'README.md',
    'docs/testing.md',
    'docs/flags.md',
    'docs/how-to/add-a-flag.md',
    'docs/decisions/README.md',
  ];
  const expected = ['Using Keelson', 'Using Keelson', 'Reference', 'Changing Keelson', 'Changing Keelson'];
  assert.deepEqual(
    groups.map((source) => groupOf({ source })),
    expected,
  );
});

test('code is highlighted by the language of its fence, an indented block by a guess', () => {
  const page = pageOf(
    'docs/a.md',
    "# A\n\n```ts\nconst a = 'b'; // c\n```\n\n    export KUBECONFIG=$PWD/a # of the server\n",
  );
  assert.match(page.html, /<span class="hljs-keyword">const<\/span> a = <span class="hljs-string">/);
  assert.match(page.html, /<span class="hljs-comment"># of the server<\/span>/);
});

test('output of programs and code in an unknown language is not highlighted, and markup in it is text', () => {
  const page = pageOf('docs/a.md', '# A\n\n```text\na < b\n```\n\n    <none> 3 pods\n');
  assert.match(page.html, /<pre><code class="language-text">a &lt; b\n<\/code>/);
  assert.match(page.html, /<pre><code>&#60;none&#62; 3 pods\n<\/code>/);
});

test('pictures of the README are shown on the front page', () => {
  assert.match(
    pageOf('README.md', '# K\n\n![Pods](docs/images/a.png)\n').html,
    /<img src="images\/a\.png" alt="Pods">/,
  );
  assert.match(pageOf('docs/how-to/b.md', '# B\n\n![b](../images/b.png)\n').html, /src="\.\.\/images\/b\.png"/);
});

test('the search finds parts of pages by words in them, also misspelt', () => {
  const index = new MiniSearch<Section>(options);
  index.addAll(pagesOf(root).flatMap(({ sections }) => sections));
  const first = (words: string) => index.search(words)[0]?.id;
  assert.match(first('rewind') ?? '', /^testing\.html#/);
  assert.match(first('passphrase keys') ?? '', /^backup\.html#/);
  assert.match(first('admision plugin') ?? '', /admission-plugin/);
});
