// The text of whatever was thrown.

/** The message of an error, or the text of any other value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
