// Randomness as a dependency, so that tests can make names and identifiers repeatable.

export interface Random {
  /** A version 4 UUID in lower case. */
  uuid(): string;
  /** An integer from 0 to `below`, exclusive. */
  below(below: number): number;
}
