// Texts by code point, which is how the language counts them, while JavaScript counts UTF-16 units.

/** The UTF-16 index at which a code point begins; the text's length for its number of code points and more. */
export function unitIndex(text: string, codePoint: number): number {
  let index = 0;
  for (let left = codePoint; left > 0 && index < text.length; left--) index += unitsAt(text, index);
  return index;
}

/** 2 where a pair of surrogates begins at a UTF-16 index, else 1. */
export function unitsAt(text: string, index: number): 1 | 2 {
  const pair = isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
  return pair ? 2 : 1;
}

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
