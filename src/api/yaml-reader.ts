// YAML reader with Kubernetes' semantics: YAML 1.1, only the first document, keys converted to strings, limited
// aliases, duplicate keys reported with their lines. Values are built during parsing, without a tree and without
// recursion, so that cost is limited before it is incurred; a long text is read in slices, between which other work
// runs.

import { limits } from '../base/limits.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import type { Pause } from './json-reader.ts';
import { copyJson } from './json-writer.ts';
import type { Json, JsonObject } from './object.ts';
import { checkWidth } from './object-width.ts';
import { AliasBudget } from './yaml-aliases.ts';
import { CORE_TAG, YamlDirectives } from './yaml-directives.ts';
import { YamlError } from './yaml-error.ts';
import { type Frame, frameKind } from './yaml-frame.ts';
import { refuseKey, refuseNumber } from './yaml-key.ts';
import { LateFaults } from './yaml-late-faults.ts';
import { sortedMembers, YamlMembers, type YamlOrigin } from './yaml-members.ts';
import type { Scalar } from './yaml-scalar.ts';
import { scalarValue } from './yaml-scalar-value.ts';
import { YamlScanner, type YamlToken, type YamlTokenType } from './yaml-scanner.ts';
import { type EncodingFault, type YamlText, yamlText } from './yaml-text.ts';

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
  /** Tokens per slice. */
  readonly tokens?: number;
}

/** A value that is left out. */
const NULL: Scalar = { type: 'null', value: null };
/** Tokens per slice: half a millisecond. */
const PIECE_TOKENS = 250;
/** Nodes of an alias that are copied in the time of one step. */
const COPIED_IN_STEP = 10;

/** @throws YamlError; ApiError 413 for an object of more members than limits.objectMembers */
export async function parseYaml(source: Uint8Array | string, options: YamlOptions = {}): Promise<YamlBody> {
  const { pause, tokens = PIECE_TOKENS } = options;
  const reader = new YamlReader(yamlText(source));
  while (!reader.read(tokens)) await pause?.();
  return reader.body;
}

/** Like parseYaml, at once: for a text that no client has sent. @throws YamlError */
export function readYaml(source: string): YamlBody {
  const reader = new YamlReader(yamlText(source));
  reader.read(Number.POSITIVE_INFINITY);
  return reader.body;
}

const ENDS_BLOCK_VALUE: readonly YamlTokenType[] = ['key', 'value', 'block end'];
const ENDS_INDENTLESS: readonly YamlTokenType[] = ['entry', 'key', 'value', 'block end'];
const NO_CONTENT: readonly YamlTokenType[] = ['directive', 'document start', 'document end', 'end'];

class YamlReader {
  readonly #scanner: YamlScanner;
  readonly #encodingFault: EncodingFault | undefined;
  readonly #duplicates: string[] = [];
  readonly #aliases = new AliasBudget();
  readonly #directives = new YamlDirectives();
  readonly #stack: Frame[] = [];
  #root: Json = null;
  readonly #late = new LateFaults();
  /** Whether the last scalar is `<<`. */
  #isMergeKey = false;
  /** What is to be done with a long scalar when it is complete. */
  #deferred: (() => void) | undefined;
  /** The remaining steps of this slice. */
  #left = 0;
  #state: 'start' | 'content' | 'done' = 'start';
  /** Sorts the mapping that was read last. */
  #filling: Steps<JsonObject> | undefined;

  constructor({ text, fault }: YamlText) {
    this.#scanner = new YamlScanner(text);
    this.#encodingFault = fault;
  }

  get body(): YamlBody {
    return { value: this.#root, duplicates: this.#duplicates, nodes: this.#aliases.nodes };
  }

  /** Continues for a number of steps; returns whether the document is complete. @throws YamlError */
  read(steps: number): boolean {
    try {
      const isComplete = this.#read(steps);
      if (isComplete) this.#checkEncoding();
      return isComplete;
    } catch (error) {
      this.#checkEncoding();
      throw error;
    }
  }

  /** @throws YamlError if the text was read as far as to a piece that cannot be decoded */
  #checkEncoding(): void {
    if (this.#encodingFault !== undefined && this.#scanner.at >= this.#encodingFault.from)
      throw this.#encodingFault.error;
  }

  #read(steps: number): boolean {
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
        this.#late.end();
        return true;
      }
    }
    return false;
  }

  #begin(): void {
    this.#state = 'content';
    while (this.#peek().type === 'directive') this.#directive(this.#peek());
    const isExplicit = this.#peek().type === 'document start';
    if (isExplicit) this.#scanner.skip();
    else if (this.#directives.found) throw this.#fault('did not find expected <document start>', this.#peek().line, 0);
    const { type } = this.#peek();
    if (type !== 'end' && !(isExplicit && NO_CONTENT.includes(type))) this.#node(true, 0);
  }

  #directive({ text, line }: YamlToken): void {
    const fault = this.#directives.take(text);
    if (fault?.isOfScanner === true) throw this.#scanner.fault(fault.message, line);
    if (fault !== undefined) throw this.#fault(fault.message, line, 0);
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
      if (token.type !== 'value') return void this.#deliver(null, token.line, NULL);
      this.#scanner.skip();
      if (!ENDS_BLOCK_VALUE.includes(this.#peek().type)) return void this.#node(true, frame.line);
      this.#aliases.count();
      return void this.#deliver(null, token.line, NULL);
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
    const { values } = frame.members;
    if (values.size <= limits.membersInStep) this.#close(frame, atOnce(sortedMembers(values)));
    else this.#filling = sortedMembers(values);
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
    if (frame.state === 'no value') return void this.#deliver(null, this.#peek().line, NULL);
    if (!this.#nextInFlow(frame, 'flow mapping end', '}')) return void this.#closeMapping(frame);
    if (this.#peek().type === 'key') {
      frame.state = 'key';
      this.#scanner.skip();
      return void this.#nodeUnless(['value', 'comma', 'flow mapping end'], false, frame.line);
    }
    frame.state = 'bare key';
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
    if (token.type !== 'value') return void this.#deliver(null, token.line, NULL);
    this.#scanner.skip();
    this.#nodeUnless(['comma', end], false, frame.line);
  }

  #nodeUnless(empty: readonly YamlTokenType[], mayBeIndentless: boolean, contextLine: number): void {
    const { type, line } = this.#peek();
    if (!empty.includes(type)) return void this.#node(mayBeIndentless, contextLine);
    this.#aliases.count();
    this.#deliver(null, line, NULL);
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
      else tag = this.#tag(token, contextLine);
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
      // A long scalar has its text only when it has been scanned.
      const take = () => this.#scalar(line === token.line ? token : { ...token, line }, tag, anchor);
      if (this.#scanner.isScanning) this.#deferred = take;
      else take();
    } else if (anchor !== undefined || tag !== '')
      this.#scalar({ ...token, line, text: '', isPlain: true }, tag, anchor);
    else throw this.#fault('did not find expected node content', token.line, contextLine);
  }

  #scalar(token: YamlToken, tag: string, anchor: string | undefined): void {
    this.#aliases.count();
    const scalar = this.#late.of<Scalar>('value', () => scalarValue(token, tag), '');
    const value = typeof scalar === 'string' ? scalar : scalar.value;
    if (anchor !== undefined) this.#aliases.define(anchor, { value, nodes: 1, origin: scalar });
    this.#isMergeKey = token.text === '<<' && ((token.isPlain && tag === '') || tag === `${CORE_TAG}merge`);
    this.#deliver(value, token.line, scalar);
  }

  #tag(token: YamlToken, contextLine: number): string {
    const tag = this.#directives.resolve(token.text);
    if (tag === undefined) throw this.#fault('found undefined tag handle', token.line, contextLine);
    return tag;
  }

  #alias(): void {
    const { text, line } = this.#peek();
    this.#scanner.skip();
    this.#isMergeKey = false;
    const nodesBefore = this.#aliases.nodes;
    const { value, origin } = this.#aliases.use(text);
    this.#left -= (this.#aliases.nodes - nodesBefore) / COPIED_IN_STEP;
    this.#deliver(this.#merges() ? null : copyJson(value), line, origin);
  }

  #open(kind: Frame['kind'], line: number, anchor: string | undefined): void {
    this.#aliases.count();
    if (anchor !== undefined) this.#aliases.open(anchor);
    const nodesBefore = this.#aliases.nodes - 1;
    const merges = this.#merges();
    const members = new YamlMembers(this.#duplicates, merges || anchor !== undefined);
    // Sequences in sequences are not merged.
    const origins = merges && this.#stack.at(-1)?.origins === undefined ? [] : undefined;
    this.#stack.push({ kind, line, anchor, nodesBefore, list: [], members, origins, state: 'first' });
  }

  /** Whether the next value is merged, or an item of a sequence that is. */
  #merges(): boolean {
    const frame = this.#stack.at(-1);
    return frame !== undefined && (frame.origins !== undefined || (frame.state === 'value' && frame.members.merges));
  }

  #close(frame: Frame, value: Json): void {
    this.#stack.pop();
    const isMapping = !Array.isArray(value);
    const origin = isMapping ? frame.members : frame.origins;
    if (frame.anchor !== undefined) {
      const nodes = this.#aliases.nodes - frame.nodesBefore;
      this.#aliases.define(frame.anchor, { value, nodes, origin: isMapping ? origin : undefined });
    }
    this.#deliver(value, frame.line, origin);
  }

  /** Adds a value to the open collection, or completes the document. */
  #deliver(value: Json, line: number, origin: YamlOrigin): void {
    const frame = this.#stack.at(-1);
    if (frame?.state === 'key' || frame?.state === 'bare key') return void this.#takeKey(frame, value, origin);
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#late.of('number', () => refuseNumber(value), undefined);
    if (frame === undefined) this.#root = value;
    else if (frame.kind === 'sequence' || frame.kind === 'indentless' || frame.kind === 'flow sequence') {
      frame.list.push(value);
      frame.origins?.push(origin instanceof YamlMembers ? origin : undefined);
    } else this.#takeValue(frame, value, { origin, line });
  }

  #takeKey(frame: Frame, value: Json, origin: YamlOrigin): void {
    const isScalar = typeof origin === 'string' || (origin !== undefined && 'type' in origin);
    if (!isScalar) this.#late.of('value', () => refuseKey(value), undefined);
    frame.members.expect(isScalar ? origin : '', isScalar && this.#isMergeKey);
    this.#isMergeKey = false;
    frame.state = frame.state === 'bare key' ? 'no value' : 'value';
  }

  #takeValue(
    frame: Frame,
    value: Json,
    { origin, line }: { readonly origin: YamlOrigin; readonly line: number },
  ): void {
    const { members } = frame;
    frame.state = 'next';
    if (members.merges) this.#left -= this.#late.of('value', () => members.merge(origin), 0) / COPIED_IN_STEP;
    else this.#late.of('key', () => members.set(value, line), undefined);
    checkWidth(members.values.size);
  }
}
