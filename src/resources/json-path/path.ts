// JSONPath templates as client-go's package understands them: their parts, and the faults of evaluating them.

import type { Json } from '../../api/object.ts';

/** A part of a path: what it selects from the values before it. */
export type PathPart =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'slice'; readonly slice: Slice }
  | { readonly kind: 'union'; readonly paths: readonly Path[] }
  | { readonly kind: 'filter'; readonly filter: Filter }
  /** A quoted text, a number or a boolean; a text replaces all values, another one each of them. */
  | { readonly kind: 'literal'; readonly value: Json; readonly isFloat: boolean }
  | { readonly kind: 'identifier'; readonly name: string };

export type Path = readonly PathPart[];

/** The indices of an array; a negative one counts from the end. */
export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly by: number | undefined;
  /** Whether the end follows from the start: a single item. */
  readonly isOne: boolean;
}

export interface Filter {
  readonly left: Path;
  readonly operator: string;
  /** Undefined if the filter selects what has a value at `left`. */
  readonly right: Path | undefined;
}
