// YAML reader with Kubernetes' semantics: YAML 1.1, only the first document, keys converted to strings, limited
// aliases, duplicate keys reported with their lines. Values are built during parsing, without a tree and without
// recursion, so that cost is limited before it is incurred; a long text is read in slices, between which other work
// runs.

import { limits } from '../base/limits.ts';
import { sortingTexts } from '../base/sorting.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { setMember } from './json-decoder.ts';
import { jsonText, type Pause } from './json-reader.ts';
import { copyJson } from './json-writer.ts';
import type { Json, JsonObject } from './object.ts';
import { checkWidth } from './object-width.ts';
import { AliasBudget } from './yaml-aliases.ts';
import { YamlError } from './yaml-error.ts';
import { merge } from './yaml-merge.ts';
import { scalarValue } from './yaml-scalar-value.ts';
import { YamlScanner, type YamlToken, type YamlTokenType } from './yaml-scanner.ts';

export { YamlError } from './yaml-error.ts';

interface YamlBody {
  /** Null for an empty document. Members are sorted: Kubernetes converts it to JSON through a map. */
  readonly value: Json;
  /** `line 4: key "a" already set in map`, in the order of the text; the last duplicate wins. */
  readonly duplicates: readonly string[];
  /** The values in it, those that came by aliases included. */
  readonly nodes: number;
}

interface YamlOptions {
  /** Lets other work run; without it a text is read at once. */
  readonly pause?: Pause;
}

/** Tokens per slice: half a millisecond. */
const PIECE_TOKENS = 250;
/** Nodes of an alias that are copied in the time of one step. */
const COPIED_IN_STEP = 10;

/** @throws YamlError; ApiError 413 for an object of more members than limits.objectMembers */
export async function parseYaml(source: Uint8Array | string, { pause }: YamlOptions = {}): Promise<YamlBody> {
  const reader = new YamlReader(typeof source === 'string' ? source : jsonText(source));
  while (!reader.read(PIECE_TOKENS)) await pause?.();
  return reader.body;
}

/** An open collection. */
interface Frame {
  readonly kind: 'sequence' | 'indentless' | 'mapping' | 'flow sequence' | 'flow mapping' | 'pair';
  readonly line: number;
  readonly anchor: string | undefined;
  readonly nodesBefore: number;
  readonly list: Json[];
  readonly members: Map<string, Json>;
  state: 'first' | 'next' | 'key' | 'value' | 'no value';
  /** The key of the next value; `merges` for `<<`. */
  key: string;
  merges: boolean;
}

const ENDS_BLOCK_VALUE: readonly YamlTokenType[] = ['key', 'value', 'block end'];
const ENDS_INDENTLESS: readonly YamlTokenType[] = ['entry', 'key', 'value', 'block end'];
const NO_CONTENT: readonly YamlTokenType[] = ['directive', 'document start', 'document end', 'end'];
/** Characters that are not allowed anywhere in a text. */
const CONTROL = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

class YamlReader {
  readonly #scanner: YamlScanner;
  readonly #duplicates: string[] = [];
  readonly #aliases = new AliasBudget();
  readonly #stack: Frame[] = [];
  #root: Json = null;
  #lateFault: unknown;
  /** The remaining steps of this slice. */
  /** What is to be done with a long scalar when it is complete. */
  #deferred: (() => void) | undefined;
  #left = 0;
  #state: 'start' | 'content' | 'done' = 'start';
  /** Sorts the mapping that was read last. */
  #filling: Steps<JsonObject> | undefined;

  constructor(text: string) {
    if (CONTROL.test(text)) throw new YamlError('yaml: control characters are not allowed');
    this.#scanner = new YamlScanner(text);
  }

  get body(): YamlBody {
    return { value: this.#root, duplicates: this.#duplicates, nodes: this.#aliases.nodes };
  }

  /** Continues for a number of steps; returns whether the document is complete. @throws YamlError */
  read(steps: number): boolean {
    this.#left = steps;
    while (this.#left-- > 0) {
      if (this.#deferred !== undefined) {
        if (this.#scanner.scansOn()) return false;
        this.#deferred();
        this.#deferred = undefined;
        continue;
      }
      const frame = this.#stack.at(-1);
      if (this.#filling !== undefined) this.#fill(this.#filling, frame as Frame);
      else if (frame !== undefined) this.#step(frame);
      else if (this.#state === 'start') this.#begin();
      else {
        this.#scanner.peek();
        if (this.#lateFault !== undefined) throw this.#lateFault;
        return true;
      }
    }
    return false;
  }

  #begin(): void {
    this.#state = 'content';
    let directives = 0;
    for (; this.#peek().type === 'directive'; directives++) this.#directive(this.#peek());
    const isExplicit = this.#peek().type === 'document start';
    if (isExplicit) this.#scanner.skip();
    else if (directives > 0) throw this.#fault('did not find expected <document start>', this.#peek().line, 0);
    const { type } = this.#peek();
    if (type !== 'end' && !(isExplicit && NO_CONTENT.includes(type))) this.#node(true, 0);
  }

  #directive(token: YamlToken): void {
    const [name, version] = token.text.split(/[ \t]+/);
    if (name !== '%YAML' && name !== '%TAG') throw this.#scanner.fault('found unknown directive name', token.line);
    if (name === '%YAML' && version !== '1.1') throw this.#fault('found incompatible YAML document', token.line, 0);
    this.#scanner.skip();
  }

  #peek(): YamlToken {
    return this.#scanner.peek();
  }

  /** Kubernetes' parser counts these lines from 0, and omits the first. */
  #fault(message: string, line: number, contextLine: number): YamlError {
    const told = line === 0 ? contextLine : line;
    return new YamlError(told === 0 ? `yaml: ${message}` : `yaml: line ${told}: ${message}`);
  }

  #step(frame: Frame): void {
    switch (frame.kind) {
      case 'sequence':
      case 'indentless':
        return void this.#stepSequence(frame);
      case 'mapping':
        return void this.#stepMapping(frame);
      case 'flow sequence':
        return void this.#stepFlowSequence(frame);
      case 'flow mapping':
        return void this.#stepFlowMapping(frame);
      case 'pair':
        return void this.#stepPair(frame);
    }
  }

  #stepSequence(frame: Frame): void {
    const token = this.#peek();
    if (token.type === 'entry') {
      this.#scanner.skip();
      const isEmpty = frame.kind === 'sequence' ? ['entry', 'block end'] : ENDS_INDENTLESS;
      return void this.#nodeUnless(isEmpty as readonly YamlTokenType[], frame.kind === 'indentless', frame.line);
    }
    if (frame.kind === 'sequence') {
      if (token.type !== 'block end') throw this.#fault("did not find expected '-' indicator", token.line, frame.line);
      this.#scanner.skip();
    }
    this.#close(frame, frame.list);
  }

  #stepMapping(frame: Frame): void {
    const token = this.#peek();
    if (frame.state === 'value') {
      if (token.type !== 'value') return void this.#deliver(null, token.line);
      this.#scanner.skip();
      return void this.#nodeUnless(ENDS_BLOCK_VALUE, true, frame.line);
    }
    if (token.type === 'key') {
      this.#scanner.skip();
      frame.state = 'key';
      return void this.#nodeUnless(ENDS_BLOCK_VALUE, true, frame.line);
    }
    if (token.type !== 'block end') throw this.#fault('did not find expected key', token.line, frame.line);
    this.#scanner.skip();
    this.#closeMapping(frame);
  }

  #closeMapping(frame: Frame): void {
    if (frame.members.size <= limits.membersInStep) this.#close(frame, atOnce(sorting(frame.members)));
    else this.#filling = sorting(frame.members);
  }

  #fill(filling: Steps<JsonObject>, frame: Frame): void {
    this.#left = 0;
    const step = filling.next();
    if (step.done !== true) return;
    this.#filling = undefined;
    this.#close(frame, step.value);
  }

  #stepFlowSequence(frame: Frame): void {
    if (!this.#nextInFlow(frame, 'flow sequence end', ']')) return void this.#close(frame, frame.list);
    if (this.#peek().type !== 'key') return void this.#node(false, frame.line);
    this.#scanner.skip();
    this.#open('pair', frame.line, undefined);
    const pair = this.#stack.at(-1) as Frame;
    pair.state = 'key';
    this.#nodeUnless(['value', 'comma', 'flow sequence end'], false, frame.line);
  }

  #stepPair(frame: Frame): void {
    if (frame.state !== 'value') return void this.#closeMapping(frame);
    this.#flowValue(frame, 'flow sequence end');
  }

  #stepFlowMapping(frame: Frame): void {
    if (frame.state === 'value') return void this.#flowValue(frame, 'flow mapping end');
    if (frame.state === 'no value') return void this.#deliver(null, this.#peek().line);
    if (!this.#nextInFlow(frame, 'flow mapping end', '}')) return void this.#closeMapping(frame);
    frame.state = 'key';
    if (this.#peek().type === 'key') {
      this.#scanner.skip();
      return void this.#nodeUnless(['value', 'comma', 'flow mapping end'], false, frame.line);
    }
    this.#node(false, frame.line);
  }

  /** Skips the comma between two items; returns false at the end, which is skipped too. */
  #nextInFlow(frame: Frame, end: YamlTokenType, bracket: string): boolean {
    if (frame.state !== 'first' && this.#peek().type !== end) {
      const { type, line } = this.#peek();
      if (type !== 'comma') throw this.#fault(`did not find expected ',' or '${bracket}'`, line, frame.line);
      this.#scanner.skip();
    }
    frame.state = 'next';
    if (this.#peek().type !== end) return true;
    this.#scanner.skip();
    return false;
  }

  #flowValue(frame: Frame, end: YamlTokenType): void {
    const token = this.#peek();
    if (token.type !== 'value') return void this.#deliver(null, token.line);
    this.#scanner.skip();
    this.#nodeUnless(['comma', end], false, frame.line);
  }

  #nodeUnless(empty: readonly YamlTokenType[], mayBeIndentless: boolean, contextLine: number): void {
    const { type, line } = this.#peek();
    if (!empty.includes(type)) return void this.#node(mayBeIndentless, contextLine);
    this.#aliases.count();
    this.#deliver(null, line);
  }

  /** A value: a scalar or alias, or the beginning of a collection. */
  #node(mayBeIndentless: boolean, contextLine: number): void {
    let anchor: string | undefined;
    let tag = '';
    const { line } = this.#peek();
    if (this.#peek().type === 'alias') return void this.#alias();
    for (let token = this.#peek(); token.type === 'anchor' || token.type === 'tag'; token = this.#peek()) {
      if (token.type === 'anchor' ? anchor !== undefined : tag !== '') break;
      if (token.type === 'anchor') anchor = token.text;
      else tag = token.text;
      this.#scanner.skip();
    }
    const token = this.#peek();
    const kind = frameKind(token.type);
    if (kind !== undefined) {
      this.#scanner.skip();
      this.#open(kind, line, anchor);
    } else if (mayBeIndentless && token.type === 'entry') this.#open('indentless', line, anchor);
    else if (token.type === 'scalar') {
      this.#scanner.skip();
      if (this.#scanner.isScanning) this.#deferred = () => this.#scalar(token, tag, anchor);
      else this.#scalar(token, tag, anchor);
    } else if (anchor !== undefined || tag !== '') this.#empty(token, tag, anchor);
    else throw this.#fault('did not find expected node content', token.line, contextLine);
  }

  #scalar(token: YamlToken, tag: string, anchor: string | undefined): void {
    this.#aliases.count();
    const value = this.#late(() => scalarValue(token, tag), null);
    if (anchor !== undefined) this.#aliases.define(anchor, value, 1);
    const isMerge = token.text === '<<' && ((token.isPlain && tag === '') || tag === '!!merge');
    this.#deliver(value, token.line, isMerge);
  }

  /** Properties without a value. */
  #empty(token: YamlToken, tag: string, anchor: string | undefined): void {
    this.#scalar({ ...token, text: '', isPlain: true }, tag === '!' ? '!!str' : tag, anchor);
  }

  /** An invalid value is reported only after the rest of the text has been found to be valid YAML. */
  #late<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      this.#lateFault ??= error;
      return otherwise;
    }
  }

  #alias(): void {
    const { text, line } = this.#peek();
    this.#scanner.skip();
    const nodesBefore = this.#aliases.nodes;
    const value = this.#aliases.use(text);
    this.#left -= (this.#aliases.nodes - nodesBefore) / COPIED_IN_STEP;
    this.#deliver(copyJson(value), line);
  }

  #open(kind: Frame['kind'], line: number, anchor: string | undefined): void {
    this.#aliases.count();
    if (anchor !== undefined) this.#aliases.open(anchor);
    const nodesBefore = this.#aliases.nodes - 1;
    const frame = {
      kind,
      line,
      anchor,
      nodesBefore,
      list: [],
      members: new Map<string, Json>(),
      key: '',
      merges: false,
    };
    this.#stack.push({ ...frame, state: 'first' });
  }

  #close(frame: Frame, value: Json): void {
    this.#stack.pop();
    if (frame.anchor !== undefined) this.#aliases.define(frame.anchor, value, this.#aliases.nodes - frame.nodesBefore);
    this.#deliver(value, frame.line);
  }

  /** Adds a value to the open collection, or completes the document. */
  #deliver(value: Json, line: number, isMerge = false): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.#root = value;
    else if (frame.kind === 'sequence' || frame.kind === 'indentless' || frame.kind === 'flow sequence') {
      frame.list.push(value);
    } else if (frame.state === 'key') this.#takeKey(frame, value, { line, isMerge });
    else {
      frame.state = 'next';
      if (frame.merges) this.#left -= this.#late(() => merge(frame.members, value), 0) / COPIED_IN_STEP;
      else frame.members.set(frame.key, value);
      checkWidth(frame.members.size);
    }
  }

  #takeKey(frame: Frame, value: Json, { line, isMerge }: { readonly line: number; readonly isMerge: boolean }): void {
    frame.merges = isMerge;
    frame.key = isMerge ? '' : this.#late(() => keyText(value, line), '');
    const name = frame.key;
    if (!isMerge && frame.members.has(name)) {
      this.#duplicates.push(`line ${line + 1}: key ${JSON.stringify(name)} already set in map`);
    }
    frame.state = 'value';
    // In braces, a name without a colon has no value.
    if (frame.kind === 'flow mapping' && this.#peek().type !== 'value') frame.state = 'no value';
  }
}

function frameKind(type: YamlTokenType): Frame['kind'] | undefined {
  if (type === 'flow sequence' || type === 'flow mapping') return type;
  if (type === 'block sequence') return 'sequence';
  return type === 'block mapping' ? 'mapping' : undefined;
}

function keyText(value: Json, line: number): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      throw new YamlError(`yaml: line ${line + 1}: unsupported map key`);
  }
}

/** An object with sorted fields. */
function* sorting(members: ReadonlyMap<string, Json>): Steps<JsonObject> {
  const object: JsonObject = {};
  const names = yield* sortingTexts([...members.keys()]);
  for (let at = 0; at < names.length; at++) {
    if (at % limits.membersInStep === limits.membersInStep - 1) yield;
    setMember(object, names[at] as string, members.get(names[at] as string) as Json);
  }
  return object;
}
