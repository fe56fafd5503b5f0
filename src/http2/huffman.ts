// Decoder of HPACK's Huffman code (RFC 7541, 5.2 and appendix B). The code is canonical: the code lengths determine it.
// Four bits are decoded at a time.

import { Buffer } from 'node:buffer';
import { once } from '../base/once.ts';

/** Code lengths of the bytes 0 to 255, in base 36. */
const BITS = [
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca',
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds',
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn',
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq',
].join('');

/** A string's last byte is padded with the beginning of the EOS code, which is all ones. */
const LONGEST_FILLING_BITS = 7;

const FAILS = -1;
const NOTHING = -1;

interface Tables {
  /** The state after four more bits, by state * 16 + bits. */
  readonly next: Int16Array;
  /** The byte that those bits complete. */
  readonly byte: Int16Array;
  /** Whether a string may end in a state. */
  readonly accepts: Uint8Array;
}

const tables = once(makeTables);

/** The decoded bytes; undefined for an invalid string. */
export function decodeHuffman(coded: Buffer): Buffer | undefined {
  const { next, byte, accepts } = tables();
  // The shortest codes have five bits.
  const decoded = Buffer.allocUnsafe(Math.ceil((coded.length * 8) / 5));
  let state = 0;
  let length = 0;
  for (let at = 0; at < coded.length * 2; at++) {
    const both = coded[at >> 1]!;
    const step = state * 16 + ((at & 1) === 0 ? both >> 4 : both & 15);
    state = next[step]!;
    if (state === FAILS) return undefined;
    const completed = byte[step]!;
    if (completed !== NOTHING) decoded[length++] = completed;
  }
  return accepts[state] === 1 ? decoded.subarray(0, length) : undefined;
}

/** A node of the code's tree with branches: states are numbered as they are created, the root is 0. */
interface Branching {
  readonly state: number;
  /** Bits from the root, and whether all of them are ones. */
  readonly depth: number;
  readonly ones: boolean;
  readonly branches: (Branching | number | undefined)[];
}

function makeTables(): Tables {
  const states: Branching[] = [];
  const branching = (depth: number, ones: boolean): Branching => {
    const made = { state: states.length, depth, ones, branches: [undefined, undefined] };
    states.push(made);
    return made;
  };
  const root = branching(0, true);
  for (const { symbol, code, bits } of codes()) {
    let node = root;
    for (let bit = bits - 1; bit > 0; bit--) {
      const one = (code >>> bit) & 1;
      node = (node.branches[one] ??= branching(node.depth + 1, node.ones && one === 1)) as Branching;
    }
    node.branches[code & 1] = symbol;
  }
  const next = new Int16Array(states.length * 16);
  const byte = new Int16Array(states.length * 16).fill(NOTHING);
  for (let step = 0; step < next.length; step++) {
    const { to, completed } = walk(states[step >> 4]!, step & 15, root);
    next[step] = to;
    if (completed !== undefined) byte[step] = completed;
  }
  const accepts = Uint8Array.from(states, ({ depth, ones }) => (ones && depth <= LONGEST_FILLING_BITS ? 1 : 0));
  return { next, byte, accepts };
}

/** The state after four bits, and the byte that they complete: at most one, because the shortest codes have five. */
function walk(from: Branching, four: number, root: Branching): { to: number; completed?: number } {
  let node = from;
  let completed: number | undefined;
  for (let bit = 3; bit >= 0; bit--) {
    const branch = node.branches[(four >> bit) & 1];
    // Only EOS continues here, and no string may contain it.
    if (branch === undefined) return { to: FAILS };
    if (typeof branch === 'number') {
      completed = branch;
      node = root;
    } else node = branch;
  }
  return { to: node.state, completed };
}

/** Shorter codes come first, and codes of equal length in byte order. */
function codes(): { symbol: number; code: number; bits: number }[] {
  const ordered = Array.from(BITS, (digit, symbol) => ({ symbol, bits: Number.parseInt(digit, 36) })).sort(
    (one, other) => one.bits - other.bits || one.symbol - other.symbol,
  );
  let code = 0;
  let last = ordered[0]!.bits;
  return ordered.map(({ symbol, bits }) => {
    code *= 2 ** (bits - last);
    last = bits;
    return { symbol, bits, code: code++ };
  });
}
