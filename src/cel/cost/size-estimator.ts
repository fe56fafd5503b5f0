// Interface for the sizes of variables, used by cost estimation where an expression does not determine them.

import type { Type } from '../types/type.ts';
import type { Range } from './range.ts';

export interface SizeEstimator {
  /**
   * The size of a value: code points of a string, bytes, items of lists and maps; undefined if unknown.
   * @param path the variable, then field names, `@items`, `@keys`, `@values`; undefined for other values
   */
  size(path: readonly string[] | undefined, type: Type<unknown>): Range | undefined;
}
