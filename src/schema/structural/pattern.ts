// Patterns of schemas: RE2's syntax, matched in time linear in the text, whatever the pattern; the engine at hand would
// let one pattern occupy the server for hours.

import { RE2JS, RE2JSException } from 're2js';
import { limits } from '../../base/limits.ts';

/** A pattern that RE2 refuses, in Go's words: `error parsing regexp: missing closing ]: …`. */
export class PatternError extends Error {
  override name = 'PatternError';
}

export interface Pattern {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** Patterns compiled last, the oldest first: definitions made by one tool have the same ones again and again. */
const remembered = new Map<string, Pattern>();

/** @throws PatternError */
export function compilePattern(pattern: string): Pattern {
  const known = remembered.get(pattern);
  if (known !== undefined) return known;
  const made = compileNew(pattern);
  remembered.set(pattern, made);
  if (remembered.size > limits.rememberedRegexes) remembered.delete(remembered.keys().next().value!);
  return made;
}

function compileNew(pattern: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    throw error;
  }
}
