// `contains`, `startsWith`, `endsWith` and `matches`.

import { multiply } from '../../cost/range.ts';
import { BOOL, STRING } from '../../types/type.ts';
import { sizeOf } from '../../value/size.ts';
import { searchCost, searchEstimate } from '../call-cost.ts';
import {
  type CallEstimate,
  type FunctionDeclaration,
  method,
  type Operand,
  overload,
  type Specialization,
} from '../library.ts';
import type { StandardDialect } from './dialect.ts';
import { compileRegex, type RegexCache } from './regex-cache.ts';
import { estimateTraversal, traversal } from './traversal.ts';

/** Of patterns that are constants, most of all. */
const COMPILED_ONCE: Specialization = {
  operand: 1,
  prepare: (pattern) => {
    const regex = compileRegex(pattern as string);
    return (text: string) => regex.test(text);
  },
};

/** Of `text.matches(pattern)`, and of `matches(text, pattern)` where that is priced. */
function estimateMatches(text: Operand, pattern: Operand): CallEstimate {
  return { cost: searchEstimate(text.size, pattern.size) };
}

/** @param patterns where the patterns that are computed are kept compiled */
export function strings(
  patterns: RegexCache,
  { pricesGlobalMatches = false }: StandardDialect,
): readonly FunctionDeclaration[] {
  const matches = (text: string, pattern: string) => patterns.compiled(pattern).test(text);
  return [
    {
      name: 'contains',
      overloads: [
        method('contains_string', [[STRING, STRING], BOOL], {
          evaluate: (text, part) => text.includes(part),
          pricesErrors: true,
          chargedAhead: true,
          cost: (_result, text, part) => traversal(sizeOf(text)) * traversal(sizeOf(part)),
          estimate: (text, part) => ({ cost: multiply(estimateTraversal(text.size), estimateTraversal(part.size)) }),
        }),
      ],
    },
    {
      name: 'endsWith',
      overloads: [
        method('ends_with_string', [[STRING, STRING], BOOL], {
          evaluate: (text, end) => text.endsWith(end),
          pricesErrors: true,
          chargedAhead: true,
          cost: (_result, text) => traversal(sizeOf(text)),
          estimate: (_text, end) => ({ cost: estimateTraversal(end.size) }),
        }),
      ],
    },
    {
      name: 'startsWith',
      overloads: [
        method('starts_with_string', [[STRING, STRING], BOOL], {
          evaluate: (text, start) => text.startsWith(start),
          pricesErrors: true,
          chargedAhead: true,
          cost: (_result, text) => traversal(sizeOf(text)),
          estimate: (_text, start) => ({ cost: estimateTraversal(start.size) }),
        }),
      ],
    },
    {
      name: 'matches',
      overloads: [
        overload('matches', [[STRING, STRING], BOOL], {
          evaluate: matches,
          specialize: COMPILED_ONCE,
          ...(pricesGlobalMatches && { estimate: estimateMatches }),
        }),
        method('matches_string', [[STRING, STRING], BOOL], {
          evaluate: matches,
          specialize: COMPILED_ONCE,
          pricesErrors: true,
          chargedAhead: true,
          cost: (_result, text, pattern) => searchCost(sizeOf(text), sizeOf(pattern)),
          estimate: estimateMatches,
        }),
      ],
    },
  ];
}
