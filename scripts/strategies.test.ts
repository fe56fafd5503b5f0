import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customLines, sets, strategyMembers } from './strategies.ts';

test('the members of a strategy are those that its interface declares', () => {
  const source = `
export interface Other {
  readonly other: string;
}
export interface Strategy<T = ApiObject, D = T> {
  /** A rule. */
  readonly nameRule: NameRuleName | NameRule<T>;
  readonly deletion?: { readonly inner: boolean };
}
`;
  assert.deepEqual(strategyMembers(source), ['nameRule', 'deletion']);
});

test('a kind sets a member if its value is not the usual one', () => {
  const usual = { createOnUpdate: false } as const;
  const strategy = { nameRule: 'label', createOnUpdate: false, unconditionalUpdate: true, subresources: {} } as const;
  assert.deepEqual(
    ['nameRule', 'createOnUpdate', 'subresources', 'deletion'].map((member) => sets(strategy, member, usual)),
    [true, false, false, false],
  );
});

test('a line asks whether a resource is custom by its definition, or by a name taken from it', () => {
  const lines = [
    '  if (definition.custom) return value;',
    '  const { kind, custom } = request.definition;',
    "  { minor, custom, group }: Pick<ResourceDefinition, 'minor' | 'custom'>,",
  ];
  const others = [
    '  // A custom resource has no type.',
    "import { a } from '../resources/custom/a.ts';",
    '  isCustom()',
  ];
  assert.deepEqual(customLines([...lines, ...others].join('\n')), lines);
});
