// Finds regular expression literals in TypeScript. It parses only enough of the language to distinguish a pattern from
// a division and from the contents of strings, templates and comments.

export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
  /** From 1. */
  readonly line: number;
}

/** Code that ends like this is followed by a division. */
const AFTER_OPERAND = /[\w$)\]}"'`]$/;
/** Words that are followed by an operand although they end in a letter. */
const BEFORE_OPERAND = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|await|yield|else|do|default)$/;

/** Returns all literals of a text, in order. */
export function regexLiterals(text: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  /** The code read so far, without spaces and comments; strings and patterns are reduced to a quote. */
  let before = '';
  /** For each open template, how many braces are open in its current expression. */
  const templates: number[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text[at] as string;
    const two = text.slice(at, at + 2);
    if (two === '//') at = endOf(text, '\n', at);
    else if (two === '/*') at = endOf(text, '*/', at);
    else if (rest === '"' || rest === "'") {
      at = endOfString(text, at);
      before = '"';
    } else if (rest === '`' || (rest === '}' && templates.at(-1) === 0)) {
      const piece = endOfTemplate(text, at + 1);
      if (rest === '}') templates.pop();
      if (piece.opens) templates.push(0);
      before = piece.opens ? '(' : '`';
      at = piece.end;
    } else if (rest === '/' && (!AFTER_OPERAND.test(before) || BEFORE_OPERAND.test(before))) {
      const literal = literalAt(text, at);
      found.push({ ...literal, line: text.slice(0, at).split('\n').length });
      at += literal.source.length + 2 + literal.flags.length;
      before = '"';
    } else {
      const open = templates.length - 1;
      if (open >= 0 && rest === '{') templates[open] = (templates[open] as number) + 1;
      if (open >= 0 && rest === '}') templates[open] = (templates[open] as number) - 1;
      if (!/\s/.test(rest)) before = before.slice(-12) + rest;
      at++;
    }
  }
  return found;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from + mark.length);
  return end < 0 ? text.length : end + mark.length;
}

function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== text[open]) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Returns where the template text that starts at `from` ends: after its closing backquote, or after the start of an
 * expression.
 */
function endOfTemplate(text: string, from: number): { end: number; opens: boolean } {
  let at = from;
  while (at < text.length && text[at] !== '`' && text.slice(at, at + 2) !== '${') at += text[at] === '\\' ? 2 : 1;
  const opens = text[at] === '$';
  return { end: at + (opens ? 2 : 1), opens };
}

function literalAt(text: string, open: number): { source: string; flags: string } {
  let at = open + 1;
  for (let inClass = false; at < text.length && (inClass || text[at] !== '/'); at++) {
    if (text[at] === '\n') throw new SyntaxError(`no pattern: ${text.slice(open, at)}`);
    if (text[at] === '\\') at++;
    else if (text[at] === '[') inClass = true;
    else if (text[at] === ']') inClass = false;
  }
  const [flags = ''] = /^[a-z]*/.exec(text.slice(at + 1, at + 10)) ?? [];
  return { source: text.slice(open + 1, at), flags };
}
