// Functions of sprig with regular expressions.

import { messageOf } from '../../../base/error-message.ts';
import { lookup } from '../../../base/lookup.ts';
import { type Budget, BudgetError } from '../budget.ts';
import { patternFor } from '../patterns.ts';
import { TemplateError } from './error.ts';
import { integerFrom, stringIn, type TemplateFunction, taking } from './function.ts';
import type { Value } from './values.ts';

type Pattern = ReturnType<typeof patternFor>;

/** A found part of a text, and what its groups matched. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly string[];
}

const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  regexMatch: taking(2, 2, ([pattern, text], { budget }) => {
    return compiled(pattern, text, budget).matcher(stringIn(text)).find();
  }),
  regexFind: taking(2, 2, ([pattern, text], { budget }) => {
    const [first] = matches(compiled(pattern, text, budget), stringIn(text), { most: 1, budget });
    return first === undefined ? '' : stringIn(text).slice(first.start, first.end);
  }),
  regexFindAll: taking(3, 3, ([pattern, text, most], { budget }) => {
    const found = matches(compiled(pattern, text, budget), stringIn(text), { most: integerFrom(most), budget });
    return found.map(({ start, end }) => stringIn(text).slice(start, end));
  }),
  regexReplaceAll: taking(3, 3, ([pattern, text, by], { budget }) =>
    replaced({ pattern, text, budget }, ({ groups }) => expanded(stringIn(by), groups)),
  ),
  regexReplaceAllLiteral: taking(3, 3, ([pattern, text, by], { budget }) =>
    replaced({ pattern, text, budget }, () => stringIn(by)),
  ),
  regexSplit: taking(3, 3, ([pattern, text, most], { budget }) => {
    const count = integerFrom(most);
    if (count === 0) return [];
    const found = matches(compiled(pattern, text, budget), stringIn(text), { most: count - 1, budget });
    const starts = [0, ...found.map(({ end }) => end)];
    return starts.map((start, index) => stringIn(text).slice(start, found[index]?.start));
  }),
});

/** Each also with `must` before its name: only of these, an invalid pattern in regexMatch is an error. */
export const PATTERN_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  ...FUNCTIONS,
  ...Object.fromEntries(Object.entries(FUNCTIONS).map(([name, call]) => [`mustR${name.slice(1)}`, call])),
  regexMatch: (given, needs) => {
    try {
      return FUNCTIONS['regexMatch']!(given, needs);
    } catch (error) {
      if (error instanceof InvalidPattern) return false;
      throw error;
    }
  },
});

class InvalidPattern extends TemplateError {}

function compiled(pattern: Value, text: Value, budget: Budget): Pattern {
  try {
    return patternFor(stringIn(pattern), stringIn(text), budget);
  } catch (error) {
    if (error instanceof BudgetError || error instanceof TemplateError) throw error;
    throw new InvalidPattern(messageOf(error));
  }
}

/** @param how `most`: a negative number for all */
function matches(
  pattern: Pattern,
  text: string,
  { most, budget }: { readonly most: number; readonly budget: Budget },
): Match[] {
  const found: Match[] = [];
  const matcher = pattern.matcher(text);
  while ((most < 0 || found.length < most) && matcher.find()) {
    budget.spend(2 + matcher.groupCount());
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? '');
    found.push({ start: matcher.start(), end: matcher.end(), groups });
  }
  return found;
}

function replaced(
  { pattern, text, budget }: { readonly pattern: Value; readonly text: Value; readonly budget: Budget },
  by: (match: Match) => string,
): string {
  const whole = stringIn(text);
  let made = '';
  let at = 0;
  for (const match of matches(compiled(pattern, text, budget), whole, { most: -1, budget })) {
    const piece = whole.slice(at, match.start) + by(match);
    budget.spendText(piece.length);
    made += piece;
    at = match.end;
  }
  return made + whole.slice(at);
}

/** A replacement in which `$1` and `${1}` are the text of a group; names of groups are not supported. */
function expanded(replacement: string, groups: readonly string[]): string {
  return replacement.replace(
    /\$(?:\$|\{(\w+)\}|(\w+))/g,
    (whole, inBraces: string | undefined, bare: string | undefined) => {
      const name = inBraces ?? bare;
      return name === undefined ? whole.slice(1) : /^\d+$/.test(name) ? (groups[Number(name)] ?? '') : '';
    },
  );
}
