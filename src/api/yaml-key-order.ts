// The order of keys in YAML as Kubernetes writes it, in which numbers are sorted by value and letters come last.

/** Numbers in keys are sorted by value, letters after all other characters. */
export function byNaturalKey([one]: [string, unknown], [other]: [string, unknown]): number {
  const at = firstDifference(one, other);
  const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
  // Most keys differ in letters, for which a comparison suffices.
  return isAsciiLetter(left) && isAsciiLetter(right) ? left - right : compareNaturally(one, other);
}

/** The offset of the first difference; the length of the shorter text if it is a prefix. */
function firstDifference(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Of a code unit; false after the end of a text. */
function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a && code < 0x80;
}

function compareNaturally(one: string, other: string): number {
  const left = [...one];
  const right = [...other];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0) return left.length - right.length;
  const [first = '', second = ''] = [left[at], right[at]];
  if (second === '') return 1;
  const letters = Number(isLetter(first)) - Number(isLetter(second));
  if (letters !== 0) return letters;
  if (!isLetter(first)) {
    const numbers = compareDigits(digitsAt(left, at), digitsAt(right, at));
    if (numbers !== 0) return numbers;
  }
  return (first.codePointAt(0) as number) - (second.codePointAt(0) as number);
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

/** The digits from an offset on, with preceding ones if one of them is not zero and so gives them weight. */
function digitsAt(characters: readonly string[], at: number): string {
  let before = at;
  while (before > 0 && /^\p{Nd}$/u.test(characters[before - 1] as string)) before--;
  let end = at;
  while (end < characters.length && /^\p{Nd}$/u.test(characters[end] as string)) end++;
  const head = characters.slice(before, at).join('');
  const own = characters.slice(at, end).join('');
  return /[1-9]/.test(head) && end > at ? `1${own}` : own;
}

function compareDigits(one: string, other: string): number {
  const difference = Number(one) - Number(other);
  return difference !== 0 ? difference : one.length - other.length;
}
