// Randomness as a dependency, so that a test can make names and identifiers repeatable.

export interface Random {
  /** A version 4 UUID in lower case. */
  uuid(): string;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
}
