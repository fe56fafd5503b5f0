import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineExpression } from '../../expressions/examination.ts';
import { KindSchema, type Schema } from '../object/schema.ts';
import { placesOfRules, rulesAt, schemaAt, stepsOf, valueAt, writtenOut } from './expression-schema.ts';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const schemas: Record<string, Schema> = {
  Tree: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: ref('Tree') } } },
  Port: { description: 'a port', format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  Spec: {
    type: 'object',
    properties: {
      replicas: { type: 'integer', format: 'int32' },
      port: { allOf: [ref('Port')] },
      limits: { type: 'object', additionalProperties: ref('Quantity') },
      since: { type: 'string', format: 'date-time' },
      raw: { type: 'object' },
      tree: ref('Tree'),
    },
  },
};
const root: Schema = {
  type: 'object',
  properties: { kind: { type: 'string' }, metadata: { type: 'object' }, spec: { allOf: [ref('Spec')] } },
};
const { schema, isCut } = writtenOut(new KindSchema(root, schemas));
const typeOf = (expression: string) => examineExpression({ expression, schema });

test('references of a schema are resolved, so that CEL expressions have the types of fields', () => {
  assert.equal(typeOf('self.spec.replicas').type, 'int');
  assert.equal(typeOf('self.spec.since').type, 'timestamp');
  assert.equal(typeOf('self.spec.tree.children[0].name').type, undefined);
  assert.equal(typeOf('self.spec.tree.name').type, 'string');
  assert.equal(typeOf("self.spec.limits['cpu']").type, 'dyn');
  assert.match(typeOf('self.spec.nothing').fault ?? '', /undefined field 'nothing'/);
});

test('recursive schemas are truncated, which is reported', () => {
  assert.equal(isCut, true);
  assert.equal(writtenOut(new KindSchema(schemas['Port']!, schemas)).isCut, false);
});

test('a schema of int-or-string accepts either', () => {
  const object = { spec: { port: 'http', limits: { cpu: '1' } } };
  assert.equal(examineExpression({ expression: "self.spec.port == 'http'", schema, object }).value, true);
  assert.equal(examineExpression({ expression: "self.spec.limits.cpu == '1'", schema, object }).value, true);
});

test('paths into a schema are written with self or without', () => {
  assert.deepEqual(stepsOf('spec.containers[0].ports'), ['spec', 'containers', 0, 'ports']);
  assert.deepEqual(stepsOf("self.metadata.labels['a/b.c']"), ['metadata', 'labels', 'a/b.c']);
  assert.deepEqual(stepsOf(' '), []);
  assert.deepEqual(stepsOf('self'), []);
  assert.throws(() => stepsOf('spec..'), /is not a path/);
  assert.throws(() => stepsOf('spec[x]'), /is not a path/);
});

test('a path leads to its schema and to its value', () => {
  assert.equal(schemaAt(schema, stepsOf('spec.replicas'))?.['type'], 'integer');
  assert.equal(schemaAt(schema, stepsOf('spec.tree.children[3].name')), undefined);
  assert.equal(schemaAt(schema, stepsOf('spec.limits.cpu'))?.['x-kubernetes-int-or-string'], true);
  assert.equal(valueAt({ spec: { list: [{ a: 1 }] } }, stepsOf('spec.list[0].a')), 1);
  assert.equal(valueAt({ spec: null }, stepsOf('spec.list')), undefined);
  assert.equal(valueAt({}, ['toString']), undefined);
});

test('the validation rules of a schema are found with their paths', () => {
  const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });
  const own = {
    ...rule('a'),
    properties: { spec: { properties: { list: { type: 'array', items: { type: 'object', ...rule('b') } } } } },
  };
  assert.deepEqual(placesOfRules(own, 10), ['', 'spec.list[0]']);
  assert.deepEqual(placesOfRules(own, 1), ['']);
  assert.deepEqual(rulesAt(schemaAt(own, stepsOf('spec.list[0]'))), ['b']);
});
