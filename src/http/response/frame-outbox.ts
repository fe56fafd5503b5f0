// Collects the frames that watches receive in one turn of the event loop, so that a commit of many writes costs each
// watcher a single write to its stream. Watchers with the same frames share the joined bytes.

import { Buffer } from 'node:buffer';

/** A stream with frames to send. */
export interface Outlet {
  /** The frames collected since the last flush, in order. */
  takeFrames(): Buffer[];
  /** Sends the frames, joined, or one by one if the stream requires it. */
  send(bytes: Buffer): void;
  readonly joins: boolean;
}

interface Joined {
  readonly frames: readonly Buffer[];
  readonly bytes: Buffer;
}

/** Searching more than this for every watch would cost too much. */
const JOINED = 16;

export class FrameOutbox {
  #waiting: Outlet[] = [];
  readonly #most: number;
  /** Recently joined frames, the oldest first: watches that begin with the same objects share them. */
  #joined: Joined[] = [];
  #joinedBytes = 0;

  /** @param most bytes of joined frames that are cached */
  constructor(most: number) {
    this.#most = most;
  }

  /** Schedules a stream to be flushed at the end of this turn. */
  add(outlet: Outlet): void {
    this.#waiting.push(outlet);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const outlet of waiting) this.deliver(outlet);
  }

  /** Flushes a stream immediately. */
  deliver(outlet: Outlet): void {
    const frames = outlet.takeFrames();
    if (!outlet.joins) for (const frame of frames) outlet.send(frame);
    else if (frames.length > 0) outlet.send(this.#join(frames));
  }

  #join(frames: readonly Buffer[]): Buffer {
    const [only] = frames;
    if (frames.length === 1 && only !== undefined) return only;
    const known = this.#joined.find(
      (each) => each.frames.length === frames.length && frames.every((frame, index) => frame === each.frames[index]),
    );
    if (known !== undefined) return known.bytes;
    const bytes = Buffer.concat(frames);
    this.#joined.push({ frames, bytes });
    this.#joinedBytes += bytes.length;
    while (this.#joinedBytes > this.#most || this.#joined.length > JOINED) {
      this.#joinedBytes -= this.#joined.shift()!.bytes.length;
    }
    return bytes;
  }
}
