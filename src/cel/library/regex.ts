// Kubernetes' regex library. Patterns have RE2's syntax.

import type { RE2JS } from 're2js';
import { INT, listOf, STRING } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { unitsAt } from '../value/code-points.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { sizeOf } from '../value/size.ts';
import type { Int } from '../value/value.ts';
import { searchCost, searchEstimate } from './call-cost.ts';
import { type CallEstimate, type Library, method, type Operand } from './library.ts';
import { compileRegex } from './standard/regex-cache.ts';

function find(text: string, pattern: RE2JS): string {
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** Returns the first `limit` matches, all if negative. An empty match directly after another one is skipped. */
function findAll(text: string, pattern: RE2JS, limit: Int): ArrayList {
  const found: string[] = [];
  const matcher = pattern.matcher(text);
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  let behindLast = -1;
  let from = 0;
  while (found.length < most && from <= text.length && matcher.find(from)) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start || start !== behindLast) found.push(text.slice(start, end));
    behindLast = end;
    from = end > start ? end : end + unitsAt(text, end);
  }
  return new ArrayList(found);
}

function compiled(pattern: string): RE2JS {
  try {
    return compileRegex(pattern);
  } catch (error) {
    throw error instanceof EvaluationError ? new EvaluationError(`Illegal regex: ${error.message}`) : error;
  }
}

const COSTS = {
  pricesErrors: true,
  cost: (_result: unknown, text: string, pattern: string) => searchCost(sizeOf(text), sizeOf(pattern)),
  estimate: (text: Operand, pattern?: Operand): CallEstimate => ({
    cost: searchEstimate(text.size, (pattern as Operand).size),
    resultSize: { min: 0, max: text.size.max },
  }),
};

const LIST = listOf(STRING);

export const REGEX: Library = Object.freeze({
  name: 'regex',
  functions: [
    {
      name: 'find',
      overloads: [
        method('string_find_string', [[STRING, STRING], STRING], {
          about: 'The first match of a regular expression, or the empty string.',
          evaluate: (text, pattern) => find(text, compiled(pattern)),
          specialize: {
            operand: 1,
            prepare: (constant) => {
              const pattern = compileRegex(constant as string);
              return (text: string) => find(text, pattern);
            },
          },
          ...COSTS,
        }),
      ],
    },
    {
      name: 'findAll',
      overloads: [
        method('string_find_all_string', [[STRING, STRING], LIST], {
          about: 'All matches of a regular expression, without overlaps.',
          evaluate: (text, pattern) => findAll(text, compiled(pattern), -1),
          specialize: {
            operand: 1,
            prepare: (constant) => {
              const pattern = compileRegex(constant as string);
              return (text: string) => findAll(text, pattern, -1);
            },
          },
          ...COSTS,
        }),
        method('string_find_all_string_int', [[STRING, STRING, INT], LIST], {
          about: 'At most the given number of them, all if negative.',
          evaluate: (text, pattern, limit) => findAll(text, compiled(pattern), limit),
          specialize: {
            operand: 1,
            prepare: (constant) => {
              const pattern = compileRegex(constant as string);
              return (text: string, _pattern: string, limit: Int) => findAll(text, pattern, limit);
            },
          },
          ...COSTS,
        }),
      ],
    },
  ],
});
