// Regular expressions in RE2's syntax, matched in linear time. Patterns computed at run time are compiled once and
// cached, up to a limit.

import { RE2JS } from 're2js';
import { limits } from '../../../base/limits.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';

/** A compiled pattern. */
type Regex = RE2JS;

/** Compiles a pattern. Throws EvaluationError as Go words it for one that is none. */
export function compileRegex(pattern: string): Regex {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'error parsing regexp';
    // Go allows duplicate group names. Groups are not used here, so names are removed.
    const unnamed = message.includes('duplicate capture group name') ? withoutNames(pattern) : pattern;
    if (unnamed !== pattern) return compileRegex(unnamed);
    // Go quotes the invalid part even if it is empty.
    throw new EvaluationError(message.endsWith('`') ? message : `${message}: \`\``);
  }
}

/**
 * Returns the pattern with named groups turned into plain ones. Text in brackets, and quoted or escaped text, is not a
 * group.
 */
function withoutNames(pattern: string): string {
  let text = '';
  let at = 0;
  while (at < pattern.length) {
    const name = GROUP_NAME.exec(pattern.slice(at, at + MAX_NAME))?.[0];
    const end = name === undefined ? endOfPart(pattern, at) : at + name.length;
    text += name === undefined ? pattern.slice(at, end) : '(';
    at = end;
  }
  return text;
}

const GROUP_NAME = /^\(\?P?<\w+>/;
/** Longer names are left unchanged. */
const MAX_NAME = 1_000;

/** Returns where a character, an escape, a quotation or a character class ends. */
function endOfPart(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) {
    const end = pattern.indexOf('\\E', at);
    return end < 0 ? pattern.length : end + 2;
  }
  if (pattern[at] === '\\') return at + 2;
  return pattern[at] === '[' ? endOfClass(pattern, at) : at + 1;
}

function endOfClass(pattern: string, open: number): number {
  let at = pattern[open + 1] === '^' ? open + 2 : open + 1;
  if (pattern[at] === ']') at++;
  while (at < pattern.length && pattern[at] !== ']') {
    const named = pattern[at] === '[' ? /^\[:\^?\w+:\]/.exec(pattern.slice(at, at + 16)) : null;
    at += named?.[0].length ?? (pattern[at] === '\\' ? 2 : 1);
  }
  return at + 1;
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
