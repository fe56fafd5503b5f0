// The budget of a client for frames that cost work and bring no request forward: resets of streams, changes of the window
// of all streams, and frames such as PING and SETTINGS. A client that goes beyond loses the connection with ENHANCE_YOUR_CALM.

import { ConnectionError, ERROR, FRAME } from './protocol.ts';
import { Rate } from './rate.ts';
import type { SessionLimits } from './session-options.ts';

type BudgetLimits = Pick<SessionLimits, 'resetsBurst' | 'resetsPerSecond' | 'idleFramesBurst' | 'idleFramesPerSecond'>;

/** Frames that a request needs besides its own: the windows of its response, its reset, a ping. */
const FRAMES_OF_STREAM = 4;
/** WINDOW_UPDATE frames with which clients respond to one DATA frame: Go's client sends two for each 4 KiB that it reads. */
const FRAMES_OF_DATA = 8;
/** A shorter frame is counted only if it ends what there was to send: its client made the window so small. */
const MIN_DATA_BYTES = 1_024;

export class ClientBudget {
  readonly #resets: Rate;
  readonly #idleFrames: Rate;

  /** @param now returns milliseconds */
  constructor(limits: BudgetLimits, now: () => number) {
    this.#resets = new Rate(limits.resetsBurst, limits.resetsPerSecond, now);
    this.#idleFrames = new Rate(limits.idleFramesBurst, limits.idleFramesPerSecond, now);
  }

  /** A stream was reset, by the client or because of it. @throws ConnectionError */
  reset(): void {
    this.touches(1);
  }

  /** A frame has an effect on so many streams, each of which counts like a reset. @throws ConnectionError */
  touches(streams: number): void {
    if (!this.#resets.allows(streams)) throw tooMuch('too many streams that are reset, or windows');
  }

  /** Counts a frame of a type that brings no request forward by itself. @throws ConnectionError */
  frame(type: number): void {
    if (type !== FRAME.headers && type !== FRAME.continuation && type !== FRAME.data) this.idle();
  }

  /** Counts a frame that had no effect. @throws ConnectionError */
  idle(): void {
    if (!this.#idleFrames.allows()) throw tooMuch('too many frames besides those of requests');
  }

  /** A request has arrived. */
  opened(): void {
    this.#idleFrames.earns(FRAMES_OF_STREAM);
  }

  /** A DATA frame has been sent. @param isRest whether it was all that its stream had to send */
  sent(bytes: number, isRest: boolean): void {
    if (isRest || bytes >= MIN_DATA_BYTES) this.#idleFrames.earns(FRAMES_OF_DATA);
  }
}

function tooMuch(what: string): ConnectionError {
  return new ConnectionError(ERROR.enhanceYourCalm, what);
}
