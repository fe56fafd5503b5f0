// Patterns of schemas: written for RE2, matched by the engine at hand. What the two write differently is translated;
// what RE2 does not know (back references, looking around) is refused, so that a schema means the same everywhere.

/** A pattern that RE2 would refuse. */
export class PatternError extends Error {
  override name = 'PatternError';
}

const CLASSES: Readonly<Record<string, string>> = Object.freeze({
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
});

/** What was compiled, by pattern: a memory only, as long as somebody holds the schema it stands in. */
export function compilePattern(pattern: string): RegExp {
  const { source, flags } = translate(pattern);
  try {
    return new RegExp(source, `u${flags}`);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}

/** Escapes that the engine at hand does not know, or knows as something else. */
function escaped(pattern: string, at: number, inClass: boolean): { text: string; next: number } {
  const letter = pattern[at + 1];
  if (letter === undefined) throw new PatternError('trailing backslash at end of expression: ``');
  const next = at + 2;
  switch (letter) {
    case 'A':
      return { text: '(?<![^])', next };
    case 'z':
      return { text: '(?![^])', next };
    case 'a':
      return { text: '\\x07', next };
    case 'Q': {
      const end = pattern.indexOf('\\E', next);
      const quoted = pattern.slice(next, end < 0 ? undefined : end);
      return { text: literal(quoted), next: end < 0 ? pattern.length : end + 2 };
    }
    case 's':
      return { text: inClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]', next };
    case 'S':
      if (inClass) return { text: '\\S', next };
      return { text: '[^\\t\\n\\f\\r ]', next };
    case 'p':
    case 'P': {
      const short = /^[A-Z]/.exec(pattern.slice(next));
      if (short !== null) return { text: `\\${letter}{${short[0]}}`, next: next + 1 };
      return { text: property(pattern, at), next: pattern.indexOf('}', next) + 1 };
    }
    case 'x': {
      const long = /^\{([0-9a-fA-F]{1,6})\}/.exec(pattern.slice(next));
      return long === null ? { text: '\\x', next } : { text: `\\u{${long[1]}}`, next: next + long[0].length };
    }
    default:
      if (/[1-9kcuC]/.test(letter)) throw new PatternError(`invalid escape sequence: \`\\${letter}\``);
      if (/[bBdDwWnrtfv0]/.test(letter)) return { text: `\\${letter}`, next };
      return { text: literal(letter), next };
  }
}

/** `\p{Greek}`: scripts are named without saying so. */
function property(pattern: string, at: number): string {
  const found = /^\\[pP]\{(\^?)(\w+)\}/.exec(pattern.slice(at));
  if (found === null) throw new PatternError(`invalid character class range: \`${pattern.slice(at, at + 2)}\``);
  const [, not, name = ''] = found;
  const negated = (pattern[at + 1] === 'P') !== (not === '^');
  return `\\${negated ? 'P' : 'p'}{${name.length <= 2 ? name : `Script=${name}`}}`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d');
}

function translate(pattern: string): { source: string; flags: string } {
  const leading = /^\(\?([imsU]+)\)/.exec(pattern);
  let flags = leading?.[1] ?? '';
  if (flags.includes('U')) throw new PatternError('ungreedy patterns are not known');
  const dot = flags.includes('s') ? '[^]' : '[^\\n]';
  flags = flags.replace('s', '');
  let source = '';
  let at = leading?.[0].length ?? 0;
  while (at < pattern.length) {
    const letter = pattern[at] as string;
    if (letter === '\\') {
      const { text, next } = escaped(pattern, at, false);
      source += text;
      at = next;
    } else if (letter === '[') {
      const { text, next } = characterClass(pattern, at);
      source += text;
      at = next;
    } else if (letter === '(') {
      const { text, next } = group(pattern, at);
      source += text;
      at = next;
    } else {
      source += letter === '.' ? dot : loose(pattern, at);
      at++;
    }
  }
  return { source, flags };
}

/** Braces that count nothing stand for themselves. */
function loose(pattern: string, at: number): string {
  const letter = pattern[at] as string;
  if (letter === ']') return '\\]';
  if (letter === '{' && !/^\{\d+(?:,\d*)?\}/.test(pattern.slice(at))) return '\\{';
  if (letter === '}' && !/\{\d+(?:,\d*)?$/.test(pattern.slice(0, at))) return '\\}';
  return letter;
}

function group(pattern: string, at: number): { text: string; next: number } {
  if (pattern[at + 1] !== '?') return { text: '(', next: at + 1 };
  const rest = pattern.slice(at);
  const named = /^\(\?P?<(\w+)>/.exec(rest);
  if (named !== null) return { text: `(?<${named[1]}>`, next: at + named[0].length };
  const flagged = /^\(\?([ims]*(?:-[ims]+)?):/.exec(rest);
  if (flagged !== null) return { text: flagged[0], next: at + flagged[0].length };
  throw new PatternError(`invalid or unsupported Perl syntax: \`${rest.slice(0, 3)}\``);
}

function characterClass(pattern: string, start: number): { text: string; next: number } {
  let at = start + 1;
  let text = '[';
  if (pattern[at] === '^') {
    text += '^';
    at++;
  }
  for (let first = true; ; first = false) {
    const letter = pattern[at];
    if (letter === undefined) throw new PatternError(`missing closing ]: \`${pattern.slice(start)}\``);
    if (letter === ']' && !first) return { text: `${text}]`, next: at + 1 };
    const named = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(at));
    if (named !== null) {
      const members = CLASSES[named[2] as string];
      if (members === undefined || named[1] === '^') {
        throw new PatternError(`invalid character class range: \`${named[0]}\``);
      }
      text += members;
      at += named[0].length;
    } else if (letter === '\\') {
      const found = escaped(pattern, at, true);
      text += found.text;
      at = found.next;
    } else {
      text += /[[\](){}/|]/.test(letter) ? `\\${letter}` : letter;
      at++;
    }
  }
}
