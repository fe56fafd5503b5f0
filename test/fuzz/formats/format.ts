// What the fuzzing of a format consists of: a driver that judges any bytes, and how its inputs are mutated. A driver has
// an oracle: two ways of reading that must agree, a round trip, or a rule that holds for every input.

import type { Buffer } from 'node:buffer';
import { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { Soon } from '../../../src/base/soon.ts';

export interface Format {
  readonly name: string;
  /**
   * Judges an input, valid or not: throws for what must not happen. The verdict depends on the bytes alone, so that a
   * kept input finds the same fault again.
   */
  judge(input: Buffer): Soon<void>;
  /** Words that mean something in the format, for insertion. */
  readonly words: readonly string[];
  /** Changes an input by the rules of the format, sometimes with a part of another one. */
  mutate(input: Buffer, other: Buffer, random: SeededRandom): Buffer;
}

/** An error class. */
type Declared = abstract new (...args: never[]) => { readonly message: string };

/** What came of reading an input: a value, or an error that the reader declares. */
export type Outcome<T> =
  | { readonly value: T; readonly fault?: never }
  | { readonly value?: never; readonly fault: string };

/** Runs a reader; an error of another class than those declared is a finding. */
export function outcomeOf<T>(read: () => T, ...declared: readonly Declared[]): Outcome<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { fault: faultIn(error, declared) };
  }
}

/** Like outcomeOf, for a reader that pauses. */
export async function laterOutcomeOf<T>(read: () => Promise<T>, ...declared: readonly Declared[]): Promise<Outcome<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { fault: faultIn(error, declared) };
  }
}

function faultIn(error: unknown, declared: readonly Declared[]): string {
  for (const type of declared) if (error instanceof type) return error.message;
  throw error;
}

/** Random numbers that depend on an input only. */
export function randomOf(input: Uint8Array): SeededRandom {
  let hash = 2166136261;
  for (const byte of input) hash = Math.imul(hash ^ byte, 16777619);
  return new SeededRandom(hash);
}

/** Cuts an input into pieces: single bytes, halves, or pieces of random sizes. */
export function inPieces(input: Buffer, random: SeededRandom): Buffer[] {
  const size = random.pick([1, 2, 1 + random.below(20), 1 + random.below(input.length + 1)]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < input.length; ) {
    const next = at + (random.chance(50) ? size : 1 + random.below(size));
    pieces.push(input.subarray(at, next));
    at = next;
  }
  return pieces;
}
