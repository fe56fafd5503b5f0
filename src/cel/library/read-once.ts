// Preparation of functions with constant strings, such as `quantity('1Gi')`: the string is parsed when a program is
// planned, not each time it runs.

import { EvaluationError } from '../value/evaluation-error.ts';
import type { Value } from '../value/value.ts';
import type { Specialization } from './library.ts';

/**
 * For a function of one string that creates immutable values.
 * @param read the function; what it throws is thrown when the call is evaluated
 */
export function readOnce(read: (text: string) => Value): Specialization {
  return {
    operand: 0,
    prepare: (constant) => {
      try {
        const value = read(constant as string);
        return () => value;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        return () => {
          throw error;
        };
      }
    },
  };
}
