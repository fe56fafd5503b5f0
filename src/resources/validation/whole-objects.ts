// Whole objects in messages: in the form of Kubernetes' internal types, alone or as the difference of two.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import { IMMUTABLE } from '../../api/metadata-validation.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { unifiedDiff } from '../../base/unified-diff.ts';
import { CURRENT_MINOR, isSince } from '../../lifecycle/version.ts';
import { typeInRelease } from '../../schema/declared-struct.ts';
import { internalForm } from '../../schema/internal-form.ts';
import type { StructNode } from '../../schema/node.ts';

/** The type of an object in a release. */
export interface WholeType {
  readonly type: StructNode;
  /** The minor release of Kubernetes 1; the one served by default if undefined. */
  readonly minor?: number | undefined;
}

/** An object as messages quote it; absent is null. */
export function wholeObject({ type, minor = CURRENT_MINOR }: WholeType, value: object | null | undefined): Json {
  return value === undefined || value === null ? null : internalForm(typeInRelease(type, minor), value as JsonObject);
}

/** Like validateImmutable, for an object that the message quotes. */
export function validateImmutableWhole(
  whole: WholeType,
  [next, previous]: readonly [next: object | undefined, previous: object | undefined],
  field: string,
): FieldError[] {
  if (equalJson((next ?? null) as Json, (previous ?? null) as Json)) return [];
  return [fieldError.invalid(field, wholeObject(whole, next), IMMUTABLE)];
}

/** The first minor release whose differences are those of JSON texts; before it, they are in a form of Go's own. */
const OF_TEXTS = 34;

/** The difference of two objects behind a message, with the line feed in front of it. */
export function differenceBehind(whole: WholeType, before: Json, after: Json): string {
  if (!isSince(whole, OF_TEXTS)) return '';
  return `\n${unifiedDiff(...([before, after].map(indented) as [string, string]))}`;
}

/** JSON with one blank per level, whose HTML special characters are escaped, as by Go. */
function indented(value: Json): string {
  const text = stringifyJson(value, { pretty: true });
  const narrow = text.replace(/^ +/gm, (blanks) => blanks.slice(blanks.length / 2));
  return narrow.replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
