import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RELEASES } from '../../src/lifecycle/version.ts';
import { ITEM_ENUMS_ARE_TOLD, typeInRelease } from '../../src/schema/declared-struct.ts';
import type { Field, Node, StructNode } from '../../src/schema/node.ts';
import { declarations, declaredTypes } from './declarations.ts';
import { correctedFacts } from './declared-field.ts';
import { inRelease, readTable, type Span } from './table.ts';
import type { FieldFacts } from './type-facts.ts';

const BUILTIN = join(import.meta.dirname, '../../src/resources/builtin');
const table = readTable(join(import.meta.dirname, 'table/types'));

function typeText(node: Node): string {
  if (node.kind === 'list') return `[]${typeText(node.items)}`;
  if (node.kind === 'map') return `map[string]${typeText(node.values)}`;
  return node.kind === 'struct' ? node.name : node.kind;
}

/** What a declared field says, in the terms of the table. */
function factsOf({ node, ...field }: Field): Partial<FieldFacts> {
  const enumerated = node.kind === 'list' ? node.itemsEnum : node.kind === 'map' ? node.valuesEnum : undefined;
  const listType = node.kind === 'list' ? node.listType : field.listType;
  const mapType = node.kind === 'map' || (node.kind === 'struct' && node.variantOf) ? node.mapType : undefined;
  return {
    n: field.number,
    type: typeText(node),
    ...(field.pointer && { pointer: true }),
    ...(field.omitEmpty && !field.inline && { omitEmpty: true }),
    ...(field.omitZero && { omitZero: true }),
    ...(field.inline && { inline: true }),
    ...(field.required && { required: true }),
    ...(field.enum && { enum: field.enum }),
    ...(enumerated && { itemsEnum: enumerated }),
    ...(listType && { listType }),
    ...(node.kind === 'list' && node.keys.length > 0 && { keys: node.keys }),
    ...(mapType && { mapType }),
    ...(field.patchStrategy && { patchStrategy: field.patchStrategy }),
    ...(field.patchMergeKey && { patchMergeKey: field.patchMergeKey }),
    ...(field.unionDiscriminator && { discriminator: true }),
    ...(node.kind === 'list' && node.named && { named: true }),
    ...(field.bare && { bare: true }),
  };
}

/** What the table says of a field in a release, without what declarations say otherwise. */
function expected(name: string, spans: readonly Span<FieldFacts>[], minor: number): Partial<FieldFacts> | undefined {
  const found = inRelease(
    spans.flatMap((span) => correctedFacts(name, span)),
    minor,
  );
  if (found === undefined) return undefined;
  const { since: _since, until: _until, default: _default, itemsEnum, ...read } = found;
  // Whether an embedded struct is left out makes no difference.
  const facts = {
    ...(read.inline ? { ...read, omitEmpty: undefined } : read),
    itemsEnum: minor < ITEM_ENUMS_ARE_TOLD ? undefined : itemsEnum,
  };
  return JSON.parse(JSON.stringify(facts));
}

describe('the declarations of built-in types', () => {
  it('the declarations of built-in types say of every field what the sources of each release of Kubernetes say', async () => {
    let compared = 0;
    for (const type of await declaredTypes(BUILTIN)) compared += compareType(type);
    assert.ok(compared > 50_000, `${compared} facts of fields were compared`);
  });

  it('the declarations of built-in types would be written with the same types and fields again', () => {
    const written = declarations(BUILTIN, table);
    assert.ok(written.length > 80, `${written.length} files`);
    const names = written.flatMap(({ text }) => text.match(/^export const \w+/gm) ?? []);
    assert.ok(names.length > 1300, `${names.length} types`);
  });
});

function compareType(type: StructNode): number {
  const { fields, spans } = table[type.name] ?? {};
  assert.ok(fields !== undefined && spans !== undefined, `${type.name} is not in the table`);
  let compared = 0;
  for (const { minor } of RELEASES) {
    if (inRelease(spans, minor) === undefined) continue;
    const declared = new Map(typeInRelease(type, minor).fields.map((field) => [field.name, field]));
    for (const [name, of] of Object.entries(fields)) {
      const facts: Partial<FieldFacts> | undefined = expected(`${type.name}.${name}`, of, minor);
      const field = declared.get(name);
      const what: string = `${type.name}.${name} in 1.${minor}`;
      assert.deepEqual(field && factsOf(field), facts, what);
      compared++;
    }
  }
  return compared;
}
