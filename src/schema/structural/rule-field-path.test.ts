import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleFieldPath } from './rule-field-path.ts';
import { SchemaPart } from './schema-part.ts';

const text = { type: 'string' };
const part = new SchemaPart({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { name: text, 'a.b': text, "it's": text } },
    labels: { type: 'object', additionalProperties: text },
    list: { type: 'array', items: text },
  },
});

const PATHS: readonly (readonly [path: string, normal: string | undefined])[] = [
  ['.spec', 'spec'],
  ['.spec.name', 'spec.name'],
  [".spec['name']", 'spec.name'],
  ["['spec']['a.b']", 'spec.a.b'],
  [".spec['it\\'s']", "spec.it's"],
  ['.labels.x', 'labels[x]'],
  [".labels['x.y']", 'labels[x.y]'],
  ['.spec.other', undefined],
  ['spec.name', undefined],
  ['.spec.', undefined],
  ['.list[0]', undefined],
  ['.spec[name]', undefined],
  [".spec['name'", undefined],
  [".spec['\\z']", undefined],
];

for (const [path, normal] of PATHS) {
  test(`the fieldPath ${path} of a validation rule is ${normal ?? 'invalid'}`, () =>
    assert.equal(ruleFieldPath(path, part), normal));
}
