// The value of a YAML scalar by its tag: an untagged plain scalar is resolved by its form, a quoted one is a string.

import { utf8Text } from './json-text.ts';
import { CORE_TAG } from './yaml-directives.ts';
import { YamlError } from './yaml-error.ts';
import { isTimestamp, resolvePlain, type Scalar } from './yaml-scalar.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const TYPES: readonly string[] = ['int', 'float', 'bool', 'null', 'timestamp'];

/**
 * @param tag in its full form; empty for an untagged scalar
 * @throws YamlError for what does not match its tag
 */
export function scalarValue(
  { text, isPlain }: { readonly text: string; readonly isPlain: boolean },
  tag: string,
): Scalar {
  const type = typeOf(tag);
  if (type === 'binary') return binaryText(text);
  if ((type === '' && !isPlain) || (type !== '' && !TYPES.includes(type))) return text;
  const scalar = resolvePlain(text);
  const found = typeof scalar === 'string' ? 'str' : scalar.type === 'uint' ? 'int' : scalar.type;
  if (type === '' || type === found) return scalar;
  if (type === 'timestamp' && isTimestamp(text)) return text;
  if (type === 'float' && typeof scalar !== 'string' && scalar.type === 'int') {
    return { type: 'float', value: Number(scalar.value) };
  }
  throw new YamlError(`yaml: cannot decode !!${found} \`${text}\` as a !!${type}`);
}

/** `int` for `!!int`; empty for an untagged scalar. */
function typeOf(tag: string): string {
  return tag.startsWith(CORE_TAG) ? tag.slice(CORE_TAG.length) : tag;
}

function binaryText(text: string): string {
  const digits = text.replace(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return utf8Text(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
}
