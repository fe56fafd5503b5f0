// Length and content of base64 fields.

/** The number of bytes that a base64 text encodes. */
export function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** The bytes as Latin-1 text, one character per byte, for examining ASCII texts. */
export function decodedText(base64: string): string {
  return atob(base64);
}
