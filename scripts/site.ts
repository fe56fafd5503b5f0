// `npm run docs`: builds a website in site/ from docs/, as static files that any web server can serve or a browser can
// open. README.md is its front page. Pages need no script but for the search; links between them are checked.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { buildSync } from 'esbuild';
import MarkdownIt from 'markdown-it';
import MiniSearch from 'minisearch';
import { escaped } from './markup.ts';
import { CODE_STYLE, highlighted } from './site-code.ts';
import { options, type Section } from './site-search-options.ts';

export interface Page {
  /** The source file, relative to the root of the repository. */
  readonly source: string;
  /** The output file, relative to the site. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly anchors: ReadonlySet<string>;
  /** Links to other pages of the site, as `path#anchor`. */
  readonly links: readonly string[];
  /** Its parts, for the search. */
  readonly sections: readonly Section[];
}

const FRONT: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'CHANGELOG.md': 'changelog.html',
  'CONTRIBUTING.md': 'contributing.html',
};

/** Returns where a file of the repository goes in the site; undefined if it is not a page. */
function placeOf(source: string): string | undefined {
  if (Object.hasOwn(FRONT, source)) return FRONT[source];
  if (!source.startsWith('docs/') || !source.endsWith('.md')) return undefined;
  return source
    .slice('docs/'.length)
    .replace(/README\.md$/, 'index.md')
    .replace(/\.md$/, '.html');
}

/** Returns all pages of the repository. */
export function pagesOf(root: string): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .sort();
  return [...Object.keys(FRONT), ...docs].map((source) => pageOf(source, readFileSync(join(root, source), 'utf8')));
}

/** Renders one page. Headings get the anchors that code hosts generate. */
export function pageOf(source: string, text: string): Page {
  const path = placeOf(source) ?? source;
  const markdown = new MarkdownIt({ html: false, linkify: false, highlight: highlighted });
  markdown.renderer.rules['code_block'] = ([...tokens], at) => {
    const code = tokens[at]!.content;
    return `<pre><code>${highlighted(code, '') || escaped(code)}</code></pre>\n`;
  };
  const tokens = markdown.parse(text, {});
  const anchors = new Set<string>();
  const links: string[] = [];
  const sections: { id: string; title: string; text: string }[] = [];
  let title = source;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = tokens[at + 1]?.content ?? '';
      if (token.tag === 'h1') title = heading.replaceAll('`', '');
      const anchor = anchorOf(heading, anchors);
      anchors.add(anchor);
      token.attrSet('id', anchor);
      const part = token.tag === 'h1' ? title : `${title}: ${heading.replaceAll('`', '')}`;
      sections.push({ id: `${path}#${anchor}`, title: part, text: '' });
    } else if (token.content !== '' && sections.length > 0) {
      sections.at(-1)!.text += `${token.content}\n`;
    }
    for (const image of (token.children ?? []).filter(({ type }) => type === 'image')) {
      const place = posix.normalize(posix.join(posix.dirname(source), String(image.attrGet('src') ?? '')));
      if (place.startsWith('docs/images/')) image.attrSet('src', relativeTo(path, place.slice('docs/'.length)));
    }
    for (const link of (token.children ?? []).filter(({ type }) => type === 'link_open')) {
      const target = targetOf(source, String(link.attrGet('href') ?? ''));
      if (target === undefined) continue;
      links.push(target);
      link.attrSet('href', relativeTo(path, target));
    }
  }
  return {
    source,
    path,
    title,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    anchors,
    links,
    sections,
  };
}

function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
  for (let count = 0; ; count++) {
    const each = count === 0 ? anchor : `${anchor}-${count}`;
    if (!taken.has(each)) return each;
  }
}

/** Returns the page of the site that a link points to; undefined for other links. */
function targetOf(source: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return undefined;
  const [file = '', anchor] = href.split('#');
  const place = placeOf(file === '' ? source : posix.normalize(posix.join(posix.dirname(source), file)));
  if (place === undefined) return undefined;
  return anchor === undefined ? place : `${place}#${anchor}`;
}

function relativeTo(from: string, to: string): string {
  return posix.join(posix.relative(posix.dirname(from), '.'), to);
}

/** Returns broken links, to missing pages or headings: `page: link`. */
export function brokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, page.anchors]));
  return pages.flatMap(({ source, links }) =>
    links
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        return anchors.get(path) === undefined || (anchor !== undefined && !anchors.get(path)?.has(anchor));
      })
      .map((link) => `${source}: ${link}`),
  );
}

const STYLE = `:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f5f5f7, #222); }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; }
/* The front page: what it is, large, before the picture. */
.front h1 { font-size: 3rem; margin: 1rem 0 0; } .front h1 + p { font-size: 1.3rem; }
/* Text in lines that are easy to read; code and tables take what they need. */
main > :is(h1, h2, h3, h4, p, ul, ol, blockquote) { max-width: 50rem; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box; padding: 1.5rem; border-right: 1px solid var(--line); font-size: 0.9rem; }
nav input { width: 100%; box-sizing: border-box; font: inherit; padding: 0.3rem 0.5rem; } nav h2 { font-size: 0.8rem; margin: 1.2rem 0 0.3rem; opacity: 0.7; } nav ul { list-style: none; padding: 0; margin: 0; } nav a { color: inherit; text-decoration: none; } nav a[aria-current] { font-weight: 700; }
img { max-width: 100%; } main { padding: 1rem 1.5rem 4rem; overflow-wrap: break-word; } table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
pre, code { background: var(--soft); font: 0.9em/1.5 ui-monospace, monospace; } pre { padding: 0.8rem 1rem; overflow-x: auto; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } }
`;

/** Where the navigation lists a page. Pages for users come first, those for who changes Keelson last. */
const GROUPS = ['Using Keelson', 'Reference', 'Changing Keelson', 'Decisions'] as const;

type Group = (typeof GROUPS)[number];

/** Pages that are looked things up in. */
const REFERENCE: ReadonlySet<string> = new Set([
  ...['docs/compatibility.md', 'docs/errors.md', 'docs/expression-functions.md', 'docs/feature-gates.md'],
  ...['docs/flags.md', 'docs/kinds.md', 'docs/metrics.md', 'CHANGELOG.md'],
]);

export function groupOf({ source }: Pick<Page, 'source'>): Group {
  if (source.startsWith('docs/decisions/') && source !== 'docs/decisions/README.md') return 'Decisions';
  if (/^docs\/(?:how-to|decisions)\//.test(source)) return 'Changing Keelson';
  if (['CONTRIBUTING.md', 'docs/architecture.md'].includes(source)) return 'Changing Keelson';
  return REFERENCE.has(source) ? 'Reference' : 'Using Keelson';
}

/** Returns the lists of pages; decisions are listed on their own pages alone. */
function navigation(page: Page, pages: readonly Page[]): string {
  const entry = (each: Page): string => {
    const current = each === page ? ' aria-current="page"' : '';
    return `<li><a href="${relativeTo(page.path, each.path)}"${current}>${escaped(each.title)}</a></li>`;
  };
  return GROUPS.map((group) => {
    const listed = pages.filter((each) => groupOf(each) === group);
    if (group === 'Decisions' && groupOf(page) !== group) return '';
    return `<h2>${group}</h2>\n<ul>${listed.map(entry).join('\n')}</ul>`;
  }).join('\n');
}

/** Returns the HTML of a page. */
function documentOf(page: Page, pages: readonly Page[]): string {
  const root = '../'.repeat(page.path.split('/').length - 1);
  const title = page.title === 'Keelson' ? page.title : `${page.title} · Keelson`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<link rel="stylesheet" href="${relativeTo(page.path, 'style.css')}"></head>
<body><nav aria-label="Pages"><input type="search" aria-label="Search" placeholder="Search" data-root="${root}" hidden>
<ul id="found" aria-live="polite"></ul>
${navigation(page, pages)}</nav>
<main${page.source === 'README.md' ? ' class="front"' : ''}>${page.html}</main>
<script src="${relativeTo(page.path, 'search.js')}"></script></body>
</html>
`;
}

/** The index of all pages, of which one at a time is shown, and the script that searches it. */
function searchScript(root: string, pages: readonly Page[]): string {
  const index = new MiniSearch<Section>(options);
  index.addAll(pages.flatMap(({ sections }) => sections));
  const { outputFiles } = buildSync({
    ...{ absWorkingDir: root, entryPoints: ['scripts/site-search.ts'], bundle: true, minify: true, write: false },
    ...{ format: 'iife', platform: 'browser', target: ['chrome120', 'firefox120', 'safari17'], logLevel: 'warning' },
  });
  return `var searchIndex = ${JSON.stringify(JSON.stringify(index))};\n${outputFiles[0]!.text}`;
}

/** Writes the site. @throws Error that lists broken links */
export function buildSite(root: string, folder: string): Page[] {
  const pages = pagesOf(root);
  const broken = brokenLinks(pages);
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join('\n')}`);
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) {
    const file = join(folder, page.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, documentOf(page, pages));
  }
  writeFileSync(join(folder, 'search.js'), searchScript(root, pages));
  writeFileSync(join(folder, 'style.css'), STYLE + CODE_STYLE);
  cpSync(join(root, 'docs', 'images'), join(folder, 'images'), { recursive: true });
  return pages;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const folder = join(root, 'site');
  const pages = buildSite(root, folder);
  console.log(`${pages.length} pages in ${relative(process.cwd(), folder)}/`);
}
