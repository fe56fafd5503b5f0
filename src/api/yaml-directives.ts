// Directives of a YAML document, and the full tags of its nodes by the handles that they define.

import { YamlError } from './yaml-error.ts';

/** The prefix of the tags of YAML itself. */
export const CORE_TAG = 'tag:yaml.org,2002:';

const HANDLE = /^![\w-]*!/;

/** A fault of the scanner or of the parser, which count lines differently. */
interface DirectiveFault {
  readonly message: string;
  readonly isOfScanner: boolean;
}

export class YamlDirectives {
  #hasVersion = false;
  readonly #prefixes = new Map([
    ['!', '!'],
    ['!!', CORE_TAG],
  ]);
  readonly #defined = new Set<string>();

  /** Takes a directive; returns what is wrong with it. */
  take(text: string): DirectiveFault | undefined {
    const [, name = '', rest = ''] = /^%([\w-]*)[ \t]*(.*)$/s.exec(text) ?? [];
    if (name === '') return ofScanner('could not find expected directive name');
    if (name === 'YAML') return this.#version(rest);
    return name === 'TAG' ? this.#tag(rest) : ofScanner('found unknown directive name');
  }

  /** Whether there was any. */
  get found(): boolean {
    return this.#hasVersion || this.#defined.size > 0;
  }

  #version(text: string): DirectiveFault | undefined {
    const [, major, dot, minor] = /^(\d*)(\.?)(\d*)/.exec(text) ?? [];
    if (major === '') return ofScanner('did not find expected version number');
    if (dot === '') return ofScanner("did not find expected digit or '.' character");
    if (minor === '') return ofScanner('did not find expected version number');
    if (this.#hasVersion) return ofParser('found duplicate %YAML directive');
    this.#hasVersion = true;
    return Number(major) === 1 && Number(minor) === 1 ? undefined : ofParser('found incompatible YAML document');
  }

  #tag(text: string): DirectiveFault | undefined {
    const handle = /^![\w-]*!/.exec(text)?.[0] ?? (/^!(?![\w-])/.test(text) ? '!' : '');
    const rest = text.slice(handle.length);
    const blank = /^[ \t]*/.exec(rest)?.[0] ?? '';
    const prefix = /^\S*/.exec(rest.slice(blank.length))?.[0] ?? '';
    if (handle === '') return ofScanner("did not find expected '!'");
    if (blank === '') return ofScanner('did not find expected whitespace');
    if (prefix === '') return ofScanner('did not find expected tag URI');
    if (this.#defined.has(handle)) return ofParser('found duplicate %TAG directive');
    this.#defined.add(handle);
    this.#prefixes.set(handle, prefix);
    return undefined;
  }

  /** The full form of a tag as it is in the text; undefined if its handle is. @throws YamlError for wrong escapes */
  resolve(tag: string): string | undefined {
    if (tag.startsWith('!<')) return unescaped(tag.slice(2, -1));
    if (tag === '!') return '!';
    const handle = HANDLE.exec(tag)?.[0] ?? '!';
    const prefix = this.#prefixes.get(handle);
    return prefix === undefined ? undefined : prefix + unescaped(tag.slice(handle.length));
  }
}

function ofScanner(message: string): DirectiveFault {
  return { message, isOfScanner: true };
}

function ofParser(message: string): DirectiveFault {
  return { message, isOfScanner: false };
}

function unescaped(uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    throw new YamlError('yaml: found an incorrect leading UTF-8 octet');
  }
}
