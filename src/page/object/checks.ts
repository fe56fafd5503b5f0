// Checks of the text against the type of its kind, before it is sent to the server: unknown fields, wrong types,
// missing fields. The server's dry run has the last word.

import type { KindSchema, Schema } from './schema.ts';
import type { Path } from './yaml-text.ts';

interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** The maximum number of findings reported at once. */
const MAX_FINDINGS = 100;

/**
 * Returns where a value does not match its kind.
 * @param isPartial whether the value is only part of an object, so that missing fields are not reported
 */
export function findings(schema: KindSchema, value: unknown, isPartial = false): Finding[] {
  const found: Finding[] = [];
  check(schema, { schema: schema.resolve(schema.root), value, path: [], found, isPartial });
  return found;
}

interface Check {
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: Path;
  readonly found: Finding[];
  readonly isPartial: boolean;
}

function check(kinds: KindSchema, at: Check): void {
  const { schema, value, path, found } = at;
  if (value === null || value === undefined || found.length >= MAX_FINDINGS) return;
  const wrong = typeFault(schema, value);
  if (wrong !== undefined) {
    found.push({ path, message: wrong });
    return;
  }
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    const items = kinds.resolve(schema.items);
    for (const [index, item] of value.entries()) {
      check(kinds, { ...at, schema: items, value: item, path: [...path, index] });
    }
  } else if (typeof value === 'object') checkMembers(kinds, { ...at, value });
  else if (schema.enum !== undefined && !schema.enum.includes(value)) {
    found.push({ path, message: `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}` });
  }
}

function checkMembers(kinds: KindSchema, parent: Check & { readonly value: object }): void {
  const { schema, value, path, found } = parent;
  const { properties, additionalProperties, required = [] } = schema;
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || properties === undefined;
  for (const [name, member] of Object.entries(value)) {
    const declared =
      properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const at = [...path, name];
    if (declared !== undefined) check(kinds, { ...parent, schema: kinds.resolve(declared), value: member, path: at });
    else if (!open && additionalProperties !== true) found.push({ path: at, message: `unknown field "${name}"` });
  }
  // The server fills in fields with a default, and the fields it manages itself.
  if (parent.isPartial) return;
  for (const name of required) {
    const isFilled = properties?.[name]?.default !== undefined || path[0] === 'status';
    if (!(name in value) && !isFilled) found.push({ path, message: `"${name}" is required` });
  }
}

function typeFault(schema: Schema, value: unknown): string | undefined {
  if (
    schema['x-kubernetes-int-or-string'] === true ||
    schema.format === 'int-or-string' ||
    schema.oneOf !== undefined
  ) {
    return undefined;
  }
  const expected = schema.type;
  if (expected === undefined) return undefined;
  const fits: Record<string, boolean> = {
    string: typeof value === 'string' || (schema.format === 'date-time' && value instanceof Date),
    integer: Number.isInteger(value),
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: typeof value === 'object' && !Array.isArray(value),
  };
  return fits[expected] === false ? `must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}` : undefined;
}
