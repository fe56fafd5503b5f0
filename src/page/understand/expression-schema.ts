// Schemas for expressions: converts a kind's OpenAPI document to the form used in CustomResourceDefinitions, without
// references, and selects the part to which a rule applies.

import { isObject } from '../../api/is-object.ts';
import { memberPath } from '../../api/member-path.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { KindSchema, Schema } from '../object/schema.ts';

/** The maximum number of nodes expanded; kinds that refer to themselves never end. */
const MAX_PLACES = 20_000;

export interface ExpressionSchema {
  readonly schema: JsonObject;
  /** Whether recursive types or nodes beyond the limit were left out; anything is allowed there. */
  readonly isCut: boolean;
}

/** Expands the schema of a kind. */
export function writtenOut(kinds: KindSchema): ExpressionSchema {
  let left = MAX_PLACES;
  let isCut = false;
  const write = (declared: Schema, above: readonly string[]): JsonObject => {
    const reference = declared.$ref ?? (declared.allOf?.length === 1 ? declared.allOf[0]?.$ref : undefined);
    left -= 1;
    if (left < 0 || (reference !== undefined && above.includes(reference))) {
      isCut = true;
      return { ...ANYTHING };
    }
    const path = reference === undefined ? above : [...above, reference];
    const schema = kinds.resolve(declared);
    const { properties, items, additionalProperties, $ref: _, allOf: __, oneOf, ...own } = schema;
    if (isIntOrString(schema)) return { 'x-kubernetes-int-or-string': true };
    const written = { ...own } as unknown as JsonObject;
    if (oneOf !== undefined && schema.type === undefined) return { ...ANYTHING };
    if (properties !== undefined) {
      written['type'] ??= 'object';
      written['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, write(property, path)]),
      );
    }
    if (items !== undefined) written['items'] = write(items, path);
    if (typeof additionalProperties === 'object') written['additionalProperties'] = write(additionalProperties, path);
    else if (properties === undefined && (schema.type === 'object' || schema.type === undefined)) {
      return { ...written, ...ANYTHING };
    }
    return written;
  };
  return { schema: write(kinds.root, []), isCut };
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** Integers or strings: ports, and quantities, which servers write as strings. */
function isIntOrString({ format, oneOf = [], ...schema }: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return true;
  const types = oneOf.map(({ type }) => type).sort();
  return types.length === 2 && types[1] === 'string' && (types[0] === 'integer' || types[0] === 'number');
}

/** Splits `spec.containers[0].ports` into steps; '' is the root. @throws TypeError for an invalid path */
export function stepsOf(text: string): (string | number)[] {
  const path = text
    .trim()
    .replace(/^self(?=$|[.[])/, '')
    .replace(/^\./, '');
  const steps: (string | number)[] = [];
  let at = 0;
  while (at < path.length) {
    const { step, length } = stepAt(path.slice(at)) ?? {};
    if (step === undefined || length === undefined)
      throw new TypeError(`${text} is not a path such as spec.containers[0]`);
    steps.push(step);
    at += length;
  }
  return steps;
}

/** Returns the first step of the rest of a path, `.name`, `name`, `[0]` or `["name"]`; undefined for anything else. */
function stepAt(rest: string): { readonly step: string | number; readonly length: number } | undefined {
  const [dotted, name] = /^\.?([\w$-]+)/.exec(rest) ?? [];
  if (dotted !== undefined && name !== undefined) return { step: name, length: dotted.length };
  const end = rest.indexOf(']');
  if (rest[0] !== '[' || end < 0) return undefined;
  const inside = rest.slice(1, end);
  if (/^\d+$/.test(inside)) return { step: Number(inside), length: end + 1 };
  const [quote] = inside;
  const close = quote === '"' || quote === "'" ? rest.indexOf(`${quote}]`, 2) : -1;
  return close < 0 ? undefined : { step: rest.slice(2, close), length: close + 2 };
}

/** Returns the schema at a path; undefined if there is none. */
export function schemaAt(schema: JsonObject, steps: readonly (string | number)[]): JsonObject | undefined {
  let at: Json | undefined = schema;
  for (const step of steps) {
    if (!isObject(at)) return undefined;
    const { properties, items, additionalProperties }: JsonObject = at;
    at =
      typeof step === 'number'
        ? items
        : ((isObject(properties) ? properties[step] : undefined) ?? additionalProperties);
  }
  return isObject(at) ? at : undefined;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: Json, steps: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

/** Returns the rules that a schema declares at this node. */
export function rulesAt(schema: JsonObject | undefined): readonly string[] {
  const rules = schema?.['x-kubernetes-validations'];
  return Array.isArray(rules) ? rules.flatMap((rule) => (isObject(rule) ? [String(rule['rule'])] : [])) : [];
}

/** Returns the paths in a schema that have rules, in the form the user types; for lists, the first item. */
export function placesOfRules(schema: JsonObject, most: number): string[] {
  const found: string[] = [];
  const visit = (part: JsonObject, path: string): void => {
    if (found.length >= most) return;
    if (rulesAt(part).length > 0) found.push(path);
    for (const [name, property] of Object.entries(isObject(part['properties']) ? part['properties'] : {})) {
      if (isObject(property)) visit(property, memberPath(path, name));
    }
    if (isObject(part['items'])) visit(part['items'], `${path}[0]`);
  };
  visit(schema, '');
  return found;
}
