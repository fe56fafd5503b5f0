// Length and content of base64 fields.

/** How many bytes a base64 text stands for. */
export function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** The bytes as Latin-1 text, one character a byte: good for looking at texts of ASCII. */
export function decodedText(base64: string): string {
  return atob(base64);
}
