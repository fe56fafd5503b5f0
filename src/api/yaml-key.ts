// Keys of YAML mappings. Kubernetes' parser keeps their types until a text is converted to JSON: 1, 1.0 and "1" are
// different keys for it, and each is named "1" afterwards.

import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { goFloatText, goFloatText32 } from './go-number.ts';
import type { Json } from './object.ts';
import { YamlError } from './yaml-error.ts';
import type { Scalar } from './yaml-scalar.ts';

/** The name in JSON; undefined for a key that has none. */
export function keyName(key: Scalar): string | undefined {
  if (typeof key === 'string') return key;
  switch (key.type) {
    case 'int':
    case 'bool':
      return String(key.value);
    case 'float':
      return floatName(key.value as number);
    default:
      return undefined;
  }
}

/** As a float of 32 bits, whatever its size. */
function floatName(value: number): string {
  const rounded = Math.fround(value);
  if (Number.isNaN(rounded)) return '.nan';
  if (Number.isFinite(rounded)) return goFloatText32(rounded);
  return rounded > 0 ? '.inf' : '-.inf';
}

/** Equal for keys that are the same to the parser; undefined for a key that is never the same. */
export function keyIdentity(key: Scalar): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  return Number.isNaN(key.value) ? undefined : `${key.type} ${key.value === 0 ? 0 : key.value}`;
}

/** A key in a report of a duplicate, in Go's syntax. */
export function keyText(key: Scalar): string {
  if (typeof key === 'string') return goQuote(key);
  return key.value === null ? '<nil>' : goScalar(key);
}

/** The error for a key without a name in JSON. */
export function unsupportedKey(key: Scalar, value: Json): YamlError {
  const [type, text] =
    typeof key !== 'string' && key.type === 'uint' ? ['uint64', goScalar(key)] : ['%!s(<nil>)', '<nil>'];
  return new YamlError(
    `unsupported map key of type: ${type}, key: ${text}, value: ${value === null ? '<nil>' : goSyntax(value)}`,
  );
}

function goScalar({ type, value }: Exclude<Scalar, string>): string {
  if (type === 'uint') return `0x${(value as bigint).toString(16)}`;
  return type === 'float' ? goFloat(value as number) : String(value);
}

function goFloat(value: number): string {
  if (Number.isFinite(value)) return goFloatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** Go's syntax for a value. A long one is cut off, since it takes long. */
function goSyntax(value: Json): string {
  const parts: string[] = [];
  let left = limits.quotedYamlCharacters;
  const add = (text: string): void => {
    left -= text.length;
    parts.push(text);
  };
  const write = (each: Json): void => {
    if (left < 0) return;
    if (typeof each !== 'object' || each === null) {
      add(goLeaf(each));
      return;
    }
    add(Array.isArray(each) ? '[]interface {}{' : 'map[interface {}]interface {}{');
    let separator = '';
    for (const name in each) {
      if (left < 0) break;
      add(Array.isArray(each) ? separator : `${separator}${goQuote(name)}:`);
      write((each as Record<string, Json>)[name] as Json);
      separator = ', ';
    }
    add('}');
  };
  write(value);
  return left < 0 ? `${parts.join('').slice(0, limits.quotedYamlCharacters)}...` : parts.join('');
}

function goLeaf(value: string | number | bigint | boolean | null): string {
  switch (typeof value) {
    case 'string':
      return goQuote(value.slice(0, limits.quotedYamlCharacters));
    case 'bigint':
      return value >= 2n ** 63n ? `0x${value.toString(16)}` : String(value);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : goFloat(value);
    default:
      return value === null ? 'interface {}(nil)' : String(value);
  }
}

/** @throws YamlError for a key that is a collection */
export function refuseKey(value: Json): void {
  throw new YamlError(`yaml: invalid map key: ${goSyntax(value)}`);
}

/** @throws YamlError for a number that JSON cannot represent */
export function refuseNumber(value: number): void {
  throw new YamlError(`json: unsupported value: ${goSyntax(value)}`);
}
