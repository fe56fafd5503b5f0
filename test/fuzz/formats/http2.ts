// HTTP/2: a session understands the same however its bytes are cut into pieces, answers with the same frames, and nothing
// a client sends is an exception in a handler of its socket.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { FrameBuffers } from '../../../src/http2/frame-buffers.ts';
import { ConnectionError, PREFACE } from '../../../src/http2/protocol.ts';
import { ServerSession } from '../../../src/http2/session.ts';
import type { ServerStream } from '../../../src/http2/stream.ts';
import { sessionLimits } from '../../http2-session.ts';
import { mutateBytes } from '../mutate.ts';
import { type Format, inPieces, randomOf } from './format.ts';
import { mutateParts } from './mutations.ts';

const HEAD_BYTES = 9;

export const http2: Format = {
  name: 'http2',
  words: [],
  mutate(input, other, random) {
    if (random.chance(10)) return mutateBytes(input, random);
    const frames = mutateParts(framesOf(input), framesOf(other), random, (frame) => changedFrame(frame, random));
    return Buffer.concat([Buffer.from(PREFACE), ...frames]);
  },
  judge: judgeConnection,
};

async function judgeConnection(input: Buffer): Promise<void> {
  const whole = await understood([input]);
  const sliced = await understood(inPieces(input, randomOf(input)));
  assert.equal(sliced.frames, whole.frames, 'the same frames in pieces as at once');
  assert.equal(sliced.fault, whole.fault, 'the same fault in pieces as at once');
  // A request that is reset in the piece in which it begins is not passed on.
  for (const [id, request] of whole.requests) assert.equal(sliced.requests.get(id), request, 'the same requests');
}

/** The frames after the preface; what is left over at the end is one, too. */
function framesOf(input: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = PREFACE.length; at < input.length; ) {
    const end = at + HEAD_BYTES + (at + 3 <= input.length ? input.readUIntBE(at, 3) : 0);
    frames.push(input.subarray(at, end));
    at = end;
  }
  return frames;
}

/** A frame with another type, flags, stream or payload; its length is mostly right. */
function changedFrame(frame: Buffer, random: SeededRandom): Buffer {
  if (frame.length < HEAD_BYTES) return mutateBytes(frame, random);
  const head = Buffer.from(frame.subarray(0, HEAD_BYTES));
  let payload: Buffer = frame.subarray(HEAD_BYTES);
  const kind = random.below(6);
  if (kind === 0) head[3] = random.below(11);
  else if (kind === 1) head[4] = random.pick([0, 1, 4, 5, 8, 9, 12, 13, 0x20, 0x25, 0x2d, 0xff]);
  else if (kind === 2) head.writeUInt32BE(random.pick([0, 1, 2, 3, 5, 7, 9, 0x7fff_ffff, 0xffff_ffff]), 5);
  else payload = mutateBytes(payload, random);
  head.writeUIntBE(random.chance(95) ? payload.length : random.below(20), 0, 3);
  return Buffer.concat([head, payload]);
}

interface Understood {
  /** What the session answered, in hexadecimal digits. */
  readonly frames: string;
  readonly fault: string;
  /** By stream. */
  readonly requests: ReadonlyMap<number, string>;
}

/** What a session makes of pieces. Requests are read and never answered: an answer's time would matter. */
async function understood(pieces: readonly Buffer[]): Promise<Understood> {
  const socket = new RecordingSocket();
  const streams: { readonly stream: ServerStream; text: string }[] = [];
  let fault: unknown;
  const session = new ServerSession({
    socket: socket as unknown as Socket,
    limits: { ...sessionLimits, headerBytes: 2_000 },
    now: () => 0,
    lastingHeaders: new Set(),
    frameBuffers: new FrameBuffers(),
    onStream: (stream) => {
      const seen = { stream, text: JSON.stringify(stream.head) };
      streams.push(seen);
      stream.read({
        piece: (bytes) => {
          seen.text += bytes.toString('latin1');
          stream.done(bytes.length);
        },
        end: () => (seen.text += ' end'),
        cut: () => (seen.text += ' cut'),
      });
    },
    onFailure: (error) => (fault ??= error),
  });
  for (const piece of pieces) if (!socket.destroyed) socket.emit('data', piece);
  await turn();
  session.destroy();
  await turn();
  if (fault !== undefined && !(fault instanceof ConnectionError)) throw fault;
  const requests = new Map(streams.map(({ stream, text }) => [stream.id, text]));
  return { frames: socket.answered, fault: String((fault as Error | undefined)?.message), requests };
}

/** A socket that keeps what is written to it. */
class RecordingSocket extends Duplex {
  answered = '';

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.answered += bytes.toString('hex');
    done();
  }

  destroySoon(): void {
    this.end();
  }
}
