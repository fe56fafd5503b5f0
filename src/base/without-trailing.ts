// Removal of trailing characters.

/** The text without trailing characters `trailing`. A pattern like `0+$` would be quadratic. */
export function withoutTrailing(text: string, trailing: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === trailing) end--;
  return text.slice(0, end);
}
