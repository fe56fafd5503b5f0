import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RELEASES } from '../../../../lifecycle/version.ts';
import type { Node, StructNode } from '../../../../schema/node.ts';
import { builtinResourcesIn } from '../../resources.ts';
import { CLAIM_TEMPLATE_GATES } from './gates.ts';

/** The kinds that drop fields behind gates of claims and volumes. */
const DROPPING = ['PersistentVolume', 'PersistentVolumeClaim'];

/** The gates of claims and volumes that a type has fields behind. */
function gatesIn(type: StructNode, seen = new Set<StructNode>(), found = new Set<string>()): Set<string> {
  if (seen.has(type)) return found;
  seen.add(type);
  for (const { gate = '', node } of type.jsonFields.values()) {
    for (const each of gate.split(',')) if (CLAIM_TEMPLATE_GATES.includes(each)) found.add(each);
    const struct = structIn(node);
    if (struct !== undefined) gatesIn(struct, seen, found);
  }
  return found;
}

/** The struct of a field, single or in a list. */
function structIn(node: Node): StructNode | undefined {
  if (node.kind === 'struct') return node;
  return node.kind === 'list' ? structIn(node.items) : undefined;
}

test('every kind that contains claims or volumes keeps the fields that only these drop', () => {
  const definitions = RELEASES.flatMap(({ minor }) => builtinResourcesIn(minor));
  const containing = definitions
    .map((definition) => ({ definition, gates: [...gatesIn(definition.storage.schema)] }))
    .filter(({ definition, gates }) => gates.length > 0 && !DROPPING.includes(definition.kind));
  assert.equal(new Set(containing.map(({ definition }) => definition.kind)).size, 10);
  for (const { definition, gates } of containing) {
    const dropped = gates.filter((gate) => definition.keptGates?.includes(gate) !== true);
    assert.deepEqual(dropped, [], `${definition.kind} in 1.${definition.minor}`);
  }
});

test('claims and volumes keep no fields behind their own gates', () => {
  const definitions = RELEASES.flatMap(({ minor }) => builtinResourcesIn(minor));
  const dropping = definitions.filter(({ kind }) => DROPPING.includes(kind));
  assert.deepEqual(new Set(dropping.map(({ keptGates }) => keptGates)), new Set([undefined]));
});
