// FieldsV1 from clients: validated, and converted to the canonical spelling and order of sets. Stored ones are already
// canonical.

import { JsonError, parseJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { type FieldNode, type FieldSet, nodeOf } from './field-set.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/** Invalid FieldsV1. */
export class FieldsError extends Error {
  override name = 'FieldsError';
}

/** Parses the fieldsV1 of an entry. @throws FieldsError */
export function parseFields(value: Json | undefined): FieldSet {
  if (value === undefined || value === null) return undefined;
  const children = parseChildren(value);
  return nodeOf(false, children);
}

function parseChildren(value: Json | undefined): [PathElement, FieldNode][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldsError('fields are objects');
  const children = new Map<PathElement, FieldNode>();
  for (const [text, below] of Object.entries(value)) {
    if (text === '.') continue;
    const element = parseElement(text);
    if (element !== undefined) children.set(element, parseNode(below));
  }
  return [...children];
}

/** A path without anything below it is in the set, even if it is written as an empty object. */
function parseNode(value: Json | undefined): FieldNode {
  const children = parseChildren(value);
  return nodeOf(children.length === 0 || Object.hasOwn(value as JsonObject, '.'), children) as FieldNode;
}

/** The element in canonical spelling; undefined for types of later versions, which are skipped. */
function parseElement(text: string): PathElement | undefined {
  if (text.charAt(1) !== ':') throw new FieldsError(`${JSON.stringify(text)} has no type`);
  try {
    switch (text.charAt(0)) {
      case 'f':
        return text;
      case 'k':
        return keyElement(Object.entries(parseJson(text.slice(2)) as JsonObject) as [string, Json][]);
      case 'v':
        return valueElement(parseJson(text.slice(2)));
      case 'i':
        if (/^i:-?\d+$/.test(text)) return text;
        throw new FieldsError(`${JSON.stringify(text)} is not a place in a list`);
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof JsonError) throw new FieldsError(error.message);
    throw error;
  }
}
