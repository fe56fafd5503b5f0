// Schemas for expressions: from the OpenAPI document of a cluster to the form that a CustomResourceDefinition has, in
// which nothing refers to something else, and the part of it in which a rule stands.

import type { Json, JsonObject } from '../../api/object.ts';
import type { KindSchema, Schema } from '../object/schema.ts';

/** The most places that are written out; kinds that refer to themselves have no end. */
const MAX_PLACES = 20_000;

export interface ExpressionSchema {
  readonly schema: JsonObject;
  /** Whether parts were left out, in which anything may stand: of what refers to itself, or beyond the bound. */
  readonly isCut: boolean;
}

/** Writes a kind's schema out. */
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

/** Numbers or texts: ports, and quantities, which servers write as texts. */
function isIntOrString({ format, oneOf = [], ...schema }: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return true;
  const types = oneOf.map(({ type }) => type).sort();
  return types.length === 2 && types[1] === 'string' && (types[0] === 'integer' || types[0] === 'number');
}

/** `spec.containers[0].ports` in steps; '' is the whole. @throws TypeError for what is not a path */
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

/** The first step of a rest of a path, `.name`, `name`, `[0]` or `["name"]`; undefined for anything else. */
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

/** The schema of a place; undefined where it says nothing of it. */
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

/** The value of a place; undefined where there is none. */
export function valueAt(value: Json, steps: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

/** The rules that a schema has at this very place. */
export function rulesAt(schema: JsonObject | undefined): readonly string[] {
  const rules = schema?.['x-kubernetes-validations'];
  return Array.isArray(rules) ? rules.flatMap((rule) => (isObject(rule) ? [String(rule['rule'])] : [])) : [];
}

/** Places of a schema that have rules, as paths to type; of lists the first item. */
export function placesOfRules(schema: JsonObject, most: number): string[] {
  const found: string[] = [];
  const visit = (part: JsonObject, path: string): void => {
    if (found.length >= most) return;
    if (rulesAt(part).length > 0) found.push(path);
    for (const [name, property] of Object.entries(isObject(part['properties']) ? part['properties'] : {})) {
      if (isObject(property)) visit(property, path === '' ? name : `${path}.${name}`);
    }
    if (isObject(part['items'])) visit(part['items'], `${path}[0]`);
  };
  visit(schema, '');
  return found;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
