// The flag that an error of the server's start is about. The texts of these errors are kube-apiserver's, which often name
// a file or a value and not the flag that it came from.

/** Shorter values, and words of them, say nothing: they occur in any text. */
const SHORTEST = 3;

/**
 * `; see --token-auth-file`, for the only flag whose value an error tells; '' for others, and where one is named.
 *
 * @param values of all flags
 * @param usual the default values, which nobody gave
 */
export function blamedFlag(
  message: string,
  values: ReadonlyMap<string, string>,
  usual: ReadonlyMap<string, string>,
): string {
  if (message.includes('--')) return '';
  const changed = [...values].filter(([name, value]) => value !== '' && value !== usual.get(name));
  if (changed.some(([name]) => message.includes(name))) return '';
  const [whole, inPart] = [wholeOf, wordsOf].map((parts) =>
    changed
      .filter(([, value]) => parts(value).some((part) => part.length >= SHORTEST && occurs(part, message)))
      .map(([name]) => name),
  ) as [string[], string[]];
  const [flag, ...others] = whole.length > 0 ? whole : inPart;
  return flag === undefined || others.length > 0 ? '' : `; see --${flag}`;
}

function wholeOf(value: string): string[] {
  return [value.replace(/^\[(.*)\]$/s, '$1')];
}

function wordsOf(value: string): string[] {
  return value.split(/[[\]=,/: ]+/).filter((word) => word !== 'true' && word !== 'false');
}

/** Whether a text has a part, not only as the piece of a longer word. */
function occurs(part: string, text: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isOfWord(text[at - 1]) && !isOfWord(text[at + part.length])) return true;
  }
  return false;
}

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\w./-]/.test(character);
}
