// Collections of a YAML document that are being read, innermost last.

import type { Json } from './object.ts';
import type { YamlMembers } from './yaml-members.ts';
import type { YamlTokenType } from './yaml-scanner.ts';

/** An open collection. */
export interface Frame {
  readonly kind: 'sequence' | 'indentless' | 'mapping' | 'flow sequence' | 'flow mapping' | 'pair';
  readonly line: number;
  readonly anchor: string | undefined;
  readonly nodesBefore: number;
  readonly list: Json[];
  readonly members: YamlMembers;
  /** Of the items of a sequence to be merged. */
  readonly origins: (YamlMembers | undefined)[] | undefined;
  /** A bare key is one in braces without a colon, which has no value. */
  state: 'first' | 'next' | 'key' | 'bare key' | 'value' | 'no value';
}

/** The kind of the collection that a token begins; undefined for other tokens. */
export function frameKind(type: YamlTokenType): Frame['kind'] | undefined {
  if (type === 'flow sequence' || type === 'flow mapping') return type;
  if (type === 'block sequence') return 'sequence';
  return type === 'block mapping' ? 'mapping' : undefined;
}
