// Reader of SQLite's write-ahead log. SQLite reads the log up to the first frame with a wrong checksum, because an
// unfinished write looks like that; but so does damage, after which everything is silently lost. This file
// distinguishes the two: valid frames after the break were written when it was intact.
//
// https://www.sqlite.org/fileformat2.html#the_write_ahead_log

import { readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit is the byte order of checksums: 1 is big-endian. */
const MAGIC = 0x377f0682;

interface WalReport {
  /** Readable frames from the beginning. */
  readonly frames: number;
  /** The damage; undefined for a log that is intact up to an unfinished write. */
  readonly damage: string | undefined;
}

type Checksum = readonly [number, number];

interface Frame {
  readonly start: number;
  readonly salts: string;
  readonly isCommit: boolean;
  readonly stored: Checksum;
}

/** Reads the log at `path`; an empty or missing one has no frames. Throws system errors. */
export function readWal(path: string): WalReport {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { frames: 0, damage: undefined };
    throw error;
  }
  return examineWal(bytes);
}

/** Like readWal, for the bytes of a log. */
function examineWal(bytes: Buffer): WalReport {
  if (bytes.length < HEADER_BYTES) return { frames: 0, damage: undefined };
  const wal = new Wal(bytes);
  if (!wal.hasHeader) return { frames: 0, damage: 'its header is corrupt' };
  let sum = wal.headerSum;
  for (let index = 0; index < wal.count; index++) {
    const frame = wal.frame(index);
    const computed = frame.salts === wal.salts ? wal.sumOf(frame, sum) : undefined;
    if (computed === undefined || !equal(computed, frame.stored)) {
      const goesOn = continues(wal, index, wal.sumOf(frame, sum));
      return {
        frames: index,
        damage: goesOn ? `frame ${index + 1} of ${wal.count} is corrupt` : undefined,
      };
    }
    sum = computed;
  }
  return { frames: wal.count, damage: undefined };
}

/**
 * Whether some frame after a break follows a finished write: it was appended after that write, and all before it, had
 * been synced. The remains of one unfinished write contain at most one such end, with nothing chained to it.
 *
 * @param computed the expected checksum of the frame at the break, in case only the checksum was changed
 */
function continues(wal: Wal, breakAt: number, computed: Checksum): boolean {
  let before = wal.frame(breakAt);
  for (let index = breakAt + 1; index < wal.count; index++) {
    const frame = wal.frame(index);
    if (frame.salts === wal.salts && before.isCommit) {
      if (equal(wal.sumOf(frame, before.stored), frame.stored)) return true;
      if (index === breakAt + 1 && equal(wal.sumOf(frame, computed), frame.stored)) return true;
    }
    before = frame;
  }
  return false;
}

class Wal {
  readonly count: number;
  readonly salts: string;
  readonly headerSum: Checksum;
  readonly hasHeader: boolean;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #frameBytes: number;
  readonly #littleEndian: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const magic = bytes.readUInt32BE(0);
    this.#littleEndian = magic === MAGIC;
    const pageBytes = bytes.readUInt32BE(8);
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
    this.count = Math.floor((bytes.length - HEADER_BYTES) / this.#frameBytes);
    this.salts = bytes.toString('latin1', 16, 24);
    this.headerSum = this.#add([0, 0], 0, 24);
    this.hasHeader = (magic === MAGIC || magic === MAGIC + 1) && equal(this.headerSum, this.#sumAt(24));
  }

  frame(index: number): Frame {
    const start = HEADER_BYTES + index * this.#frameBytes;
    return {
      start,
      salts: this.#bytes.toString('latin1', start + 8, start + 16),
      isCommit: this.#bytes.readUInt32BE(start + 4) !== 0,
      stored: this.#sumAt(start + 16),
    };
  }

  /** The checksum of a frame that follows one with the checksum `before`. */
  sumOf({ start }: Frame, before: Checksum): Checksum {
    return this.#add(this.#add(before, start, start + 8), start + FRAME_HEADER_BYTES, start + this.#frameBytes);
  }

  #sumAt(at: number): Checksum {
    return [this.#bytes.readUInt32BE(at), this.#bytes.readUInt32BE(at + 4)];
  }

  #add([first, second]: Checksum, start: number, end: number): Checksum {
    let one = first;
    let two = second;
    for (let at = start; at < end; at += 8) {
      one = (one + this.#view.getUint32(at, this.#littleEndian) + two) >>> 0;
      two = (two + this.#view.getUint32(at + 4, this.#littleEndian) + one) >>> 0;
    }
    return [one, two];
  }
}

function equal(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
