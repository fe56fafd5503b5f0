// Go struct types that no schema describes, and the errors of Go's JSON decoder for values of wrong types.

import { base64Fault } from './base64.ts';
import { jsonWord } from './go-text.ts';
import { memberPath } from './member-path.ts';
import type { Json } from './object.ts';
import { ownMember } from './own-member.ts';

/**
 * `string`, `bool`, `int32`, `int64` and `bytes` (base64, or a list of numbers); a string with a named type; `any` for
 * values that are not checked.
 */
export type GoShape =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'bytes'
  | 'any'
  | { readonly text: string }
  | { readonly list: GoShape; readonly name?: string }
  | { readonly map: GoShape }
  | GoStruct;

export interface GoStruct {
  /** Its name, used in errors about its fields, and its package, used in errors about the whole value. */
  readonly struct: string;
  readonly package: string;
  readonly fields: Readonly<Record<string, GoShape>>;
}

const INT32_MAX = 2 ** 31 - 1;

/** The first field of an object with a wrong type; undefined if all are valid. Fields are checked in their order. */
export function goShapeFault(object: Json, shape: GoStruct): string | undefined {
  return structFault(object, shape, '');
}

interface Place {
  readonly struct: string;
  readonly at: string;
}

function structFault(value: Json, { struct, fields }: GoStruct, path: string): string | undefined {
  for (const [name, member] of Object.entries(value as Readonly<Record<string, Json>>)) {
    const shape = ownMember(fields, name);
    if (shape === undefined || member === null) continue;
    const fault = faultOf(member, shape, { struct, at: memberPath(path, name) });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(value: Json, shape: GoShape, place: Place): string | undefined {
  const word = wordOfMisfit(value, shape);
  if (word !== undefined) {
    return `json: cannot unmarshal ${word} into Go struct field ${place.struct}.${place.at} of type ${goType(shape)}`;
  }
  if (shape === 'bytes') return bytesFault(value, place);
  if (typeof shape === 'string' || 'text' in shape) return undefined;
  if ('struct' in shape) return structFault(value, shape, place.at);
  const inner = 'list' in shape ? shape.list : shape.map;
  for (const each of Object.values(value as object) as Json[]) {
    const fault = each === null ? undefined : faultOf(each, inner, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Go's name of the type of a value if it is wrong; undefined if it is valid. */
function wordOfMisfit(value: Json, shape: GoShape): string | undefined {
  return isOf(value, shape)
    ? undefined
    : typeof value === 'number' && isInteger(shape)
      ? `number ${value}`
      : jsonWord(value);
}

function isInteger(shape: GoShape): boolean {
  return shape === 'int32' || shape === 'int64';
}

function isOf(value: Json, shape: GoShape): boolean {
  if (shape === 'any') return true;
  if (shape === 'bool') return typeof value === 'boolean';
  if (shape === 'bytes') return typeof value === 'string' || Array.isArray(value);
  if (shape === 'int32') return Number.isInteger(value) && Math.abs(value as number) <= INT32_MAX;
  if (shape === 'int64') return Number.isInteger(value) || typeof value === 'bigint';
  if (typeof shape === 'string' || 'text' in shape) return typeof value === 'string';
  return 'list' in shape ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);
}

function bytesFault(value: Json, { struct, at }: Place): string | undefined {
  if (typeof value === 'string') {
    const stop = base64Fault(value);
    return stop === undefined ? undefined : `illegal base64 data at input byte ${stop}`;
  }
  const odd = (value as Json[]).find(
    (each) => each !== null && !(Number.isInteger(each) && (each as number) >= 0 && (each as number) <= 255),
  );
  if (odd === undefined) return undefined;
  const word = typeof odd === 'number' ? `number ${odd}` : jsonWord(odd);
  return `json: cannot unmarshal ${word} into Go struct field ${struct}.${at} of type uint8`;
}

function goType(shape: GoShape): string {
  if (shape === 'bytes') return '[]uint8';
  if (typeof shape === 'string') return shape;
  if ('text' in shape) return shape.text;
  if ('struct' in shape) return `${shape.package}.${shape.struct}`;
  return 'list' in shape ? (shape.name ?? `[]${goType(shape.list)}`) : `map[string]${goType(shape.map)}`;
}
