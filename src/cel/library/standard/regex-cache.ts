// Regular expressions in RE2's syntax, which match in time linear in the text. Patterns that are computed while
// expressions run are kept compiled, a bounded number of them.

import { RE2JS } from 're2js';
import { limits } from '../../../base/limits.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';

/** A compiled pattern. */
export type Regex = RE2JS;

/** Compiles a pattern. Throws EvaluationError as Go words it for one that is none. */
export function compileRegex(pattern: string): Regex {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'error parsing regexp';
    // Go lets groups share a name. Nobody asks for groups here, so they can do without.
    const unnamed = message.includes('duplicate capture group name') ? withoutNames(pattern) : pattern;
    if (unnamed !== pattern) return compileRegex(unnamed);
    // Go shows the part that is wrong even where it is empty.
    throw new EvaluationError(message.endsWith('`') ? message : `${message}: \`\``);
  }
}

/** What a pattern may hold that looks like a named group and is none, or else the beginning of one. */
const NAMED_GROUP = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/g;

function withoutNames(pattern: string): string {
  return pattern.replace(NAMED_GROUP, (part) => (part.startsWith('(') ? '(' : part));
}

export class RegexCache {
  readonly #compiled = new Map<string, Regex>();

  /** The compiled pattern; the one used longest ago makes place for a new one. */
  compiled(pattern: string): Regex {
    const known = this.#compiled.get(pattern);
    const regex = known ?? compileRegex(pattern);
    if (known !== undefined) this.#compiled.delete(pattern);
    this.#compiled.set(pattern, regex);
    if (this.#compiled.size > limits.rememberedRegexes) this.#compiled.delete(this.#compiled.keys().next().value!);
    return regex;
  }
}
