// Texts that identify values of custom resources: equal values, and only these, have equal texts.

import { stringifyJson } from '../../api/json-writer.ts';
import type { Json } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';

/** A text that is equal for equal values, regardless of the order of members. */
export function identityText(value: Json): string {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${stringifyJson(value)}`;
  if (Array.isArray(value)) return `[${value.map(identityText).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${identityText(ownMember(value, name) as Json)}`).join()}}`;
}
