// YAML scanner: splits a text into tokens, one at a time and without backtracking: block starts and ends, keys,
// scalars. Errors have the messages and line numbers of Kubernetes' parser. Values are up to the reader.

import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';
import { YamlError } from './yaml-error.ts';
import { scanBlockScalar, scanPlainScalar, scanQuotedScalar } from './yaml-scalar-text.ts';
import { scanTag } from './yaml-tag-text.ts';

export type YamlTokenType =
  | 'end'
  | 'directive'
  | 'document start'
  | 'document end'
  | 'block sequence'
  | 'block mapping'
  | 'block end'
  | 'flow sequence'
  | 'flow sequence end'
  | 'flow mapping'
  | 'flow mapping end'
  | 'entry'
  | 'comma'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface YamlToken {
  readonly type: YamlTokenType;
  /** From 0. */
  readonly line: number;
  /** The text of a scalar, once it is complete; the name of an anchor or alias, or a tag. */
  text: string;
  /** Whether a scalar is plain. */
  readonly isPlain: boolean;
}

/** A potential key, which a colon may confirm. */
interface PossibleKey {
  readonly token: number;
  readonly required: boolean;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** An implicit key is on one line and not longer than this. */
const KEY_CHARACTERS = 1_024;

export class YamlScanner {
  readonly text: string;
  at = 0;
  /** From 0. */
  line = 0;
  lineStart = 0;
  indent = -1;
  flowLevel = 0;
  /** Whether a key may begin here. */
  mayBeKey = true;
  readonly #indents: number[] = [];
  readonly #keys: (PossibleKey | undefined)[] = [undefined];
  readonly #keyByToken = new Map<number, number>();
  #tokens: YamlToken[] = [];
  #head = 0;
  #taken = 0;
  #ended = false;
  #unfinished: { readonly token: YamlToken; readonly steps: Steps<string> } | undefined;

  constructor(text: string) {
    this.text = text;
    // The mark of the encoding, and one that the parser takes for a blank.
    while (this.at < 2 && text.charCodeAt(this.at) === 0xfeff) this.at = this.lineStart = this.at + 1;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** The next token, without consuming it. @throws YamlError */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[this.#head] as YamlToken;
  }

  /** Continues with a long scalar whose token has been returned without a text. @returns whether there is more of it */
  scansOn(): boolean {
    if (this.#unfinished === undefined) return false;
    const { token, steps } = this.#unfinished;
    const step = steps.next();
    if (!step.done) return true;
    token.text = step.value;
    this.#unfinished = undefined;
    return false;
  }

  /** Whether the last scalar is not complete. */
  get isScanning(): boolean {
    return this.#unfinished !== undefined;
  }

  /** Consumes the token returned by `peek`. */
  skip(): void {
    this.#head++;
    this.#taken++;
    if (this.#head < this.#tokens.length) return;
    this.#tokens = [];
    this.#head = 0;
  }

  fault(message: string, line = this.line): YamlError {
    return new YamlError(line === 0 ? `yaml: ${message}` : `yaml: line ${line + 1}: ${message}`);
  }

  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Whether there is a blank, a line break or the end of the text. */
  isBlank(offset = 0): boolean {
    const code = this.code(offset);
    return code === 0x20 || code === 0x09 || isBreakOrEnd(code);
  }

  isBreakOrEnd(): boolean {
    return isBreakOrEnd(this.code());
  }

  /** Skips a line break. */
  takeBreak(): void {
    this.at += this.code() === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
  }

  /** Whether `---` or `...` is at the beginning of a line. */
  isDocumentMark(): boolean {
    if (this.column !== 0) return false;
    const { text, at } = this;
    return (text.startsWith('---', at) || text.startsWith('...', at)) && this.isBlank(3);
  }

  #needsMore(): boolean {
    if (this.#ended) return false;
    if (this.#head >= this.#tokens.length) return true;
    // A token that may be a key is held back until that is known.
    const level = this.#keyByToken.get(this.#taken);
    return level !== undefined && this.#validKey(level) !== undefined;
  }

  #validKey(level: number): PossibleKey | undefined {
    const key = this.#keys[level];
    if (key === undefined || (key.line === this.line && this.at - key.at <= KEY_CHARACTERS)) return key;
    if (key.required) throw this.fault("could not find expected ':'");
    this.#forgetKey(level);
    return undefined;
  }

  #forgetKey(level: number): void {
    const key = this.#keys[level];
    if (key !== undefined) this.#keyByToken.delete(key.token);
    this.#keys[level] = undefined;
  }

  #saveKey(): void {
    if (!this.mayBeKey) return;
    const required = this.flowLevel === 0 && this.indent === this.column;
    this.#dropKey();
    const token = this.#taken + this.#tokens.length - this.#head;
    this.#keys[this.flowLevel] = { token, required, at: this.at, line: this.line, column: this.column };
    this.#keyByToken.set(token, this.flowLevel);
  }

  #dropKey(): void {
    const key = this.#keys[this.flowLevel];
    if (key?.required === true) throw this.fault("could not find expected ':'");
    this.#forgetKey(this.flowLevel);
  }

  #push(type: YamlTokenType, text = '', isPlain = false): void {
    this.#tokens.push({ type, line: this.line, text, isPlain });
  }

  #fetch(): void {
    while (this.scansOn());
    this.#toNextToken();
    this.#unroll(this.column);
    const code = this.code();
    if (this.at >= this.text.length) this.#end();
    else if (this.column === 0 && code === 0x25) this.#directive();
    else if (this.isDocumentMark()) this.#documentMark(code);
    else this.#content(code);
  }

  #content(code: number): void {
    const { text, at, flowLevel } = this;
    const character = text[at] as string;
    if (character === '[' || character === '{') this.#openFlow(character);
    else if (character === ']' || character === '}') this.#closeFlow(character);
    else if (character === ',') this.#comma();
    else if (character === '-' && this.isBlank(1)) this.#entry();
    else if (character === '?' && (flowLevel > 0 || this.isBlank(1))) this.#key();
    else if (character === ':' && (flowLevel > 0 || this.isBlank(1))) this.#value();
    else if (character === '*' || character === '&') this.#anchor(character === '*' ? 'alias' : 'anchor');
    else if (character === '!') this.#tag();
    else if ((character === '|' || character === '>') && flowLevel === 0)
      this.#scalar(true, () => scanBlockScalar(this));
    else if (character === "'" || character === '"') this.#scalar(false, () => scanQuotedScalar(this));
    else if (this.#beginsPlain(code)) this.#scalar(false, () => scanPlainScalar(this), true);
    else throw this.fault('found character that cannot start any token');
  }

  #beginsPlain(code: number): boolean {
    const character = String.fromCharCode(code);
    if (character === '-' || ((character === '?' || character === ':') && this.flowLevel === 0))
      return !this.isBlank(1);
    return !this.isBlank() && !'-?:,[]{}#&*!|>\'"%@`'.includes(character);
  }

  #toNextToken(): void {
    for (;;) {
      while (this.code() === 0x20 || ((this.flowLevel > 0 || !this.mayBeKey) && this.code() === 0x09)) this.at++;
      if (this.code() === 0x23) while (!this.isBreakOrEnd()) this.at++;
      if (this.at >= this.text.length || !this.isBreakOrEnd()) return;
      this.takeBreak();
      if (this.flowLevel === 0) this.mayBeKey = true;
    }
  }

  /** Opens a block at a deeper column than the current one. */
  #roll(column: number, { type, token, line }: { type: YamlTokenType; token?: number; line: number }): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.#indents.push(this.indent);
    this.indent = column;
    if (this.#indents.length > limits.documentDepth) throw this.#tooDeep();
    const place = token === undefined ? this.#tokens.length : this.#head + token - this.#taken;
    this.#tokens.splice(place, 0, { type, line, text: '', isPlain: false });
  }

  #unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.#push('block end');
      this.indent = this.#indents.pop() as number;
    }
  }

  #tooDeep(): YamlError {
    return this.fault(`exceeded max depth of ${limits.documentDepth}`);
  }

  #end(): void {
    if (this.column !== 0) {
      this.line++;
      this.lineStart = this.at;
    }
    this.#unroll(-1);
    this.#dropKey();
    this.mayBeKey = false;
    this.#push('end');
    this.#ended = true;
  }

  #directive(): void {
    this.#unroll(-1);
    this.#dropKey();
    this.mayBeKey = false;
    const start = this.at;
    while (!this.isBreakOrEnd()) this.at++;
    this.#push('directive', this.text.slice(start, this.at));
  }

  #documentMark(code: number): void {
    this.#unroll(-1);
    this.#dropKey();
    this.mayBeKey = false;
    this.at += 3;
    this.#push(code === 0x2d ? 'document start' : 'document end');
  }

  #openFlow(character: string): void {
    this.#saveKey();
    this.flowLevel++;
    if (this.flowLevel > limits.documentDepth) throw this.#tooDeep();
    this.#keys.push(undefined);
    this.mayBeKey = true;
    this.at++;
    this.#push(character === '[' ? 'flow sequence' : 'flow mapping');
  }

  #closeFlow(character: string): void {
    this.#dropKey();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      this.#keys.pop();
    }
    this.mayBeKey = false;
    this.at++;
    this.#push(character === ']' ? 'flow sequence end' : 'flow mapping end');
  }

  #comma(): void {
    this.#dropKey();
    this.mayBeKey = true;
    this.at++;
    this.#push('comma');
  }

  #entry(): void {
    if (this.flowLevel === 0) {
      if (!this.mayBeKey) throw this.fault('block sequence entries are not allowed in this context');
      this.#roll(this.column, { type: 'block sequence', line: this.line });
    }
    this.#dropKey();
    this.mayBeKey = true;
    this.at++;
    this.#push('entry');
  }

  #key(): void {
    if (this.flowLevel === 0) {
      if (!this.mayBeKey) throw this.fault('mapping keys are not allowed in this context');
      this.#roll(this.column, { type: 'block mapping', line: this.line });
    }
    this.#dropKey();
    this.mayBeKey = this.flowLevel === 0;
    this.at++;
    this.#push('key');
  }

  #value(): void {
    const key = this.#validKey(this.flowLevel);
    if (key !== undefined) {
      const place = this.#head + key.token - this.#taken;
      this.#tokens.splice(place, 0, { type: 'key', line: key.line, text: '', isPlain: false });
      this.#roll(key.column, { type: 'block mapping', token: key.token, line: key.line });
      this.#forgetKey(this.flowLevel);
      this.mayBeKey = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.mayBeKey) throw this.fault('mapping values are not allowed in this context');
        this.#roll(this.column, { type: 'block mapping', line: this.line });
      }
      this.mayBeKey = this.flowLevel === 0;
    }
    this.at++;
    this.#push('value');
  }

  #anchor(type: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.mayBeKey = false;
    const start = ++this.at;
    while (isNameCode(this.code())) this.at++;
    const ends = this.isBlank() || '?:,]}%@`'.includes(this.text[this.at] as string);
    if (this.at === start || !ends) throw this.fault('did not find expected alphabetic or numeric character');
    this.#push(type, this.text.slice(start, this.at));
  }

  #tag(): void {
    this.#saveKey();
    this.mayBeKey = false;
    this.#push('tag', scanTag(this));
  }

  #scalar(mayBeKey: boolean, scan: () => Steps<string>, isPlain = false): void {
    if (mayBeKey) this.#dropKey();
    else this.#saveKey();
    this.mayBeKey = mayBeKey;
    const { line } = this;
    const steps = scan();
    let step = steps.next();
    // What must be a key is judged behind its end.
    while (!step.done && this.#keys[this.flowLevel]?.required === true) step = steps.next();
    const token: YamlToken = { type: 'scalar', line, text: step.done ? step.value : '', isPlain };
    if (!step.done) this.#unfinished = { token, steps };
    this.#tokens.push(token);
  }
}

function isBreakOrEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || Number.isNaN(code) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** Letters, digits, `-` and `_`. */
function isNameCode(code: number): boolean {
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f;
}
