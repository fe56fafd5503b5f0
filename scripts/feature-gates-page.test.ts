import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gatesIn } from '../src/lifecycle/feature-gates.ts';
import { CURRENT_MINOR } from '../src/lifecycle/version.ts';
import { REMOVED_TYPES } from '../src/resources/builtin/removed-types.ts';
import { builtinResources } from '../src/resources/builtin/resources.ts';
import type { Node } from '../src/schema/node.ts';
import { gateEffects, gateReasons } from './feature-gate-effects.ts';
import { featureGatesPage } from './feature-gates-page.ts';

const root = join(import.meta.dirname, '..');

test('docs/feature-gates.md is current; `node scripts/feature-gates-page.ts` makes it so', () => {
  assert.equal(readFileSync(join(root, 'docs/feature-gates.md'), 'utf8'), featureGatesPage());
});

test('every gate has an effect or a reason why it has none, and not both', () => {
  const told = [...Object.keys(gateEffects), ...Object.values(gateReasons).flat()];
  assert.deepEqual(
    told.sort(),
    gatesIn(CURRENT_MINOR)
      .map(([name]) => name)
      .sort(),
  );
});

test('the gates that are said to have an effect are those that the source asks for', () => {
  const known = new Set<string>(gatesIn(CURRENT_MINOR).map(([name]) => name));
  const asked = new Set<string>();
  for (const path of globSync('src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts') || path.endsWith('feature-gate-table.ts')) continue;
    // What a field is behind is told by its type: it may be a field of another release.
    const text = readFileSync(join(root, path), 'utf8').replace(/\.behind\(\s*'[^']*'/g, '');
    for (const [, names = ''] of text.matchAll(/'([A-Z][A-Za-z0-9,]+)'/g)) {
      for (const name of names.split(',')) if (known.has(name)) asked.add(name);
    }
  }
  for (const name of gatesOfFields()) if (known.has(name)) asked.add(name);
  assert.deepEqual(Object.keys(gateEffects).sort(), [...asked].sort());
});

/** The gates of all fields that objects have in the release served by default. */
function gatesOfFields(): Set<string> {
  const [gates, seen] = [new Set<string>(), new Set<Node>()];
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'list') visit(node.items);
    if (node.kind === 'map') visit(node.values);
    for (const { gate, node: inner } of node.kind === 'struct' ? node.fields : []) {
      for (const name of gate?.split(',') ?? []) gates.add(name);
      visit(inner);
    }
  };
  for (const { versions } of builtinResources) for (const { schema } of versions) visit(schema);
  for (const types of Object.values(REMOVED_TYPES)) for (const type of Object.values(types)) visit(type);
  return gates;
}
