// The value of a YAML scalar by its tag: an untagged plain scalar is resolved by its form, a quoted one is a string.

import { jsonText } from './json-reader.ts';
import type { Json } from './object.ts';
import { YamlError } from './yaml-error.ts';
import { NO_JSON, resolvePlain } from './yaml-scalar.ts';

const CORE = 'tag:yaml.org,2002:';
const TYPES: readonly string[] = ['int', 'float', 'bool', 'null', 'timestamp'];

/** @throws YamlError for what JSON cannot represent, or does not match its tag */
export function scalarValue(
  { text, isPlain }: { readonly text: string; readonly isPlain: boolean },
  tag: string,
): Json {
  const type = typeOf(tag);
  if (type === 'binary') return binaryText(text);
  if ((type === '' && !isPlain && tag !== '!') || (type !== '' && !TYPES.includes(type))) return text;
  const value = resolvePlain(text);
  if (value === NO_JSON) throw new YamlError(`json: unsupported value: ${goFloat(text)}`);
  if (type === '' || isOfType(value, type)) return value;
  throw new YamlError(`yaml: cannot decode !!${typeName(value)} \`${text}\` as a !!${type}`);
}

/** `.inf`, `-.inf` or `.nan`, as in Go. */
function goFloat(text: string): string {
  if (text.endsWith('n') || text.endsWith('N')) return 'NaN';
  return text.startsWith('-') ? '-Inf' : '+Inf';
}

/** `int` for `!!int`; empty for an untagged scalar. */
function typeOf(tag: string): string {
  if (tag === '' || tag === '!') return '';
  if (tag.startsWith(`!<${CORE}`)) return tag.slice(CORE.length + 2, -1);
  return tag.startsWith('!!') ? tag.slice(2) : tag;
}

function isOfType(value: Json, type: string): boolean {
  const name = typeName(value);
  return name === type || (type === 'float' && name === 'int') || (type === 'timestamp' && name === 'str');
}

function typeName(value: Json): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return value === null ? 'null' : 'str';
  }
}

function binaryText(text: string): string {
  try {
    return jsonText(Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0)));
  } catch {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
}
