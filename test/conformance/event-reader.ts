// The three forms in which the events of a watch come: lines of JSON, protobuf messages with their length before them,
// and the messages of a web socket. Each reader is given the bytes piece by piece, as the network cut them.

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

/** Reads what a server sends: frames without a mask. `close` is called when the server says goodbye. */
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

/** @param readOne takes one whole piece off the front and returns its length; 0 while it is not whole yet */
function inPieces(readOne: (bytes: Buffer) => number): EventReader {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let taken = readOne(rest); taken > 0; taken = readOne(rest)) rest = rest.subarray(taken);
  };
}
