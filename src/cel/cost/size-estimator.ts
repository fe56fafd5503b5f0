// How large the values of variables can become: what the static estimate asks where an expression does not tell.

import type { Type } from '../types/type.ts';
import type { Range } from './range.ts';

export interface SizeEstimator {
  /**
   * The size of a value: of a string in code points, of bytes, lists and maps in items; undefined where nothing is known.
   * @param path the variable, then field names, `@items`, `@keys`, `@values`; undefined for no part of a variable
   */
  size(path: readonly string[] | undefined, type: Type<unknown>): Range | undefined;
}
