// Encoder for long JSON, chunk by chunk, with an explicit stack. The output is that of stringifyJson, which cannot
// pause.

import { limits } from '../base/limits.ts';
import { sortingTexts } from '../base/sorting.ts';
import type { Steps } from '../base/steps.ts';
import { startsWithIndex } from './member-order.ts';
import type { Json, JsonObject } from './object.ts';
import { ownMember } from './own-member.ts';

export interface LongJsonOptions {
  /** Depth to which members below the value itself are sorted; 0 for not at all. */
  readonly sortedDepth?: number;
  /** With the line breaks and spaces of JSON.stringify with an indent of two. */
  readonly pretty?: boolean;
}

/** An open list or object. */
interface Frame {
  readonly list: readonly Json[] | undefined;
  readonly object: JsonObject | undefined;
  readonly names: readonly string[];
  at: number;
  isFirst: boolean;
}

/** The cost of a token besides its characters, because short tokens take more time per character. */
const TOKEN_COST = 16;

/** Encodes a value; each chunk has about limits.jsonPieceCharacters. Undefined members are omitted. */
export function* longJson(value: Json, { sortedDepth = 0, pretty = false }: LongJsonOptions = {}): Steps<string[]> {
  const pieces: string[] = [];
  const frames: Frame[] = [];
  let text = '';
  let left: number = limits.jsonPieceCharacters;
  let next: Json | undefined = value;
  const line = () => (pretty ? `\n${'  '.repeat(frames.length)}` : '');
  const outerLine = () => (pretty ? `\n${'  '.repeat(frames.length - 1)}` : '');
  const colon = pretty ? ': ' : ':';
  for (;;) {
    if (typeof next === 'object' && next !== null) {
      text += Array.isArray(next) ? '[' : '{';
      frames.push(yield* frameOf(next, frames.length > 0 && frames.length <= sortedDepth));
    } else if (typeof next === 'string' && next.length > limits.jsonPieceCharacters) {
      text += yield* longText(next);
      left -= next.length;
    } else if (next !== undefined) {
      const scalar = typeof next === 'bigint' ? String(next) : JSON.stringify(next);
      text += scalar;
      left -= scalar.length;
    }
    const frame = frames.at(-1);
    if (frame === undefined) break;
    left -= TOKEN_COST;
    if (left < 0) {
      pieces.push(text);
      text = '';
      left = limits.jsonPieceCharacters;
      yield;
    }
    next = undefined;
    if (frame.list !== undefined) {
      if (frame.at < frame.list.length) {
        text += frame.at > 0 ? `,${line()}` : line();
        next = frame.list[frame.at++] ?? null;
        continue;
      }
      text += frame.at > 0 ? `${outerLine()}]` : ']';
    } else {
      const { object, names } = frame;
      let name: string | undefined;
      while (next === undefined && frame.at < names.length) {
        name = names[frame.at++] as string;
        next = ownMember(object, name);
      }
      if (next !== undefined) {
        const member = JSON.stringify(name);
        text += `${frame.isFirst ? '' : ','}${line()}${member}${colon}`;
        left -= member.length;
        frame.isFirst = false;
        continue;
      }
      text += frame.isFirst ? '}' : `${outerLine()}}`;
    }
    frames.pop();
  }
  pieces.push(text);
  return pieces;
}

/** Where a piece ends that should end here: not within a surrogate pair. */
export function endOfPiece(text: string, end: number): number {
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}

function* longText(text: string): Steps<string> {
  let encoded = '"';
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = endOfPiece(text, from + limits.jsonPieceCharacters);
    encoded += JSON.stringify(text.slice(from, to)).slice(1, -1);
    yield;
  }
  return `${encoded}"`;
}

function* frameOf(value: JsonObject | readonly Json[], isSorted: boolean): Steps<Frame> {
  if (Array.isArray(value)) return { list: value, object: undefined, names: [], at: 0, isFirst: true };
  const object = value as JsonObject;
  const names = Object.keys(object);
  const inOrder = isSorted || startsWithIndex(names) ? yield* sortedNames(names) : names;
  if (names.length > limits.membersInStep) yield;
  return { list: undefined, object, names: inOrder, at: 0, isFirst: true };
}

function* sortedNames(names: readonly string[]): Steps<readonly string[]> {
  if (names.length > limits.membersInStep) yield;
  return yield* sortingTexts([...names]);
}
