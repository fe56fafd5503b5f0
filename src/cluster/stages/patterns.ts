// Regular expressions of expressions and templates: RE2's syntax, as in Go, matched in linear time.

import { RE2JS } from 're2js';
import type { Budget } from './budget.ts';

/** Characters of a text that a character of a pattern may be compared with in one step. */
const COMPARISONS_PER_STEP = 8;

/** @throws Error for an invalid pattern; BudgetError */
export function patternFor(pattern: string, text: string, budget: Budget): RE2JS {
  budget.spend(((pattern.length + 1) * (text.length + 1)) / COMPARISONS_PER_STEP);
  return RE2JS.compile(pattern);
}
