// The text of a YAML tag, as the scanner finds it: `!`, `!suffix`, `!handle!suffix` or `!<uri>`.

import type { YamlError } from './yaml-error.ts';

/** The text, and the current offset. */
interface TagText {
  readonly text: string;
  at: number;
  /** A character code; NaN after the end. */
  code(offset?: number): number;
  isBlank(offset?: number): boolean;
  fault(message: string): YamlError;
}

/** Moves the scanner behind the tag. @throws YamlError */
export function scanTag(scanner: TagText): string {
  const start = scanner.at;
  if (scanner.code(1) === 0x3c) {
    scanner.at += 2;
    skipUri(scanner, false);
    if (scanner.text[scanner.at] !== '>') throw scanner.fault("did not find the expected '>'");
    scanner.at++;
  } else {
    const handle = matchAt(/![\w-]*!?/y, scanner);
    scanner.at += handle.length;
    skipUri(scanner, handle === '!' || !handle.endsWith('!'));
  }
  if (!scanner.isBlank()) throw scanner.fault('did not find expected whitespace or line break');
  return scanner.text.slice(start, scanner.at);
}

/** @param mayBeEmpty whether a part of the tag precedes */
function skipUri(scanner: TagText, mayBeEmpty: boolean): void {
  const uri = matchAt(/[\w\-;/?:@&=+$,.!~*'()[\]%]*/y, scanner);
  if (uri === '' && !mayBeEmpty) throw scanner.fault('did not find expected tag URI');
  if (/%(?![0-9a-fA-F]{2})/.test(uri)) throw scanner.fault('did not find URI escaped octet');
  scanner.at += uri.length;
}

function matchAt(pattern: RegExp, { text, at }: TagText): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
