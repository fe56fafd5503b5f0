// Rewriting of links in HTML from proxied backends. The page does not know that it is not at the root of its host, so
// links that begin there would bypass the proxy. They are rewritten while the page is streamed.

import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { limits } from '../../base/limits.ts';
import { lookup } from '../../base/lookup.ts';

/** The link attributes of each element that Kubernetes rewrites. */
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

/** Elements with raw text content. */
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
  /** Rewrites a link. */
  readonly rewrite: (link: string) => string;
}

/** Character encoding and compression of a page. */
interface PageEncoding {
  readonly characters: 'utf8' | 'latin1';
  readonly isGzip: boolean;
}

/**
 * How the HTML of a body can be read; undefined for other content, and for HTML compressed other than by gzip, whose
 * links are not rewritten.
 * @param contentType '' for none
 * @param contentEncoding '' for none
 */
export function pageEncoding(contentType: string, contentEncoding: string): PageEncoding | undefined {
  if (contentType.split(';', 1)[0]!.trim() !== 'text/html') return undefined;
  if (contentEncoding !== '' && contentEncoding !== 'gzip') return undefined;
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  // In other charsets the bytes of tags are still ASCII, and all other bytes must be preserved.
  return { characters: /^utf-?8$/i.test(charset) ? 'utf8' : 'latin1', isGzip: contentEncoding === 'gzip' };
}

/** The page with its links rewritten. Destroying the stream destroys the source. */
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

/** Errors are reported to the reader of the last stream of the pipeline. */
function ignored(): void {}

/** Rewrites a page that arrives in chunks. Everything but start tags is preserved. */
class LinkRewriter {
  readonly #rewrite: Page['rewrite'];
  readonly #isUnicode: boolean;
  readonly #tokenizer: Tokenizer;
  /** The part of the page that has not been written yet, and its offset in the page. */
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
    // A tag or a comment that does not end: the rest is left unchanged.
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

  /** Writes everything before an offset unchanged. */
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
