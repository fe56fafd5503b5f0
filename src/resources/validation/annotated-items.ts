// Lists in annotations, which had taints and tolerations before there were fields for them. Kubernetes decodes their JSON
// into its internal types by Go's encoding/json: the case of names does not matter, and errors have Go's words.

import { jsonWord } from '../../api/go-text.ts';
import { isObject } from '../../api/is-object.ts';
import { JsonError, parseJson } from '../../api/json-reader.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { canonicalTime } from '../../schema/rfc3339.ts';
import { timeFault } from '../../schema/time-fault.ts';

/** An internal type: its name, and the Go types of its fields by their members. */
interface AnnotatedType {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

const TIME = 'time';

export const ANNOTATED_TAINT: AnnotatedType = {
  name: 'Taint',
  fields: { key: 'string', value: 'string', effect: 'core.TaintEffect', timeAdded: TIME },
};

export const ANNOTATED_TOLERATION: AnnotatedType = {
  name: 'Toleration',
  fields: {
    ...{ key: 'string', operator: 'core.TolerationOperator', value: 'string', effect: 'core.TaintEffect' },
    tolerationSeconds: 'int64',
  },
};

/** @returns the items, with the members of the API, or why the text cannot be decoded */
export function annotatedItems(text: string, type: AnnotatedType): JsonObject[] | string {
  if (text === '') return [];
  try {
    const value = parseJson(text);
    if (value === null) return [];
    if (!Array.isArray(value)) return mismatch(value, `value of type []core.${type.name}`);
    const faults: string[] = [];
    const items = value.map((item) => itemOf(item, type, faults));
    return faults[0] ?? items;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

function itemOf(item: Json, { name, fields }: AnnotatedType, faults: string[]): JsonObject {
  const out: JsonObject = {};
  if (item === null) return out;
  if (!isObject(item)) {
    faults.push(mismatch(item, `value of type core.${name}`));
    return out;
  }
  for (const [given, value] of Object.entries(item)) {
    const [member, kind] = Object.entries(fields).find(([each]) => each.toLowerCase() === given.toLowerCase()) ?? [];
    if (member === undefined || kind === undefined || value === undefined || value === null) continue;
    const fault = faultOf(value, kind, `struct field ${name}.${member[0]!.toUpperCase()}${member.slice(1)}`);
    if (fault === undefined) out[member] = value;
    else faults.push(fault);
  }
  return out;
}

function faultOf(value: Json, type: string, place: string): string | undefined {
  if (type === 'int64') {
    if (Number.isSafeInteger(value)) return undefined;
    return mismatch(value, `${place} of type int64`, typeof value === 'number' ? ` ${value}` : '');
  }
  if (typeof value !== 'string') return mismatch(value, `${place} of type ${type === TIME ? 'string' : type}`);
  return type === TIME && canonicalTime(value, 'time') === undefined ? timeFault(value, 'time') : undefined;
}

function mismatch(value: Json, target: string, shown = ''): string {
  return `json: cannot unmarshal ${jsonWord(value)}${shown} into Go ${target}`;
}
