import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf, firstSentence } from './example.ts';
import { KindSchema, type Schema } from './schema.ts';

const WIDGET: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: { allOf: [{ $ref: '#/components/schemas/Spec' }], description: 'What is wanted. It is not what is there.' },
    status: { type: 'object' },
  },
};
const SCHEMAS: Readonly<Record<string, Schema>> = {
  Spec: {
    type: 'object',
    required: ['size', 'mode', 'parts', 'depth'],
    properties: {
      size: { type: 'integer', description: 'How large it is, e.g. 3. In metres.' },
      mode: { type: 'string', enum: ['Fast', 'Slow'] },
      depth: { type: 'integer', default: 3 },
      colour: { type: 'string' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
    },
  },
  Part: { type: 'object', required: ['name'], properties: { name: { type: 'string', description: 'Its name.' } } },
};

test('an example has the required fields with their descriptions, and no others', () => {
  const names = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'shop' };
  assert.equal(
    exampleOf(new KindSchema(WIDGET, SCHEMAS), names),
    `apiVersion: example.com/v1
kind: Widget
metadata:
  name: example
  namespace: shop
# What is wanted.
spec:
  # How large it is, e.g. 3.
  size: 0
  mode: Fast
  parts:
    # Its name.
    - name: ""
  depth: 3
`,
  );
});

test('an example of a built-in kind omits fields that are useless in it', () => {
  const data: Schema = { type: 'object', additionalProperties: { type: 'string' }, description: 'Entries.' };
  const type = new KindSchema({ type: 'object', properties: { data } }, {});
  const text = exampleOf(type, { apiVersion: 'v1', kind: 'ConfigMap', namespace: undefined });
  assert.equal(text, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: example\n# Entries.\ndata:\n  key: value\n');
});

test('an example of a recursive type ends', () => {
  const part: Schema = {
    type: 'object',
    required: ['part'],
    properties: { part: { $ref: '#/components/schemas/Part' } },
  };
  const root: Schema = { type: 'object', properties: { spec: { $ref: '#/components/schemas/Part' } } };
  const text = exampleOf(new KindSchema(root, { Part: part }), { apiVersion: 'v1', kind: 'X', namespace: undefined });
  assert.ok(text.length < 1000);
});

test('the first sentence of a description is one line, and a long one is truncated at a word', () => {
  assert.equal(firstSentence('Number of\n pods, e.g. 3. More follows.'), 'Number of pods, e.g. 3.');
  assert.equal(firstSentence('No end'), 'No end');
  assert.ok(firstSentence('word '.repeat(100)).endsWith('word …'));
});
