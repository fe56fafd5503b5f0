// Size bounds of variables' values, asked for by the static estimate where an expression does not determine them.

import type { Type } from '../types/type.ts';
import type { Range } from './range.ts';

export interface SizeEstimator {
  /**
   * The size of a value: of a string in code points, of bytes, lists and maps in items; undefined where nothing is
   * known.
   * @param path the variable, then field names, `@items`, `@keys`, `@values`; undefined for no part of a variable
   */
  size(path: readonly string[] | undefined, type: Type<unknown>): Range | undefined;
}
