// Readers of the three formats of watch events: lines of JSON, length-prefixed protobuf messages, and WebSocket
// messages. Each reader receives the bytes in arbitrary chunks, as the network delivers them.

import { Buffer } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { parseOr } from './client.ts';
import { decodeEvent } from './protobuf.ts';

export type EventReader = (chunk: Buffer) => void;
type Take = (event: unknown) => void;

export function eventLines(take: Take): EventReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') take(parseOr(line));
  };
}

export function eventFrames(take: Take): EventReader {
  return inPieces((bytes) => {
    if (bytes.length < 4) return 0;
    const end = 4 + bytes.readUInt32BE(0);
    if (bytes.length < end) return 0;
    take(decodeEvent(bytes.subarray(4, end)));
    return end;
  });
}

const textFrame = 1;
const binaryFrame = 2;
const closingFrame = 8;

/** Reads frames from a server, without a mask. `close` is called on a close frame. */
export function webSocketMessages(take: Take, close: () => void): EventReader {
  return inPieces((bytes) => {
    if (bytes.length < 2) return 0;
    const size = bytes[1]! & 0x7f;
    const start = size < 126 ? 2 : size === 126 ? 4 : 10;
    if (bytes.length < start) return 0;
    const length = size < 126 ? size : size === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const end = start + length;
    if (bytes.length < end) return 0;
    const kind = bytes[0]! & 0x0f;
    if (kind === closingFrame) close();
    if (kind === textFrame || kind === binaryFrame) take(parseOr(bytes.toString('utf8', start, end)));
    return end;
  });
}

/** @param readOne consumes one complete item and returns its length; 0 if it is incomplete */
function inPieces(readOne: (bytes: Buffer) => number): EventReader {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let taken = readOne(rest); taken > 0; taken = readOne(rest)) rest = rest.subarray(taken);
  };
}
