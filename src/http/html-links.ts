// Links in HTML that a proxied backend sends. A page behind a proxy is not at the root of its host, as it believes to be:
// links that begin there would lead past the proxy. They are rewritten while the page streams through.

import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';

/** The attributes that hold links, by element; those that Kubernetes rewrites. */
const LINKS: Readonly<Record<string, readonly string[]>> = lookup({
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
});

/** Elements whose content is text, whatever it looks like. */
const TEXT_MODES: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = lookup({
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  plaintext: TokenizerMode.PLAINTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
  xmp: TokenizerMode.RAWTEXT,
});

interface Page {
  readonly body: Readable;
  readonly encoding: PageEncoding;
  /** The link as it is to stand in the page. */
  readonly rewrite: (link: string) => string;
}

/** How a page's bytes are read and written, and whether they are packed. */
interface PageEncoding {
  readonly characters: 'utf8' | 'latin1';
  readonly isGzip: boolean;
}

/**
 * How a body's HTML can be read; undefined for what is not HTML, and for HTML that is packed otherwise than by gzip,
 * whose links stay.
 * @param contentType '' for none
 * @param contentEncoding '' for none
 */
export function pageEncoding(contentType: string, contentEncoding: string): PageEncoding | undefined {
  if (contentType.split(';', 1)[0]!.trim() !== 'text/html') return undefined;
  if (contentEncoding !== '' && contentEncoding !== 'gzip') return undefined;
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  // In one of another charset the bytes of tags are still those of ASCII, and the others must come out as they went in.
  return { characters: /^utf-?8$/i.test(charset) ? 'utf8' : 'latin1', isGzip: contentEncoding === 'gzip' };
}

/** The page's bytes with its links rewritten. Destroying them ends the page. */
export function withLinks(page: Page): Readable {
  const rewritten = Readable.from(rewriting(page), { objectMode: false });
  return page.encoding.isGzip ? pipeline(rewritten, createGzip(), ignored) : rewritten;
}

async function* rewriting({ body, encoding, rewrite }: Page): AsyncGenerator<Buffer> {
  const { characters, isGzip } = encoding;
  const source = isGzip ? pipeline(body, createGunzip(), ignored) : body;
  source.setEncoding(characters);
  const links = new LinkRewriter(rewrite, characters === 'utf8');
  for await (const piece of source as AsyncIterable<string>) {
    const written = links.write(piece);
    if (written !== '') yield Buffer.from(written, characters);
  }
  yield Buffer.from(links.end(), characters);
}

/** Whoever reads the last stream of a pipeline is told of its error. */
function ignored(): void {}

/** Rewrites a page that comes in pieces. What is not a start tag comes out as it went in. */
class LinkRewriter {
  readonly #rewrite: Page['rewrite'];
  readonly #isUnicode: boolean;
  readonly #tokenizer: Tokenizer;
  /** Of the page what has not been written yet, and where in the page it begins. */
  #rest = '';
  #start = 0;
  /** Where the last token ends. */
  #read = 0;
  #written = '';
  #isGivenUp = false;

  constructor(rewrite: Page['rewrite'], isUnicode: boolean) {
    this.#rewrite = rewrite;
    this.#isUnicode = isUnicode;
    const pass = ({ location }: Token.Token) => {
      this.#read = location?.endOffset ?? this.#read;
    };
    this.#tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onStartTag: (tag) => this.#startTag(tag),
        onEndTag: pass,
        onComment: pass,
        onDoctype: pass,
        onCharacter: pass,
        onNullCharacter: pass,
        onWhitespaceCharacter: pass,
        onEof() {},
      },
    );
  }

  write(piece: string): string {
    if (this.#isGivenUp) return piece;
    this.#rest += piece;
    this.#tokenizer.write(piece, false);
    this.#take(this.#read);
    // A tag or a comment without an end: what follows stays as it is.
    if (this.#rest.length > limits.htmlTokenCharacters) {
      this.#isGivenUp = true;
      this.#take(this.#start + this.#rest.length);
    }
    return this.#flush();
  }

  end(): string {
    if (this.#isGivenUp) return '';
    this.#tokenizer.write('', true);
    this.#take(this.#start + this.#rest.length);
    return this.#flush();
  }

  #startTag({ tagName, attrs, selfClosing, location }: Token.TagToken): void {
    this.#take(location!.startOffset);
    const links = LINKS[tagName];
    let tag = `<${tagName}`;
    for (const { name, value } of attrs) {
      tag += ` ${name}="${this.#escaped(links?.includes(name) === true ? this.#rewrite(value) : value)}"`;
    }
    this.#written += `${tag}${selfClosing ? '/>' : '>'}`;
    this.#skip(location!.endOffset);
    const mode = TEXT_MODES[tagName];
    if (mode !== undefined) this.#tokenizer.state = mode;
  }

  /** Writes what stands before a place as it is. */
  #take(end: number): void {
    if (end === this.#start) return;
    this.#written += this.#rest.slice(0, end - this.#start);
    this.#skip(end);
  }

  #skip(end: number): void {
    this.#rest = this.#rest.slice(end - this.#start);
    this.#start = end;
    this.#read = Math.max(this.#read, end);
  }

  #flush(): string {
    const written = this.#written;
    this.#written = '';
    return written;
  }

  #escaped(value: string): string {
    const text = value.replace(/[&'<>"\r]/g, (character) => ESCAPES[character]!);
    return this.#isUnicode ? text : text.replace(/[^\0-\xFF]/gu, (character) => `&#${character.codePointAt(0)};`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = lookup({
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
});
