// A text without what it ends in.

/** The text without the characters `trailing` that it ends in. A pattern like `0+$` would try each run of them. */
export function withoutTrailing(text: string, trailing: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === trailing) end--;
  return text.slice(0, end);
}
